package guard

import (
	"context"
	"errors"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/manifests/helmchart"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// transform checks one resource that the engine shows, before it is registered.
func (g *guard) transform(ctx context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
	return g.show(ctx, args, args.Props, g.providerOf(ctx, args.Opts))
}

// show checks one resource, with its properties as the engine or the program shows them, and the name of its provider.
func (g *guard) show(
	ctx context.Context, args *pulumi.ResourceTransformArgs, inputs pulumi.Input, provider string,
) *pulumi.ResourceTransformResult {
	if helmchart.IsChart(args.Type) {
		g.chart(ctx, args, inputs, provider)
		return nil
	}
	if !pods.IsResource(args.Type, args.Custom) {
		if pods.IsPatch(args.Type, args.Custom) {
			g.notCheckedLater(g.locate(ctx, args), patchReason)
		}
		return nil
	}
	at := g.locate(ctx, args)
	if !g.first(at) {
		return nil
	}
	object, ok := input.Resolved(ctx, inputs).(map[string]any)
	if !ok {
		return nil
	}
	r := &resource{
		located: located{at: at}, name: args.Name, cluster: g.clusterOf(provider), object: pods.ReadObject(object),
	}
	r.object.Stated = pods.StatesPlatform(string(at.QualifiedType()))
	props, opts := g.place(r, args)
	findings := r.cluster.checker.CheckObject(r.object)

	g.mu.Lock()
	defer g.mu.Unlock()
	judged := g.judge(r, preflight.Join(findings, g.acrossOf(r)))
	g.see(r, provider)
	g.log(r, judged)
	if g.complete && !g.unwrapped {
		g.late(r)
	}
	switch stops := slices.ContainsFunc(judged, g.stops); {
	case stops && g.alone && g.complete:
		g.fail(r)
		return nil
	case g.alone:
		return nil // no engine uses the result
	case stops:
		return &pulumi.ResourceTransformResult{Props: g.stop(props), Opts: args.Opts}
	case r.outcome.Completes():
		return &pulumi.ResourceTransformResult{Props: props, Opts: opts}
	default:
		return nil
	}
}

// first reports whether an object has not been checked yet. It may have a transform of its own when the engine begins
// to show all resources.
func (g *guard) first(at urn.URN) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	known := g.looked[at]
	g.looked[at] = true
	return !known
}

// acrossOf returns the findings between a resource and the ones before it. A preview checks the program as a whole when
// it is complete; an update must find the mistakes of a resource before the resource is created.
func (g *guard) acrossOf(r *resource) []preflight.Finding {
	if g.ctx.DryRun() && !g.complete {
		return nil
	}
	context := r.cluster.context
	found := r.cluster.checker.AcrossObjects(append(slices.Clone(context), r.object))[len(context)]
	if g.complete {
		return found
	}
	return slices.DeleteFunc(found, preflight.MayBeResolved)
}

// stop keeps a resource from the cluster: in a preview, when the whole program has been seen; in an update, at once,
// and therefore also after the program has ended and can no longer fail.
func (g *guard) stop(props pulumi.Map) pulumi.Map {
	return refusal.Stop(g.ctx, props, errNotDeployed, g.ctx.DryRun() && !g.complete)
}

var errNotDeployed = errors.New(stopped + "not deployed, see its errors")
