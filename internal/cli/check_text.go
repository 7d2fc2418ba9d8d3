package cli

import (
	"bufio"
	"fmt"
	"io"

	"github.com/mixedkube/mixedkube/components/report"
)

// writeText writes one line a finding.
func writeText(w io.Writer, r *report.Report) error {
	out := bufio.NewWriter(w)
	for _, f := range r.Findings {
		if f.SilencedBy == report.ByBaseline {
			continue // they are counted
		}
		fmt.Fprintln(out, oneLine(fmt.Sprintf("%s: %s: %s: %s", f.File, f.Object, severity(f), f.Finding)))
	}
	return out.Flush()
}
