// Package refusal returns the errors with which a component refuses its arguments: the errors of package preflight
// about an object, and findings about the arguments.
package refusal

import (
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// Of returns the errors about an object. Under package guard, these are only the errors that the guard cannot see:
// contradictions to the platform that the program sets.
func Of(ctx *pulumi.Context, checker *preflight.Checker, o *pods.Object) []fielderrors.At {
	findings := checker.CheckObject
	if Enforced(ctx) {
		findings = checker.Contradiction
	}
	refused, _ := split(findings(o))
	return refused
}

// OfValue returns the errors about the value at a path of an object, also under package guard.
func OfValue(checker *preflight.Checker, o *pods.Object, path string) []fielderrors.At {
	refused, _ := split(checker.CheckObject(o))
	return slices.DeleteFunc(refused, func(at fielderrors.At) bool { return at.Path != path })
}

// split returns the findings that stop the program, as errors, and the others.
func split(findings []rule.Finding) (refused []fielderrors.At, rest []rule.Finding) {
	for _, f := range findings {
		if f.Blocks() {
			refused = append(refused, fielderrors.At{Path: f.Path, Err: &rule.FindingError{Finding: f}})
		} else {
			rest = append(rest, f)
		}
	}
	return refused, rest
}
