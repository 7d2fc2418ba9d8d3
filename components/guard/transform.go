package guard

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/preflight"
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
	findings := g.checker.Check(object)

	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen = append(g.seen, r)
	g.log(r, findings)
	if slices.ContainsFunc(findings, preflight.Finding.Blocks) {
		return &pulumi.ResourceTransformResult{Props: g.stop(args.Props), Opts: args.Opts}
	}
	return nil
}

// isObject says whether a resource is an object of Kubernetes. A patch, such as
// DeploymentPatch, is only a part of one, and is not looked at.
func isObject(args *pulumi.ResourceTransformArgs) bool {
	return args.Custom && strings.HasPrefix(args.Type, "kubernetes:") && !strings.HasSuffix(args.Type, "Patch")
}

// stop keeps a resource from the cluster. In an update it fails. In a preview it
// goes on, so that the resources that depend on it are seen as well, but with
// annotations that are not known: then Pulumi's Kubernetes provider does not ask
// the API server, which would end the preview with the first resource that it
// refuses.
func (g *guard) stop(props pulumi.Map) pulumi.Map {
	props = maps.Clone(props)
	if !g.ctx.DryRun() {
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
