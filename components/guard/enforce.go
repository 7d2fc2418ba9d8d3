package guard

import (
	"context"
	"errors"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/preflight"
)

// Enforce checks every Kubernetes resource that the program registers from now on;
// so it comes first. It is called once in a program, which runs under [Run] or
// [Program]. All clusters of a program must fit its topology.
//
// Warnings show at their resources. Errors do as well, and the program fails when
// all of its resources have been seen. A resource silences a rule with the
// annotation [preflight.IgnoreAnnotation].
//
// The error lists everything that is wrong with the arguments.
func Enforce(ctx *pulumi.Context, args Args) error {
	g, ok := ctx.Value(contextKey{}).(*guard)
	if !ok {
		return errors.New("guard.Enforce: the program must be run by guard.Run in place of pulumi.Run, or be wrapped in guard.Program")
	}
	if g.checker != nil {
		return errors.New("guard.Enforce is called twice: one call covers all resources of the program")
	}
	if err := args.validate(); err != nil {
		return err
	}
	g.ctx, g.args = ctx, args
	g.checker, g.logged = preflight.New(args.options()), map[string]bool{}
	if err := ctx.RegisterStackTransformation(g.follow); err != nil {
		return err
	}
	return ctx.RegisterResourceTransform(func(ctx context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
		return g.transform(ctx, args)
	})
}
