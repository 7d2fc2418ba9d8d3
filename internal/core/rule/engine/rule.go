package engine

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/rule"
)

// Rule is a rule with its checks.
type Rule struct {
	rule.Rule
	// Silences are the IDs of rules whose findings about the same subject follow from a finding of this rule: they are
	// dropped if there is one.
	Silences []string
	// Checks are the checks of the rule, one for each kind of subject that it looks at. See [On].
	Checks []Check
}

// Check finds the problems of one kind of subject. [On] returns it.
type Check interface {
	// Looks returns what the check looks at, for example "Windows pods".
	Looks() string
	// Several reports whether the check looks at several objects together.
	Several() bool
	// index is called by [NewIndex].
	index(x *Index)
}

// Scope is a condition for subjects of type S that checks share. It is evaluated at most once for each subject.
type Scope[S any] struct {
	// Within is the scope that this one is a part of: Has is asked only about its subjects. Nil means all subjects.
	Within *Scope[S]
	// Name describes the subjects, for example "Windows pods".
	Name string
	// Several means that a subject is several objects together.
	Several bool
	// Has reports whether a subject is in the scope. Nil means that all within the outer one are.
	Has func(S) bool
}

// On returns the check of the subjects in a scope. Find returns the problems of such a subject, nil if there are none;
// it must not change the subject.
func On[S any](scope *Scope[S], find func(S) []rule.Problem) Check { return check[S]{scope, find} }

type check[S any] struct {
	scope *Scope[S]
	find  func(S) []rule.Problem
}

func (c check[S]) Looks() string { return c.scope.Name }

func (c check[S]) Several() bool { return c.scope.Several }

// LooksAt returns what the checks of the rule look at, without duplicates.
func (r *Rule) LooksAt() []string {
	var all []string
	for _, c := range r.Checks {
		if !slices.Contains(all, c.Looks()) {
			all = append(all, c.Looks())
		}
	}
	return all
}

// Several reports whether all checks of the rule look at several objects together. It returns false for a rule without
// checks.
func (r *Rule) Several() bool {
	return len(r.Checks) > 0 && !slices.ContainsFunc(r.Checks, func(c Check) bool { return !c.Several() })
}

// Described returns the rules without their checks, sorted by ID. [rule.Rule.Across] comes from the checks.
func Described(rules []Rule) rule.Set {
	all := make([]rule.Rule, len(rules))
	for i := range rules {
		all[i] = rules[i].Rule
		all[i].Across = rules[i].Several()
	}
	return rule.NewSet(all...)
}
