package guard

import (
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// place completes pods if the arguments enable it.
func (g *guard) place(r *resource, args *pulumi.ResourceTransformArgs) (pulumi.Map, pulumi.ResourceOptions) {
	if !g.args.Place || !r.cluster.pools {
		return args.Props, args.Opts
	}
	of := report.ObjectOf(r.object.Tree)
	of.Resource = string(r.at)
	if !g.toPlace.Selects(of) {
		return args.Props, args.Opts
	}
	context := r.cluster.checker.Context()
	d := mutate.Decide(r.object, context, mutate.Policy{AssumeLinux: g.args.AssumeLinux, MovePins: g.args.MovePins})
	r.outcome = d.Outcome
	if len(d.Edits) == 0 {
		return args.Props, args.Opts
	}
	opts := args.Opts
	if !g.args.MovePins {
		opts.IgnoreChanges = slices.Concat(opts.IgnoreChanges, mutate.IgnoreChanges(r.object.Tree, d.Edits))
	}
	stated := r.object.Stated
	r.object = pods.ReadObject(mutate.Apply(r.object.Tree, d.Edits))
	r.object.Stated = stated
	return input.EditProperties(args.Props, d.Edits), opts
}
