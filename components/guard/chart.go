package guard

import (
	"context"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/core/manifests/helmchart"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// rules are all rules that the guard checks.
var rules = rule.NewSet(slices.Concat(preflight.Rules(), preflight.ClusterRules(), helmchart.Rules())...)

// chart reports the parts of a Helm chart that Pulumi does not see.
func (g *guard) chart(
	ctx context.Context, args *pulumi.ResourceTransformArgs, inputs pulumi.Input, provider string,
) {
	at := g.locate(ctx, args)
	// Its chart has no hooks.
	if strings.HasPrefix(string(at.QualifiedType()), "mixedkube:gmsa:Webhook$") || !g.first(at) {
		return
	}
	properties, _ := input.Resolved(ctx, inputs).(map[string]any)
	r := &resource{
		located: located{at: at}, name: args.Name, cluster: g.clusterOf(provider),
		// An Ignore selects by namespace.
		object: pods.ReadObject(map[string]any{"metadata": map[string]any{"namespace": properties["namespace"]}}),
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if args.Type == helmchart.ReleaseType {
		g.notChecked(at, "the objects that a Release deploys are not checked")
	}
	g.log(r, g.judge(r, helmchart.Check(args.Type, args.Name, properties, userfiles.Chart)))
}
