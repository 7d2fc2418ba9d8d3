package guard

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// cluster is one of the clusters to which the program deploys.
type cluster struct {
	provider string // the name of the provider; "" for the resources of all others
	checker  *preflight.Checker
	pools    bool           // the pools are known
	context  []*pods.Object // the objects that rules about others look at
	others   map[string]int // resources of providers that are not listed, by their name
	used     bool
}

// providerType is the type of the providers of Kubernetes.
const providerType = "pulumi:providers:kubernetes"

// newClusters returns the clusters of the arguments, starting with the one for resources of all other providers.
func newClusters(args Args, lock *images.Lock) []*cluster {
	all := []*cluster{{
		checker: preflight.New(known(args.options(), lock)),
		pools:   len(args.Topology.Pools) > 0, others: map[string]int{},
	}}
	for _, c := range args.Clusters {
		all = append(all, &cluster{
			provider: c.Provider, checker: preflight.New(known(args.optionsOf(c), lock)),
			pools: len(c.Topology.Pools) > 0,
		})
	}
	return all
}

// clusterOf returns the cluster of a provider, whose name is "" if it is the default one.
func (g *guard) clusterOf(provider string) *cluster {
	i := slices.IndexFunc(g.clusters, func(c *cluster) bool { return c.provider == provider })
	return g.clusters[max(0, i)]
}

// providerOf returns the name of the provider of a resource that the engine shows: the engine refers to the provider by
// its URN, which is known.
func (g *guard) providerOf(ctx context.Context, opts pulumi.ResourceOptions) string {
	if len(g.args.Clusters) == 0 || opts.Provider == nil {
		return ""
	}
	result, err := internals.UnsafeAwaitOutput(ctx, opts.Provider.URN())
	at, ok := result.Value.(pulumi.URN)
	if err != nil || !ok {
		return ""
	}
	return urn.URN(at).Name()
}

// providerInside returns the name of the provider of a resource that the program registers, as the SDK chooses it: its
// own, or its parent's. It returns false if the name is not known.
func (g *guard) providerInside(opts *pulumi.ResourceOptions, above followed) (string, bool) {
	if len(g.args.Clusters) == 0 {
		return "", true
	}
	for _, p := range append([]pulumi.ProviderResource{opts.Provider}, opts.Providers...) {
		switch {
		case p == nil:
		case p.PulumiResourceType() == "":
			return "", false // it is a reference, or not from an SDK
		case p.PulumiResourceType() == providerType:
			return p.PulumiResourceName(), true
		}
	}
	return above.provider, true
}

// unlisted lists the providers whose clusters are not known. It returns "" if there are none.
func (g *guard) unlisted() string {
	of := g.clusters[0]
	if len(g.args.Clusters) == 0 || g.args.Topology.IsSet() || len(of.others) == 0 {
		return ""
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(of.others)) {
		whose := fmt.Sprintf("the provider %q", name)
		if name == "" {
			whose = "the default provider"
		}
		lines = append(lines, fmt.Sprintf("%s of %s", fielderrors.Count(of.others[name], "object"), whose))
	}
	return "no topology is given for the cluster of some providers, so only the rules that hold on every cluster " +
		"are checked:\n  " + strings.Join(lines, "\n  ")
}

// misnamed returns the listed providers that no object has.
func (g *guard) misnamed() []string {
	names := slices.Sorted(maps.Keys(g.clusters[0].others))
	var texts []string
	for i, c := range g.clusters[1:] {
		if c.used {
			continue
		}
		text := fmt.Sprintf("clusters[%d].provider: no object has the provider %q", i, c.provider)
		if near, ok := fielderrors.Nearest(c.provider, names); ok {
			text += fmt.Sprintf(": did you mean %q?", near)
		}
		texts = append(texts, text)
	}
	return texts
}
