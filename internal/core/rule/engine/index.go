package engine

import (
	"fmt"
	"reflect"

	"github.com/mixedkube/mixedkube/core/rule"
)

// Index has the checks of rules for all types of subjects.
type Index struct {
	sets map[reflect.Type]any
	// of returns the set of the checks of rules, by the type of their subjects.
	of map[reflect.Type]func([]Rule) any
}

// NewIndex returns the checks of the rules.
func NewIndex(rules ...Rule) *Index {
	x := &Index{of: map[reflect.Type]func([]Rule) any{}}
	for _, r := range rules {
		for _, c := range r.Checks {
			c.index(x)
		}
	}
	return x.With(rules...)
}

// With returns the checks of other rules, for the same types of subjects.
func (x *Index) With(rules ...Rule) *Index {
	sets := map[reflect.Type]any{}
	for of, set := range x.of {
		sets[of] = set(rules)
	}
	return &Index{sets, x.of}
}

// index adds the check's type of subject.
func (c check[S]) index(x *Index) {
	x.of[reflect.TypeFor[S]()] = func(rules []Rule) any { return New[S](rules...) }
}

// Find returns the findings about a subject, on any version of Kubernetes. It is [Set.Find] of the checks for the type
// of the subject, and panics if there are none.
func Find[S any](x *Index, subject S) rule.Findings {
	s, found := x.sets[reflect.TypeFor[S]()].(*Set[S])
	if !found {
		panic(fmt.Sprintf("no rule looks at %T", subject))
	}
	return s.Find(subject, 0)
}
