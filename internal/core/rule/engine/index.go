package engine

import (
	"reflect"

	"github.com/mixedkube/mixedkube/core/rule"
)

// Index has the checks of rules for all types of subjects.
type Index struct{ sets map[reflect.Type]any }

// NewIndex returns the checks of the rules.
func NewIndex(rules ...Rule) *Index {
	x := &Index{map[reflect.Type]any{}}
	for _, r := range rules {
		for _, c := range r.Checks {
			c.index(x, rules)
		}
	}
	return x
}

// index adds the checks of all rules for the check's type of subject.
func (c check[S]) index(x *Index, rules []Rule) {
	if of := reflect.TypeFor[S](); x.sets[of] == nil {
		x.sets[of] = New[S](rules...)
	}
}

// Find returns the findings about a subject, on any version of Kubernetes. It is [Set.Find] of the checks for the type
// of the subject.
func Find[S any](x *Index, subject S) rule.Findings {
	s, found := x.sets[reflect.TypeFor[S]()].(*Set[S])
	if !found {
		return nil
	}
	return s.Find(subject, 0)
}
