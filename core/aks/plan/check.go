package plan

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// CheckCluster returns what is wrong with a cluster, sorted by path.
func CheckCluster(c Cluster) []rule.Finding {
	of := clusterOf(c)
	of.keeps = true
	found := slices.Concat(
		find(clusterName(c.Name)),
		find(c.NodeGroup()),
		find(program{c, of}),
		find(withWindows{of}),
		find(c.WindowsAdmin),
		find(adminPassword{c.WindowsAdmin.Password}),
		find(authorizedRanges(c.APIServer.AuthorizedIPRanges)),
		find(signIn{c.Login, c.APIServer, of}),
		checkReferences(referencesIn(c)),
		checkEverything(of, c.Topology.KubernetesVersion),
	)
	// Whether a version without support is an error depends on whether the cluster exists: see [CheckCreation].
	if version := c.version(); !version.IsWithoutSupport() {
		found = append(found, find(version)...)
	}
	return engine.Sorted(found)
}

// clusterOf returns a cluster and its pools.
func clusterOf(c Cluster) *cluster {
	t := c.Topology
	of := &cluster{today: c.Today, network: c.Network, options: c.Options, tags: c.Tags, mayExist: c.MayExist}
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
	return engine.Sorted(append(checkPool(p), checkReferences(p.Network.references())...))
}

// checkPool leaves out the subnets of the network, which may be those in Azure.
func checkPool(p Pool) rule.Findings {
	of := &cluster{today: p.Today, network: p.Network, tags: p.Tags}
	of.pools = []pool{{Pool: p.Pool.Pool, at: "pool.", options: p.Options, of: of}}
	return append(
		find(support.Version{Path: "kubernetesVersion", Text: p.KubernetesVersion}),
		checkEverything(of, p.KubernetesVersion)...)
}

// checkEverything asks the rules that are about a cluster and about a pool without its cluster.
func checkEverything(c *cluster, controlPlane string) rule.Findings {
	found := slices.Concat(
		find(network{c}), find(subnets{c}), checkReferences(c.poolReferences()),
	)
	for _, p := range c.pools {
		found = append(found, find(p)...)
		for _, version := range support.PoolVersion(p.at+"kubernetesVersion", p.KubernetesVersion, controlPlane) {
			found = append(found, find(version)...)
		}
		found = append(found, checkSKU(p)...)
		// CheckTakeover reports a missing size after the pool is looked up.
		if p.Size != "" || !c.keeps || p.options.NameInAzure == "" {
			found = append(found, find(sized{p})...)
		}
	}
	return found
}

// CheckPassword checks an administrator's password that becomes known only after the cluster was checked.
func CheckPassword(password string) []rule.Finding {
	return engine.Sorted(find(adminPassword{password}))
}

// Moved returns the topology of a cluster with the versions to request, and findings about them: if an auto-upgrade
// channel moves versions, the cluster and its pools keep a version in Azure that is newer than the program's. Moved
// takes and returns pools as the program has written them, without defaults.
func Moved(t topology.Topology, c Cluster, a InAzure) (topology.Topology, []rule.Finding) {
	var found rule.Findings
	moves := channel(c.Options, a)
	if moves == "" {
		return t, nil
	}
	configured := t.KubernetesVersion
	t.Pools = slices.Clone(t.Pools)
	for i, p := range t.Pools {
		have, exists := a.Versions[c.PoolOptions[p.Name].Name(p)]
		if !exists {
			continue
		}
		own := p.KubernetesVersion
		desired := newer(cmp.Or(own, configured), have)
		if own != "" && desired != own {
			at := fmt.Sprintf("pools[%d].kubernetesVersion", i)
			found = append(found, find(moved{at, own, have, moves})...)
		}
		t.Pools[i].KubernetesVersion = desired
	}
	if t.KubernetesVersion = newer(configured, a.KubernetesVersion()); t.KubernetesVersion != configured {
		found = append(found,
			find(moved{"kubernetesVersion", configured, a.KubernetesVersion(), moves})...)
	}
	return t, engine.Sorted(found)
}

// MovedPool is [Moved] for a pool of a cluster that the program does not have. A pool without a version does not get
// one.
func (a InAzure) MovedPool(p topology.Pool, o PoolOptions) (topology.Pool, []rule.Finding) {
	have, exists := a.Versions[o.Name(p)]
	own, moves := p.KubernetesVersion, channel(nil, a)
	if own == "" || !exists || moves == "" {
		return p, nil
	}
	if p.KubernetesVersion = newer(own, have); p.KubernetesVersion == own {
		return p, nil
	}
	return p, find(moved{"pool.kubernetesVersion", own, have, moves})
}

// CheckClusterName returns what is wrong with the name of a cluster.
func CheckClusterName(name string) []rule.Finding {
	return engine.Sorted(find(clusterName(name)))
}

// CheckNodeGroup returns what is wrong with the known parts of the name.
func CheckNodeGroup(g NodeGroup) []rule.Finding { return engine.Sorted(find(g)) }

// CheckCreation returns what is wrong with a cluster that does not exist yet, in addition to the findings of
// [CheckCluster]: AKS would not create it, but it may have an existing cluster like it.
func CheckCreation(c Cluster) []rule.Finding {
	return engine.Sorted(find(creation{c, clusterOf(c)}))
}

// CheckOlderVersion returns a warning if the version of an existing cluster has no support, or is older than the
// versions that this library knows. For a new cluster, [CheckCreation] has an error instead.
func CheckOlderVersion(c Cluster) []rule.Finding {
	version := c.version()
	if !version.IsWithoutSupport() {
		return nil // CheckCluster has checked it
	}
	return find(version)
}

// CheckInAzure returns the differences between the desired cluster and the cluster in Azure that Pulumi cannot change,
// each with the command that changes it.
func CheckInAzure(c Cluster, first FirstPool, a InAzure, at Place) []rule.Finding {
	return engine.Sorted(find(desired{c, first, a, at}))
}

// CheckPasswordInAzure returns a finding that the administrator's password is not the one that the cluster was created
// with.
func CheckPasswordInAzure(admin WindowsAdmin, at Place) []rule.Finding {
	return find(changedPassword{admin, at})
}

// CheckExisting returns findings about an existing cluster, and about what is wrong with a login, sorted by path. The
// severity of a finding about the cluster in Azure is at most a warning, because the cluster already works. Today is
// the day of the check. If it is zero, checks that depend on it are skipped.
func CheckExisting(a InAzure, l Login, today time.Time) []rule.Finding {
	of := &cluster{today: today, network: a.Network(), options: a.Properties, ofOthers: true}
	var found rule.Findings
	for _, profile := range a.profiles() {
		at := ofAzure + "agentPoolProfiles[" + open(profile["name"]) + "]."
		if p, known := poolInAzure(profile); known {
			of.pools = append(of.pools, pool{Pool: p, at: at, optionsAt: at, of: of})
		} else {
			found = append(found, find(unknownPool{at, profile})...)
		}
	}
	version := support.Version{
		Path: ofAzure + "currentKubernetesVersion", Text: a.KubernetesVersion(), Today: today,
		LongTerm: open(a.Properties[supportPlan]) == longTermSupport,
	}
	found = slices.Concat(found,
		find(version),
		find(network{of}),
		find(withWindows{of}),
		find(existing{a, of}),
	)
	for _, p := range of.pools {
		found = append(found, checkSKU(p)...)
	}
	renamePaths(found, networkInAzure, optionsInCluster)
	for i := range found {
		if found[i].Severity == rule.Error {
			found[i].Severity = rule.Warning
		}
	}
	return engine.Sorted(append(found, find(existingSignIn{signIn{l, a.apiServer(), of}})...))
}

// CheckJoining returns what is wrong with a pool that joins an existing cluster, sorted by path: with the pool itself,
// and with the cluster for that pool. The owner is the value of [OwnerTag] of the program's pools. The others are the
// names of the other pools of the topology.
func CheckJoining(p Pool, a InAzure, at Place, owner string, others []string) []rule.Finding {
	found := checkPool(p)
	renamePaths(found, networkInAzure)
	of := &cluster{options: a.Properties, ofOthers: true}
	of.pools = []pool{{Pool: p.Pool.Pool, at: "pool.", options: p.Options, of: of}}
	if p.Pool.Platform.IsWindows() {
		ofCluster := append(find(network{of}), find(withWindows{of})...)
		renamePaths(ofCluster, optionsInCluster)
		found = slices.Concat(found, ofCluster, find(existing{a, of}))
	}
	return engine.Sorted(slices.Concat(found,
		find(retained{pool: of.pools[0], inAzure: a, place: at, owner: owner}),
		find(joining{p, a, owner, others}),
	))
}

// CheckAuthorizedIPRanges checks ranges that become known only after the cluster was checked.
func CheckAuthorizedIPRanges(ranges []string) []rule.Finding { return find(authorizedRanges(ranges)) }

// CheckReach returns a finding if everyone can connect to the API server. It is for a cluster that was looked up: one
// that the program takes over stays private without an argument.
func CheckReach(c Cluster, a InAzure) []rule.Finding { return find(reach{c, a}) }

// Check returns what is wrong with a value of the reference at a path, which is the path of the reference or below it.
// It takes the value as a plain tree with the marks of package value: an unknown value has no findings, and a secret is
// not shown.
func (r Reference) Check(path string, value any) []rule.Finding {
	return find(named{r, path, value})
}

func checkReferences(all []named) rule.Findings {
	var found rule.Findings
	for _, r := range all {
		found = append(found, find(r)...)
	}
	return found
}

// checkSKU asks the rules about the osSKU of a pool, and about what AKS supports of its nodes.
func checkSKU(p pool) rule.Findings {
	of := sku{pool: p, path: p.optionsAt + "options.osSKU", configured: open(option(p.options.Options, "osSKU"))}
	of.of, of.known = facts.SKUNamed(of.configured)
	nodes := support.Nodes{
		SKU: support.SKUOf(p.Platform), Path: p.at + "platform", Value: p.Platform.String(),
		Version: p.KubernetesVersion, Today: p.of.today,
	}
	if of.replaces() || p.Platform == platform.Linux && of.known && !of.of.Windows {
		nodes.SKU, nodes.Path, nodes.Value, nodes.NameOnly = of.of, of.path, of.configured, of.replaces()
	}
	// A pool with a retained name keeps the osSKU that it has in Azure.
	if p.Platform == platform.Linux && p.FIPS && of.configured == "" && p.options.NameInAzure == "" {
		nodes.SKU, _ = facts.SKUNamed(ubuntu)
		nodes.Path, nodes.Value = p.at+"fips", true
	}
	nodes.FIPS = p.FIPS
	return append(find(of), find(nodes)...)
}

// CheckTakeover returns what is wrong when the program takes over a cluster in Azure and its pools. The inline pool of
// the cluster is not a separate resource. The place is for commands that users run.
func CheckTakeover(c Cluster, first FirstPool, a InAzure, at Place) []rule.Finding {
	of := clusterOf(c)
	found := append(
		find(taken{program{c, of}, first, a}),
		find(existing{a, of})...,
	)
	for _, p := range of.pools {
		found = append(found, find(retained{
			p, a, first.Inline != "" && first.Inline == p.options.NameInAzure, at, c.AzureCLI, "",
		})...)
		if p.Size == "" && p.options.NameInAzure != "" {
			found = append(found, find(sized{p})...)
		}
	}
	return engine.Sorted(found)
}
