package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// writeText writes one line for each finding. It writes an informational finding once per file, with the number of the
// others.
func writeText(w io.Writer, r *report.Report) error {
	var out strings.Builder
	c := colorsOf(w)
	firstOfGroups(r.Findings, func(f report.Finding) groupKey { return groupOf(f, f.File) },
		func(f report.Finding, more string) {
			if f.SuppressedBy != report.ByBaseline { // the baseline's findings are counted
				how := c.finding(f.Finding, severity(f))
				out.WriteString(findingLine(f.File, f.Line, f.Key(), how, f.String()+where(f)+more) + "\n")
			}
		})
	return printEscaped(w, out.String())
}

// where names the further places of a finding, and its environments if the file has others.
func where(f report.Finding) (text string) {
	if len(f.Also) > 0 {
		text = " [see also " + strings.Join(f.Also, ", ") + "]"
	}
	if f.InSome {
		text += " [in " + strings.Join(f.Environments, ", ") + "]"
	}
	return text
}

// findingLine returns a line about an object of a file, or about another document. The severity may have colors.
func findingLine(file string, line int, object, severity, text string) string {
	if object != "" {
		object += ": "
	}
	return escape.Line(fmt.Sprintf("%s:%d: %s", file, line, object)) + severity + escape.Line(": "+text)
}

// groupKey is a file and a rule whose findings are written once; the zero value is for findings that are all written.
type groupKey struct{ file, rule string }

func groupOf(f report.Finding, file string) groupKey {
	if f.Severity != preflight.Info || f.Suppressed || f.Rule == "" {
		return groupKey{}
	}
	return groupKey{file, f.Rule}
}

// firstOfGroups writes each finding with a zero key, and the first one of each other key with the number of the
// remaining ones.
func firstOfGroups[F any](findings []F, key func(F) groupKey, write func(f F, more string)) {
	counts := map[groupKey]int{}
	for _, f := range findings {
		counts[key(f)]++
	}
	for _, f := range findings {
		switch k := key(f); {
		case k == groupKey{}, counts[k] == 1:
			write(f, "")
		case counts[k] > 1:
			write(f, fmt.Sprintf(" [and %d more in this file]", counts[k]-1))
			counts[k] = 0
		}
	}
}
