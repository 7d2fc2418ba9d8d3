package engine

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/rule"
)

// Set are the checks of subjects of type S.
type Set[S any] struct {
	groups   []group[S]
	silences Silences
}

// group are the checks with the same scope.
type group[S any] struct {
	scope  *Scope[S]
	checks []bound[S]
}

// bound is a check with its rule.
type bound[S any] struct {
	rule *rule.Rule
	find func(S) []rule.Problem
}

// New returns the checks of subjects of type S of the rules. It ignores all others.
func New[S any](rules ...Rule) *Set[S] {
	s := &Set[S]{silences: SilencesOf(rules)}
	for _, r := range rules {
		for _, c := range r.Checks {
			if c, ok := c.(check[S]); ok {
				g := s.group(c.scope)
				g.checks = append(g.checks, bound[S]{&r.Rule, c.find})
			}
		}
	}
	return s
}

func (s *Set[S]) group(scope *Scope[S]) *group[S] {
	i := slices.IndexFunc(s.groups, func(g group[S]) bool { return g.scope == scope })
	if i < 0 {
		i = len(s.groups)
		s.groups = append(s.groups, group[S]{scope: scope})
	}
	return &s.groups[i]
}

// Find returns the findings about a subject, on Kubernetes 1.minor, 0 if the version is not known. They are in no
// particular order.
func (s *Set[S]) Find(subject S, minor int) rule.Findings {
	var found rule.Findings
	for i := range s.groups {
		g := &s.groups[i]
		if g.scope.Has != nil && !g.scope.Has(subject) {
			continue
		}
		for j := range g.checks {
			c := &g.checks[j]
			if problems := c.find(subject); len(problems) > 0 {
				if holding, applies := c.rule.For(minor); applies {
					found.Report(holding, problems...)
				}
			}
		}
	}
	return s.silences.Drop(found, found)
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
