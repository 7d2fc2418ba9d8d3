package cli

import (
	"bufio"
	"fmt"
	"io"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/report"
)

// writeText writes one line a finding. What is only good to know is told once of each file,
// with how often it is so.
func writeText(w io.Writer, r *report.Report) error {
	out, c := bufio.NewWriter(w), coloursOf(w)
	onceOfAFile(r.Findings, func(f report.Finding) told { return toldOnce(f, f.File) },
		func(f report.Finding, more string) {
			if f.SilencedBy != report.ByBaseline { // those are counted
				how := c.finding(f.Finding, severity(f))
				fmt.Fprintln(out, findingLine(f.File, f.Line, f.Key(), how, f.String()+more))
			}
		})
	return out.Flush()
}

// findingLine is a line about an object of a file, or about another document. The severity may have
// colours.
func findingLine(file string, line int, object, severity, text string) string {
	if object != "" {
		object += ": "
	}
	return oneLine(fmt.Sprintf("%s:%d: %s", file, line, object)) + severity + oneLine(": "+text)
}

// told is a rule that is told of a file once; zero for what is told each time.
type told struct{ file, rule string }

func toldOnce(f report.Finding, file string) told {
	if f.Severity != preflight.Info || f.Silenced || f.Rule == "" {
		return told{}
	}
	return told{file, f.Rule}
}

// onceOfAFile writes each finding, but of those with the same key the first only, and how many
// more there are.
func onceOfAFile[F any](findings []F, key func(F) told, write func(f F, more string)) {
	counts := map[told]int{}
	for _, f := range findings {
		counts[key(f)]++
	}
	for _, f := range findings {
		switch k := key(f); {
		case k == told{}, counts[k] == 1:
			write(f, "")
		case counts[k] > 1:
			write(f, fmt.Sprintf(" [and %d more in this file]", counts[k]-1))
			counts[k] = 0
		}
	}
}
