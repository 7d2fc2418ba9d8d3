package plan

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/tree"
)

var (
	windowsProfileMissing = rule.Rule{
		ID: "MK769", Severity: rule.Error, Title: "a cluster that can never have Windows pools",
		Reason: "A cluster gets a windowsProfile when it is created, or never. Without Windows pools it is a warning.",
		Source: windowsFAQPage,
	}
	keptPoolDiffers = rule.Rule{
		ID: "MK777", Severity: rule.Error, Title: "a pool that keeps its name cannot change",
		Reason: "What Azure takes only when a pool is made needs another pool, and two pools need two names.",
		Source: createPoolsPage,
	}
	poolWithoutImport = rule.Rule{
		ID: "MK779", Severity: rule.Error, Title: "a pool of a cluster that is taken over has no import",
		Reason: "Azure has the pool, and azure-native creates no resource that is there already.",
		Source: createPoolsPage,
	}
)

// WithKept has pools that keep their names in Azure as [Kept] says, where they are there. It takes and
// returns pools as the program has written them, without defaults.
func WithKept(pools []topology.Pool, options map[string]PoolOptions, a InAzure) []topology.Pool {
	pools = slices.Clone(pools)
	for i, p := range pools {
		if there, ok := a.Pool(options[p.Name].NameInAzure); ok {
			pools[i] = Kept(p, there)
		}
	}
	return pools
}

// CheckTakeover returns what is wrong with what the program takes over of a cluster in Azure. The
// pool that the cluster has inline is no resource of its own.
func CheckTakeover(c Cluster, first FirstPool, a InAzure) []rule.Finding {
	check := checkOf(c)
	for _, p := range check.pools {
		check.keptPool(p, a)
		name := p.given.NameInAzure
		if p.Size == "" && name != "" {
			check.size(p)
		}
		if _, there := a.Versions[name]; there && a.IsForeign() && !p.given.Resource && name != first.Inline {
			check.Report(poolWithoutImport, rule.Problem{
				Path: p.givenAt + "nameInAzure", Value: name,
				Detail: "the pool is in Azure already, and not yet in the state of this stack",
				Fix: "add pulumi.Import with its resource ID to resourceOptions, or pulumi.Aliases where another " +
					"program of Pulumi's has made it in this stack",
			})
		}
	}
	check.windowsProfile(a)
	return check.result()
}

// keptPool compares a pool that keeps its name in Azure with the one that is there.
func (c *check) keptPool(p pool, a InAzure) {
	profile, there := a.profile(p.given.NameInAzure)
	if !there {
		return
	}
	for _, d := range differing(p.Pool, p.given, profile) {
		has := "none"
		if d.has != nil {
			has = fmt.Sprint(d.has)
		}
		c.Report(keptPoolDiffers, rule.Problem{
			Path: p.givenAt + "nameInAzure", Value: p.given.NameInAzure,
			Detail: fmt.Sprintf("%s of the pool is %s in Azure, which never changes it, and %v here", d.property, has,
				d.wants),
			Fix: "remove nameInAzure, so that a new pool is made first and the old one removed after; or keep " + has,
		})
	}
}

// windowsProfile says that a cluster that is there has none.
func (c *check) windowsProfile(a InAzure) {
	if a.Properties == nil || a.HasWindowsProfile() {
		return
	}
	c.Report(windowsProfileMissing, c.neverWindows(rule.Problem{
		Path: ofAzure + "windowsProfile", Fix: anotherCluster,
	}, "the cluster was created without one, and Windows nodes need it"))
}

// keeping are the properties of a cluster that azure-native replaces it for where they are added or
// left out, and identity beside them (https://github.com/pulumi/pulumi-azure-native/pull/4771).
var keeping = []string{
	"diskEncryptionSetID", "dnsPrefix", "fqdnSubdomain", "linuxProfile", "nodeResourceGroup",
	"networkProfile.dnsServiceIP", "networkProfile.ipFamilies", "networkProfile.networkDataplane",
	"networkProfile.networkMode", "networkProfile.networkPlugin", "networkProfile.networkPluginMode",
	"networkProfile.networkPolicy", "networkProfile.outboundType", "networkProfile.podCidr",
	"networkProfile.podCidrs", "networkProfile.serviceCidr", "networkProfile.serviceCidrs",
	"windowsProfile.enableCSIProxy",
}

// Keeps are the properties of a cluster whose changes are to be ignored: those of which the program
// says nothing, or what Azure has anyway. azure-native would replace the cluster for them where the
// program that made it said more or less. The cluster is what is sent, as a plain tree.
func (a InAzure) Keeps(cluster map[string]any) []string {
	var kept []string
	for _, path := range keeping {
		has := option(a.Properties, path)
		if wants := option(cluster, path); has != nil && (wants == nil || isSame(wants, has)) {
			kept = append(kept, path)
		}
	}
	return kept
}

func isSame(a, b any) bool {
	return isPlain(a) && isPlain(b) && fmt.Sprint(tree.Normalize(a)) == fmt.Sprint(tree.Normalize(b))
}

// Unsaid are the properties that Azure has and the program says nothing of, for the import of a
// cluster: it is to stay as it is.
func (a InAzure) Unsaid(cluster map[string]any) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(a.Properties)), func(name string) bool {
		return tree.Reveal(cluster[name]) != nil || tree.Reveal(a.Properties[name]) == nil
	})
}
