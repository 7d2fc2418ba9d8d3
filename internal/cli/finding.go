package cli

import (
	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/report"
)

// severity returns the text for the severity of a finding.
func severity(f report.Finding) string {
	switch {
	case f.SuppressedBy == report.ByBaseline:
		return string(f.Severity) + " (known)"
	case f.Suppressed:
		return string(f.Severity) + " (suppressed)"
	default:
		return string(f.Severity)
	}
}

// gravity is severity for a finding of adopt, which can also be a question.
func gravity(f conversion.Finding) string {
	if f.Question {
		return "question"
	}
	return severity(report.Finding{Finding: f.Finding})
}

// adoptLine returns a line about a finding of package conversion.
func adoptLine(f conversion.Finding, c colors, more string) string {
	return findingLine(f.File, f.Line, f.Subject(), c.finding(f.Finding, gravity(f)), f.Finding.String()+more)
}

// objectOf returns the object of a finding of package conversion.
func objectOf(f conversion.Finding) report.Object {
	metadata := map[string]any{"name": f.Name}
	if f.Namespace != "" {
		metadata["namespace"] = f.Namespace
	}
	return report.ObjectOf(map[string]any{"kind": f.Kind, "metadata": metadata})
}
