package rule

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/fielderrors"
)

// Findings are the findings of a check, which adds them with Report. The zero value is ready to use.
type Findings []Finding

// Problem is the part of a finding that a check sets; the rest comes from the rule.
type Problem struct {
	// Path, Type and Value are the fields of the [Finding].
	Path  string
	Type  field.ErrorType
	Value any
	// Detail describes the problem, and Fix describes how to fix it.
	Detail, Fix string
	// Severity defaults to the severity of the rule.
	Severity Severity
}

// Report adds a finding of a rule for each problem.
func (f *Findings) Report(r Rule, problems ...Problem) {
	for _, p := range problems {
		*f = append(*f, Finding{
			Rule: r.ID, Severity: cmp.Or(p.Severity, r.Severity),
			Path: p.Path, Type: p.Type, Value: p.Value, Detail: p.Detail, Fix: p.Fix,
		})
	}
}

// Sort sorts findings by path, with indexes in numeric order: pools[2] before pools[10].
func (f Findings) Sort() {
	slices.SortStableFunc(f, func(a, b Finding) int {
		return cmp.Or(fielderrors.ComparePaths(a.Path, b.Path), cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Rule, b.Rule))
	})
}

// Suppress marks the findings of rules that are ignored.
func (f Findings) Suppress(ignored []string) {
	for i := range f {
		f[i].Suppressed = slices.Contains(ignored, f[i].Rule)
	}
}
