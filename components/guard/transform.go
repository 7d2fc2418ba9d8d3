package guard

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/completion"
	"github.com/mixedkube/mixedkube/internal/input"
)

// transform sees one resource before it is registered.
func (g *guard) transform(args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
	if !isObject(args) {
		return nil
	}
	object, ok := input.Resolved(g.ctx.Context(), args.Props).(map[string]any)
	if !ok {
		return nil
	}
	r := &resource{located: located{at: g.locate(args)}, name: args.Name, object: object}
	props := g.place(r, args.Props)
	findings := g.checker.Check(r.object)

	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen = append(g.seen, r)
	g.log(r, findings)
	before := g.errors
	if g.complete {
		g.late(r)
	}
	switch {
	case slices.ContainsFunc(findings, preflight.Finding.Blocks) || g.errors > before:
		return &pulumi.ResourceTransformResult{Props: g.stop(props), Opts: args.Opts}
	case r.outcome.Completes():
		return &pulumi.ResourceTransformResult{Props: props, Opts: args.Opts}
	default:
		return nil
	}
}

// place completes pods that name no operating system, if the program wants it.
func (g *guard) place(r *resource, props pulumi.Map) pulumi.Map {
	if !g.args.Place {
		return props
	}
	c := completion.Complete(r.object, g.topology, g.args.AssumeLinux)
	r.outcome = c.Outcome
	for _, e := range c.Edits {
		r.object = editPlain(r.object, e.Path, e.Value).(map[string]any)
	}
	return apply(c.Edits, props)
}

// late does for one resource what finish does for all.
func (g *guard) late(r *resource) {
	g.across()
	if g.ctx.DryRun() {
		g.logLandings([]*resource{r})
	}
}

// isObject says whether a resource is an object of Kubernetes. A patch, such as
// DeploymentPatch, is only a part of one, and is not looked at.
func isObject(args *pulumi.ResourceTransformArgs) bool {
	return args.Custom && strings.HasPrefix(args.Type, "kubernetes:") && !strings.HasSuffix(args.Type, "Patch")
}

// stop keeps a resource from the cluster. In an update it fails, and so it does when
// the program has ended and can fail no more. In a preview it goes on, so that the resources that depend on it are seen as well, but with
// annotations that are not known: then Pulumi's Kubernetes provider does not ask
// the API server, which would end the preview with the first resource that it
// refuses.
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
