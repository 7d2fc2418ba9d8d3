package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
)

var clusterOptionDecided = rule.Rule{
	ID: "MK771", Severity: rule.Error, Title: "an option of the cluster that has an argument of its own",
	Reason: "The component sets the option from an argument, which the rules check.",
	Source: clusterAPI,
}

// CheckCluster returns what is wrong with a cluster, sorted by path.
func CheckCluster(c Cluster) []rule.Finding {
	check, t := checkOf(c), c.Topology
	check.keeps = true
	check.clusterName(c.Name)
	check.nodeGroup(c.NodeGroup())
	check.systemPool(t.WithDefaults().Pools)
	check.clusterVersion(t.KubernetesVersion)
	check.namesInAzure()
	check.firstPoolOptions()
	check.poolNames(slices.Sorted(maps.Keys(c.PoolOptions)))
	check.withWindows()
	check.windowsAdmin(c.WindowsAdmin)
	check.apiServer(c.APIServer)
	check.login(c.Login, c.APIServer)
	check.clusterReferences(c)
	check.Report(clusterOptionDecided, decidedProblems(c.Options, "options.", "", decidedForCluster)...)
	check.everything(t.KubernetesVersion)
	return check.result()
}

// checkOf returns a check of a cluster and its pools.
func checkOf(c Cluster) *check {
	t := c.Topology.WithDefaults()
	check := &check{Check: support.Check{Today: c.Today}, network: c.Network, options: c.Options}
	check.mayExist = c.MayExist
	// CheckPool does not know the default, and leaves it empty.
	if !c.MayExist {
		check.network.OutboundType = cmp.Or(c.Network.OutboundType, LoadBalancer)
	}
	for i, p := range t.Pools {
		options := c.PoolOptions[p.Name]
		// Two pools with the same name, which topology refuses, share their options.
		if slices.ContainsFunc(t.Pools[:i], func(other topology.Pool) bool { return other.Name == p.Name }) {
			options.Options = nil
		}
		check.pools = append(check.pools, pool{
			Pool: p, at: fmt.Sprintf("pools[%d].", i), options: options, optionsAt: "poolOptions[" + p.Name + "].",
		})
	}
	return check
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
	check := checkOfPool(p)
	check.references(ReferencesOfPoolNetwork(), "", map[string]any{"network": p.Network.arguments()})
	return check.result()
}

// checkOfPool returns a check that has run, except for the subnets of the network, which may be those in Azure.
func checkOfPool(p Pool) *check {
	check := &check{Check: support.Check{Today: p.Today}, network: p.Network, pools: []pool{{
		Pool: p.Pool.Pool, at: "pool.", options: p.Options,
	}}}
	check.Version("kubernetesVersion", p.KubernetesVersion)
	check.everything(p.KubernetesVersion)
	return check
}

// everything runs the checks that apply to a cluster and to a pool without its cluster.
func (c *check) everything(controlPlane string) {
	c.checkNetwork()
	c.subnets()
	c.poolReferences()
	for _, p := range c.pools {
		c.poolName(p)
		c.system(p)
		c.PoolVersion(p.at+"kubernetesVersion", p.KubernetesVersion, controlPlane)
		c.osSKU(p)
		c.outboundNAT(p)
		c.maxPods(p)
		c.counts(p)
		c.upgrade(p)
		c.labels(p)
		c.spotPrice(p)
		c.size(p)
		c.ephemeralDisk(p)
		c.zones(p)
		c.optionsOfWindowsPool(p)
		c.poolOptions(p)
	}
}

// check collects the findings about a cluster, or about a pool without its cluster.
type check struct {
	support.Check
	network Network
	options map[string]any
	pools   []pool
	// exists means that the options are the properties of an existing cluster in Azure.
	exists bool
	// mayExist is MayExist of [Cluster].
	mayExist bool
	// keeps means that the fields which are not set in pools with retained names are looked up later.
	keeps bool
}

// pool is a pool with the paths of its arguments. Both paths end in a period, or are empty.
type pool struct {
	topology.Pool
	at        string
	options   PoolOptions
	optionsAt string
}

// hasEntraID reports whether the API server accepts tokens of Microsoft Entra ID, or may do so.
func (c *check) hasEntraID() bool { return c.mayExist || option(c.options, "aadProfile") != nil }

// windowsPool returns the path of the first Windows pool, or false if there is none.
func (c *check) windowsPool() (string, bool) {
	i := slices.IndexFunc(c.pools, func(p pool) bool { return p.Platform.IsWindows() })
	if i < 0 {
		return "", false
	}
	return c.pools[i].at[:len(c.pools[i].at)-1], true
}

// result returns the findings, sorted by path.
func (c *check) result() []rule.Finding {
	c.Sort()
	return c.Findings
}
