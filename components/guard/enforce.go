package guard

import (
	"errors"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/report"
)

// Enforce checks every Kubernetes resource that the program registers after it; so call it first. Call it once in a
// program, which runs under [Run] or [Program]. A program that deploys to several clusters names them in
// [Args.Clusters].
//
// Warnings and errors show at their resources. After an error the program fails when the guard has seen all resources.
// A resource ignores a rule with the annotation [preflight.IgnoreAnnotation]; the arguments can ignore findings, list
// known ones in a file, or make all of them advisory.
//
// The error lists all mistakes in the arguments. Under the SDK's mocks Enforce also checks a program that is not
// wrapped: the first error makes it fail, see [Error]. Only the report of a wrapped program names the resources that
// the guard cannot check there.
func Enforce(ctx *pulumi.Context, args Args) error {
	var g *guard
	if running(ctx) {
		g, _ = ctx.Value(contextKey{}).(*guard)
	}
	unwrapped := g == nil && running(ctx) && ctx.RunningWithMocks()
	switch {
	case g != nil && g.clusters != nil, unwrapped && isFollowed(ctx):
		return errors.New("guard.Enforce is called twice: one call covers all resources of the program")
	case unwrapped:
		g = &guard{unwrapped: true, complete: true, report: Report{Problems: []error{errUnwrapped}}}
	case g == nil:
		return errors.New(
			"guard.Enforce: the program must be run by guard.Run in place of pulumi.Run, " +
				"or be wrapped in guard.Program",
		)
	}
	baseline, locked, err := prepare(ctx, &args)
	if err != nil {
		return err
	}
	if g.unwrapped {
		if err := g.start(ctx); err != nil {
			return err
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ctx, g.args, g.baseline, g.images = ctx, args, baseline, locked
	g.policy = report.NewPolicy(rules, args.Ignore, baseline.known)
	g.toPlace = report.NewSelector(args.PlaceOnly)
	if baseline.writing {
		g.policy.Learn(args.Baseline)
	}
	g.clusters, g.judged = newClusters(args, locked.lock), map[string]bool{}
	g.looked = map[urn.URN]bool{}
	g.early = slices.Clone(g.registered)
	if err := g.refuseClusters(); err != nil {
		return err
	}
	if g.alone {
		return g.stayAlone()
	}
	// In an update the engine has the last word about what is created. An earlier resource may have transforms or
	// register others, and an earlier transform changes what the program shows.
	if !ctx.DryRun() || args.Place || len(g.registered) > 0 || calledBack(ctx) {
		return g.showAll()
	}
	return nil
}
