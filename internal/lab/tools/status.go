package tools

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
)

// Status writes a table of all tools to out: name, version, source
// (PATH, Pulumi's plugins, cache, the recorded archive, or still to build) and
// path. If a tool on PATH or in the cache is not used, the table shows why.
// Status fetches and builds nothing. It fails if the checkout does not
// pin a tool's version.
func (c *Cache) Status(ctx context.Context, out io.Writer) error {
	located, err := c.locate(ctx, names(c.table))
	if err != nil {
		return err
	}
	rows := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(rows, "TOOL\tVERSION\tFROM\tPATH\n")
	for _, at := range located {
		fmt.Fprintf(rows, "%s\t%s\t%s\t%s", at.name, at.version, at.source, at.path)
		if at.passedOver != "" {
			fmt.Fprintf(rows, " (%s)", at.passedOver)
		}
		fmt.Fprintln(rows)
	}
	return rows.Flush()
}
