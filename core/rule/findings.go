package rule

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Findings are the findings of a check, which adds them with Report. The zero value is ready to use.
type Findings []Finding

// Problem is the part of a finding that a check sets; the rest comes from the rule.
type Problem struct {
	// Path, Type and Value are the fields of the [Finding].
	Path  string
	Type  field.ErrorType
	Value any
	// Detail describes the problem. Fix describes how to fix it, and defaults to the fix of the rule.
	Detail, Fix string
	// Severity defaults to the severity of the rule.
	Severity Severity
}

// Report adds a finding of a rule for each problem.
func (f *Findings) Report(r Rule, problems ...Problem) {
	for _, p := range problems {
		*f = append(*f, Finding{
			Rule: r.ID, Severity: cmp.Or(p.Severity, r.Severity),
			Path: p.Path, Type: p.Type, Value: p.Value, Detail: p.Detail, Fix: cmp.Or(p.Fix, r.Fix),
		})
	}
}

// Sort sorts findings by path, with indexes in numeric order: pools[2] before pools[10]. An object can have hundreds of
// thousands of findings, and sorted ones are often sorted again: it sorts their positions, which move faster.
func (f Findings) Sort() {
	if slices.IsSortedFunc(f, func(a, b Finding) int { return order(&a, &b) }) {
		return
	}
	positions := make([]int, len(f))
	for i := range positions {
		positions[i] = i
	}
	slices.SortFunc(positions, func(a, b int) int {
		if o := order(&f[a], &f[b]); o != 0 {
			return o
		}
		return cmp.Compare(a, b)
	})
	sorted := make(Findings, len(f))
	for i, at := range positions {
		sorted[i] = f[at]
	}
	copy(f, sorted)
}

// order compares findings of one object.
func order(a, b *Finding) int {
	if a.Path != b.Path {
		if o := fielderrors.ComparePaths(a.Path, b.Path); o != 0 {
			return o
		}
		return cmp.Compare(a.Path, b.Path)
	}
	return cmp.Compare(a.Rule, b.Rule)
}

// Suppress marks the findings of rules that are ignored.
func (f Findings) Suppress(ignored []string) {
	for i := range f {
		f[i].Suppressed = slices.Contains(ignored, f[i].Rule)
	}
}
