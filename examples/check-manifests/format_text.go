package main

import (
	"bufio"
	"fmt"
	"io"

	"github.com/mixedkube/mixedkube/internal/manifests"
)

// writeText writes one line a finding.
func writeText(w io.Writer, r report) error {
	out := bufio.NewWriter(w)
	for _, f := range r.findings {
		fmt.Fprintln(out, manifests.Line(fmt.Sprintf("%s: %s: %s: %s", f.File, f.subject(), severity(f.Finding),
			f)))
	}
	return out.Flush()
}
