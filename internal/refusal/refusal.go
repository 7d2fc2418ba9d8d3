// Package refusal says why a component must not register what it is given: the errors of
// package preflight about an object, and findings about its own arguments.
package refusal

import (
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/enforcement"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/input"
)

// Of returns the errors of package preflight about an object with metadata and a spec,
// but for fields that something is known to be wrong with. It says nothing where package
// guard does, nor about what is not plain.
func Of(ctx *pulumi.Context, options preflight.Options, kind string, metadata, spec any, known field.ErrorList) []fielderrors.At {
	if enforcement.On(ctx) {
		return nil
	}
	object := map[string]any{"kind": kind, "metadata": input.Tree(metadata), "spec": input.Tree(spec)}
	var refused []fielderrors.At
	for _, f := range preflight.Check(object, options) {
		if f.Blocks() && !slices.ContainsFunc(known, func(err *field.Error) bool { return err.Field == f.Path }) {
			refused = append(refused, fielderrors.At{Path: f.Path, Err: &preflight.FindingError{Finding: f}})
		}
	}
	return refused
}
