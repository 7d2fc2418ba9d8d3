package plan

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var clusterOptionDecided = engine.Rule{
	Rule: rule.Rule{
		ID: "MK771", Severity: rule.Error, Title: "an option of the cluster that has an argument of its own",
		Page:   rulepages.AKS,
		Reason: "The component sets the option from an argument, which the rules check.",
		Source: clusterAPI,
	},
	Checks: []engine.Check{engine.On(programs, func(p program) []rule.Problem {
		return decidedProblems(p.Options, "options.", "", decidedForCluster)
	})},
}

// CheckCluster returns what is wrong with a cluster, sorted by path.
func CheckCluster(c Cluster) []rule.Finding {
	of := clusterOf(c)
	of.keeps = true
	found := slices.Concat(
		checkedNames.Find(clusterName(c.Name), 0),
		checkedNodeGroups.Find(c.NodeGroup(), 0),
		checkedPrograms.Find(program{c, of}, 0),
		checkedWindows.Find(withWindows{of}, 0),
		checkedAdmins.Find(c.WindowsAdmin, 0),
		checkedPasswords.Find(adminPassword{c.WindowsAdmin.Password}, 0),
		checkedRanges.Find(authorizedRanges(c.APIServer.AuthorizedIPRanges), 0),
		checkedLogins.Find(signIn{c.Login, c.APIServer, of}, 0),
		checkReferences(referencesIn(c)),
		checkEverything(of, c.Topology.KubernetesVersion),
	)
	// Whether an older version is an error depends on whether the cluster exists: see [CheckCreation].
	if version := c.Topology.KubernetesVersion; !support.IsOlder(version) {
		found = append(found, checkedVersions.Find(support.Version{Path: "kubernetesVersion", Text: version}, 0)...)
	}
	return sorted(found)
}

// sorted returns the findings, sorted by path.
func sorted(found rule.Findings) []rule.Finding {
	found.Sort()
	return found
}

// clusterOf returns a cluster and its pools with their defaults.
func clusterOf(c Cluster) *cluster {
	t := c.Topology.WithDefaults()
	of := &cluster{today: c.Today, network: c.Network, options: c.Options, mayExist: c.MayExist}
	// CheckPool does not know the default, and leaves it empty.
	if !c.MayExist {
		of.network.OutboundType = cmp.Or(c.Network.OutboundType, LoadBalancer)
	}
	for i, p := range t.Pools {
		options := c.PoolOptions[p.Name]
		// Two pools with the same name, which topology refuses, share their options.
		if slices.ContainsFunc(t.Pools[:i], func(other topology.Pool) bool { return other.Name == p.Name }) {
			options.Options = nil
		}
		of.pools = append(of.pools, pool{
			Pool: p, at: fmt.Sprintf("pools[%d].", i), options: options, optionsAt: "poolOptions[" + p.Name + "].",
			of: of,
		})
	}
	return of
}

// NodeGroup returns the parts of the name of the node resource group.
func (c Cluster) NodeGroup() NodeGroup {
	g := NodeGroup{ResourceGroup: c.ResourceGroup, Cluster: c.Name, Location: c.Location}
	if name := option(c.Options, "nodeResourceGroup"); name != nil {
		g.Configured = cmp.Or(open(name), Later)
	}
	return g
}

// CheckPool returns what is wrong with a pool, sorted by path. The paths are those of the arguments of a pool, such as
// "pool.name" and "options.osSKU".
func CheckPool(p Pool) []rule.Finding {
	return sorted(append(checkPool(p), checkReferences(p.Network.references())...))
}

// checkPool leaves out the subnets of the network, which may be those in Azure.
func checkPool(p Pool) rule.Findings {
	of := &cluster{today: p.Today, network: p.Network}
	of.pools = []pool{{Pool: p.Pool.Pool, at: "pool.", options: p.Options, of: of}}
	return append(
		checkedVersions.Find(support.Version{Path: "kubernetesVersion", Text: p.KubernetesVersion}, 0),
		checkEverything(of, p.KubernetesVersion)...)
}

// checkEverything asks the rules that are about a cluster and about a pool without its cluster.
func checkEverything(c *cluster, controlPlane string) rule.Findings {
	found := slices.Concat(
		checkedNetworks.Find(network{c}, 0), checkedSubnets.Find(subnets{c}, 0), checkReferences(c.poolReferences()),
	)
	for _, p := range c.pools {
		found = append(found, checkedPools.Find(p, 0)...)
		for _, version := range support.PoolVersion(p.at+"kubernetesVersion", p.KubernetesVersion, controlPlane) {
			found = append(found, checkedVersions.Find(version, 0)...)
		}
		found = append(found, checkSKU(p)...)
		// CheckTakeover reports a missing size after the pool is looked up.
		if p.Size != "" || !c.keeps || p.options.NameInAzure == "" {
			found = append(found, checkedSizes.Find(sized{p}, 0)...)
		}
	}
	return found
}
