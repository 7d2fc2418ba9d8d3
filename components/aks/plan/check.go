package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/components/topology"
)

var clusterOptionDecided = rule.Rule{
	ID: "MK771", Severity: rule.Error, Title: "an option of the cluster that has an argument of its own",
	Reason: "The component sets it from an argument, which the rules check.",
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
	check.Report(clusterOptionDecided, decidedProblems(c.Options, "options.", "", decidedForCluster)...)
	check.everything(t.KubernetesVersion)
	return check.result()
}

// checkOf is a check of a cluster and its pools.
func checkOf(c Cluster) *check {
	t := c.Topology.WithDefaults()
	check := &check{network: c.Network, options: c.Options, today: c.Today}
	check.mayExist = c.MayExist
	// Of a pool alone it is not known.
	if !c.MayExist {
		check.network.OutboundType = cmp.Or(c.Network.OutboundType, LoadBalancer)
	}
	for i, p := range t.Pools {
		given := c.PoolOptions[p.Name]
		// Two pools of one name, which topology refuses, share their options.
		if slices.ContainsFunc(t.Pools[:i], func(other topology.Pool) bool { return other.Name == p.Name }) {
			given.Options = nil
		}
		check.pools = append(check.pools, pool{
			Pool: p, at: fmt.Sprintf("pools[%d].", i), given: given, givenAt: "poolOptions[" + p.Name + "].",
		})
	}
	return check
}

// NodeGroup is what the name of the group of the nodes is made of.
func (c Cluster) NodeGroup() NodeGroup {
	g := NodeGroup{ResourceGroup: c.ResourceGroup, Cluster: c.Name, Location: c.Location}
	if given := option(c.Options, "nodeResourceGroup"); given != nil {
		g.Given = cmp.Or(open(given), Later)
	}
	return g
}

// CheckPool returns what is wrong with a pool, sorted by path, with paths as in the
// arguments of a pool: "pool.name", "options.osSKU".
func CheckPool(p Pool) []rule.Finding {
	check := &check{network: p.Network, today: p.Today, pools: []pool{{
		Pool: p.Pool.WithDefaults(p.KubernetesVersion), at: "pool.", given: p.Options,
	}}}
	check.knownVersion("kubernetesVersion", p.KubernetesVersion)
	check.everything(p.KubernetesVersion)
	return check.result()
}

// everything is what is asked of a cluster and of a pool alone.
func (c *check) everything(controlPlane string) {
	c.checkNetwork()
	c.subnets()
	for _, p := range c.pools {
		c.poolName(p)
		c.system(p)
		c.poolVersion(p, controlPlane)
		c.osSKU(p)
		c.outboundNAT(p)
		c.maxPods(p)
		c.counts(p)
		c.upgrade(p)
		c.labels(p)
		c.spotPrice(p)
		c.size(p)
		c.optionsOfWindowsPool(p)
		c.poolOptions(p)
	}
}

// check collects the findings of a cluster, or of a pool alone.
type check struct {
	rule.Findings
	network Network
	options map[string]any
	pools   []pool
	// isThere says that the options are what a cluster has in Azure.
	isThere bool
	// mayExist is that of [Cluster].
	mayExist bool
	// keeps says that what pools that keep their names leave out is looked up later.
	keeps bool
	// today is that of [Cluster].
	today time.Time
}

// pool is a pool, and where its arguments are. Both places end in a period, or are
// empty.
type pool struct {
	topology.Pool
	at      string
	given   PoolOptions
	givenAt string
}

// hasEntraID reports whether the API server accepts tokens of Microsoft Entra ID, or may do so.
func (c *check) hasEntraID() bool { return c.mayExist || option(c.options, "aadProfile") != nil }

// windowsPool is the path of the first Windows pool.
func (c *check) windowsPool() (string, bool) {
	i := slices.IndexFunc(c.pools, func(p pool) bool { return p.Platform.IsWindows() })
	if i < 0 {
		return "", false
	}
	return c.pools[i].at[:len(c.pools[i].at)-1], true
}

// result is the findings, sorted by path.
func (c *check) result() []rule.Finding {
	c.Sort()
	return c.Findings
}
