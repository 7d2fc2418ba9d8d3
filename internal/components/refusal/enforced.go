package refusal

import (
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Guard is what checks the resources of a program.
type Guard interface {
	// Enforces reports whether the program's resources are checked already.
	Enforces() bool
	// Logged takes the findings about its arguments that a component has logged: the guard does not show them again for
	// a topology with the same problem.
	Logged(findings []rule.Finding)
	// Refuse takes the error of a component with wrong arguments, and stops the program at its end.
	Refuse(component pulumi.Resource, err error)
}

type contextKey struct{}

// WithGuard returns a context that carries a guard.
func WithGuard(ctx *pulumi.Context, g Guard) *pulumi.Context { return ctx.WithValue(contextKey{}, g) }

// Enforced reports whether the resources of the program are checked already: then a component leaves the rules about
// objects to package guard, because failing on its first error would hide the errors of the rest of the program.
func Enforced(ctx *pulumi.Context) bool {
	g, ok := ctx.Value(contextKey{}).(Guard)
	return ok && g.Enforces()
}

// Hold passes the error about the arguments of a component to the guard, so that a preview shows the errors of all
// components: then the error that it returns is nil, and the component continues with the returned options of its own
// registration. With them the preview knows no more about the Kubernetes resources below the component than their
// kind. In an update, and without a guard, Hold returns the error.
func Hold(ctx *pulumi.Context, component pulumi.Resource, err error) ([]pulumi.ResourceOption, error) {
	if err == nil || !ctx.DryRun() || !Enforced(ctx) {
		return nil, err
	}
	g, _ := ctx.Value(contextKey{}).(Guard)
	g.Refuse(component, err)
	return []pulumi.ResourceOption{pulumi.Transformations([]pulumi.ResourceTransformation{conceal})}, nil
}

// conceal makes the properties of a Kubernetes object unknown. Then no rule reports what follows from wrong arguments,
// and Pulumi's Kubernetes provider does not call the API server.
func conceal(args *pulumi.ResourceTransformationArgs) *pulumi.ResourceTransformationResult {
	if _, custom := args.Resource.(pulumi.CustomResource); !pods.IsResource(args.Type, custom) {
		return nil
	}
	props := pulumi.Map{}
	for name, value := range tree.Map(input.Tree(args.Props)) {
		if text, known := tree.Text(value); known && slices.Contains([]string{"apiVersion", "kind"}, name) {
			props[name] = pulumi.String(text)
		} else {
			props[name] = pulumi.UnsafeUnknownOutput(nil)
		}
	}
	props["metadata"] = pulumi.Map{"annotations": pulumi.UnsafeUnknownOutput(nil)}
	return &pulumi.ResourceTransformationResult{Props: props, Opts: args.Opts}
}
