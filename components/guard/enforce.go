package guard

import (
	"errors"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/report"
)

// Enforce checks every Kubernetes resource that the program registers from now on;
// so it comes first. It is called once in a program, which runs under [Run] or
// [Program]. A program that deploys to several clusters names them in [Args.Clusters].
//
// Warnings show at their resources. Errors do as well, and the program fails when
// all of its resources have been seen. A resource silences a rule with the
// annotation [preflight.IgnoreAnnotation]; the arguments can ignore findings, know them from
// a file, or make all of them advisory.
//
// The error lists everything that is wrong with the arguments. Under the SDK's mocks a program
// that is not wrapped is checked as well: the first error that is found fails it, see [Error]. What
// the guard cannot look at there, only the report of a wrapped program names.
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
	baseline, locked, err := prepare(ctx, args)
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
	if g.alone {
		return g.stayAlone()
	}
	// In an update the engine has the last word about what is created. A resource that is
	// there already may have transforms or register others, and a transform that is there
	// already changes what the program shows.
	if !ctx.DryRun() || args.Place || len(g.registered) > 0 || calledBack(ctx) {
		return g.showAll()
	}
	return nil
}
