package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// writeText writes one line a finding.
func writeText(w io.Writer, r report) error {
	out := bufio.NewWriter(w)
	for _, f := range r.findings {
		fmt.Fprintf(out, "%s: %s: %s: %s\n", f.File, oneLine(f.subject()), severity(f.Finding), oneLine(f.String()))
	}
	return out.Flush()
}

// oneLine keeps what stands in a manifest from looking like lines of ours.
func oneLine(text string) string {
	return strings.NewReplacer("\r", `\r`, "\n", `\n`).Replace(text)
}
