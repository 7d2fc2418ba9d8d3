package rule

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/fielderrors"
)

// Findings is what a check reports to. The zero value is ready to use.
type Findings []Finding

// Problem is what a check says of a finding; the rest is the rule's.
type Problem struct {
	// Path, Type and Value are those of the [Finding].
	Path  string
	Type  field.ErrorType
	Value any
	// Detail says what is wrong, Fix what to do about it.
	Detail, Fix string
	// Severity is the rule's if it is empty.
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

// Sort sorts findings by path, as people read paths: pools[2] before pools[10].
func (f Findings) Sort() {
	slices.SortStableFunc(f, func(a, b Finding) int {
		return cmp.Or(fielderrors.ComparePaths(a.Path, b.Path), cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Rule, b.Rule))
	})
}

// Silence marks the findings of rules that are ignored.
func (f Findings) Silence(ignored []string) {
	for i := range f {
		f[i].Silenced = slices.Contains(ignored, f[i].Rule)
	}
}
