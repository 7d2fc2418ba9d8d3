package guard

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/completion"
	"github.com/mixedkube/mixedkube/internal/completion/inputs"
	"github.com/mixedkube/mixedkube/internal/input"
)

// transform sees one resource before it is registered.
func (g *guard) transform(ctx context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
	if !isObject(args) {
		return nil
	}
	if args.Type == releaseType {
		_ = g.ctx.Log.Info("what a Release deploys is not seen: use helm.v4.Chart to have it checked", &pulumi.LogArgs{Resource: &located{at: g.locate(ctx, args)}})
		return nil
	}
	object, ok := input.Resolved(ctx, args.Props).(map[string]any)
	if !ok {
		return nil
	}
	r := &resource{located: located{at: g.locate(ctx, args)}, name: args.Name, object: object}
	props := g.place(r, args.Props)
	findings := g.checker.Check(r.object)

	g.mu.Lock()
	defer g.mu.Unlock()
	findings = preflight.Join(findings, g.acrossOf(r))
	g.see(r)
	g.log(r, findings)
	if g.complete && g.ctx.DryRun() {
		g.logLandings([]*resource{r})
	}
	switch {
	case slices.ContainsFunc(findings, preflight.Finding.Blocks):
		return &pulumi.ResourceTransformResult{Props: g.stop(props), Opts: args.Opts}
	case r.outcome.Completes():
		return &pulumi.ResourceTransformResult{Props: props, Opts: args.Opts}
	default:
		return nil
	}
}

// acrossOf is what is wrong between a resource and the ones before it. In a preview
// the program is looked at as a whole when it is complete; in an update, what is
// wrong with a resource must be known before it is created.
func (g *guard) acrossOf(r *resource) []preflight.Finding {
	if g.ctx.DryRun() && !g.complete {
		return nil
	}
	found := g.checker.Across(append(slices.Clone(g.context), r.object))[len(g.context)]
	if g.complete {
		return found
	}
	// A warning may be about what is still to come.
	return slices.DeleteFunc(found, func(f preflight.Finding) bool { return !f.Blocks() })
}

// place completes pods that name no operating system, if the program wants it.
func (g *guard) place(r *resource, props pulumi.Map) pulumi.Map {
	if !g.args.Place {
		return props
	}
	c := completion.Complete(r.object, g.topology, g.args.AssumeLinux)
	r.outcome, r.object = c.Outcome, completion.Apply(r.object, c.Edits)
	return inputs.Apply(c.Edits, props)
}

// releaseType is a Helm release, whose objects Pulumi never sees.
const releaseType = "kubernetes:helm.sh/v3:Release"

// isObject says whether a resource is an object of Kubernetes. A patch, such as
// DeploymentPatch, is only a part of one, and is not looked at.
func isObject(args *pulumi.ResourceTransformArgs) bool {
	return args.Custom && strings.HasPrefix(args.Type, "kubernetes:") && !strings.HasSuffix(args.Type, "Patch")
}

// stop keeps a resource from the cluster. In an update it fails, and so it does when
// the program has ended and can fail no more. In a preview it goes on, so that the
// resources that depend on it are seen as well, but with annotations that are not
// known: then Pulumi's Kubernetes provider does not ask the API server, which would
// end the preview with the first resource that it refuses.
func (g *guard) stop(props pulumi.Map) pulumi.Map {
	props = maps.Clone(props)
	if !g.ctx.DryRun() || g.complete {
		output, _, reject := g.ctx.NewOutput()
		reject(errNotDeployed)
		props["metadata"] = output
		return props
	}
	metadata := pulumi.Map{}
	if given, ok := props["metadata"].(pulumi.Map); ok {
		metadata = maps.Clone(given)
	}
	metadata["annotations"] = pulumi.UnsafeUnknownOutput(nil)
	props["metadata"] = metadata
	return props
}

var errNotDeployed = errors.New(stopped + "not deployed, see its errors")
