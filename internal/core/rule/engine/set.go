package engine

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/rule"
)

// Set are the checks of subjects of type S.
type Set[S any] struct {
	all      group[S]
	silences Silences
}

// group are the checks with the same scope, and the groups within it.
type group[S any] struct {
	has    func(S) bool
	checks []bound[S]
	inner  []*group[S]
}

// bound is a check with its rule.
type bound[S any] struct {
	rule *rule.Rule
	find func(S) []rule.Problem
}

// New returns the checks of subjects of type S of the rules. It ignores all others.
func New[S any](rules ...Rule) *Set[S] {
	s := &Set[S]{silences: SilencesOf(rules)}
	groups := map[*Scope[S]]*group[S]{nil: &s.all}
	var of func(*Scope[S]) *group[S]
	of = func(scope *Scope[S]) *group[S] {
		g, known := groups[scope]
		if !known {
			g = &group[S]{has: scope.Has}
			groups[scope] = g
			outer := of(scope.Within)
			outer.inner = append(outer.inner, g)
		}
		return g
	}
	for _, r := range rules {
		for _, c := range r.Checks {
			if c, ok := c.(check[S]); ok {
				g := of(c.scope)
				g.checks = append(g.checks, bound[S]{&r.Rule, c.find})
			}
		}
	}
	return s
}

// Find returns the findings about a subject, on Kubernetes 1.minor, 0 if the version is not known. They are in no
// particular order.
func (s *Set[S]) Find(subject S, minor int) rule.Findings {
	var found rule.Findings
	s.all.find(subject, minor, &found)
	return s.silences.Drop(found, found)
}

// find adds the findings about a subject, if it is in the scope.
func (g *group[S]) find(subject S, minor int, found *rule.Findings) {
	if g.has != nil && !g.has(subject) {
		return
	}
	for i := range g.checks {
		c := &g.checks[i]
		if problems := c.find(subject); len(problems) > 0 {
			if holding, applies := c.rule.For(minor); applies {
				found.Report(holding, problems...)
			}
		}
	}
	for _, inner := range g.inner {
		inner.find(subject, minor, found)
	}
}

// Sorted returns the findings, sorted as [rule.Findings.Sort] does.
func Sorted(found rule.Findings) []rule.Finding {
	found.Sort()
	return found
}

// Silences are the IDs of the rules that a rule silences, by its ID.
type Silences map[string][]string

// SilencesOf returns what the rules silence.
func SilencesOf(rules []Rule) Silences {
	s := Silences{}
	for _, r := range rules {
		if len(r.Silences) > 0 {
			s[r.ID] = r.Silences
		}
	}
	return s
}

// Drop returns the findings without those that are silenced by the findings of others about the same subject. A finding
// silences even if it is silenced itself, so that the order makes no difference.
func (s Silences) Drop(found, others rule.Findings) rule.Findings {
	var silent map[string]bool
	for i := range others {
		for _, id := range s[others[i].Rule] {
			if silent == nil {
				silent = map[string]bool{}
			}
			silent[id] = true
		}
	}
	if silent == nil {
		return found
	}
	return slices.DeleteFunc(slices.Clone(found), func(f rule.Finding) bool { return silent[f.Rule] })
}
