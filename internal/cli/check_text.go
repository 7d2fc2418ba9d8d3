package cli

import (
	"bufio"
	"fmt"
	"io"
)

// writeText writes one line a finding.
func writeText(w io.Writer, r report) error {
	out := bufio.NewWriter(w)
	for _, f := range r.findings {
		fmt.Fprintln(out, oneLine(fmt.Sprintf("%s: %s: %s: %s", f.File, subject(f), severity(f), f.Finding)))
	}
	return out.Flush()
}
