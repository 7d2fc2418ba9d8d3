// Package refusal says why a component must not register what it is given: the errors of
// package preflight about an object, and findings about its own arguments.
package refusal

import (
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/enforcement"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/pods"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// Of returns the errors about an object. Under package guard these are only those that
// guard cannot see: what contradicts the platform that the program says.
func Of(ctx *pulumi.Context, checker *preflight.Checker, o *pods.Object) []fielderrors.At {
	return errorsOf(found(ctx, checker, o))
}

func found(ctx *pulumi.Context, checker *preflight.Checker, o *pods.Object) []preflight.Finding {
	if enforcement.On(ctx) {
		return checker.Contradiction(o)
	}
	return checker.CheckObject(o)
}

// Late returns what [input.Watch] tells the values to that are known later: the error is what
// a value adds to the errors about the object, whose paths are below a root.
func Late(ctx *pulumi.Context, checker *preflight.Checker, o *pods.Object, subject string, root ...string) func(path []string, known any) error {
	before := found(ctx, checker, o)
	return func(path []string, known any) error {
		object := tree.Map(tree.With(o.Tree, slices.Concat(root, path), known))
		after := found(ctx, checker, pods.ReadObject(object))
		added := slices.DeleteFunc(after, func(f preflight.Finding) bool {
			return slices.ContainsFunc(before, func(other preflight.Finding) bool { return f.SameAs(other) && f.Severity == other.Severity })
		})
		return fielderrors.Join(subject, nil, errorsOf(added)...)
	}
}

func errorsOf(findings []preflight.Finding) []fielderrors.At {
	var refused []fielderrors.At
	for _, f := range findings {
		if f.Blocks() {
			refused = append(refused, fielderrors.At{Path: f.Path, Err: &preflight.FindingError{Finding: f}})
		}
	}
	return refused
}
