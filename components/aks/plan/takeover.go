package plan

import (
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/azuretypes"
	"github.com/mixedkube/mixedkube/internal/tree"
)

var (
	windowsProfileMissing = rule.Rule{
		ID: "MK769", Severity: rule.Error, Title: "a cluster that can never have Windows pools",
		Reason: "A cluster gets a windowsProfile when it is created, or never. The finding is a warning if the " +
			"cluster has no Windows pools.",
		Source: windowsFAQPage,
	}
	keptPoolDiffers = rule.Rule{
		ID: "MK777", Severity: rule.Error, Title: "a pool that keeps its name cannot change",
		Reason: "A property that Azure accepts only when a pool is created needs another pool to change, and two " +
			"pools need two names.",
		Source: createPoolsPage,
	}
	poolWithoutImport = rule.Rule{
		ID: "MK779", Severity: rule.Error, Title: "an existing pool without an import or alias",
		Reason: "Azure has the pool, and azure-native does not create a resource that already exists.",
		Source: createPoolsPage,
	}
	takeoverOpens = rule.Rule{
		ID: "MK851", Severity: rule.Error, Title: "a takeover that would open the API server",
		Reason: "The cluster limits who can reach the API server, and the program does not set that limit. If that " +
			"is intended, ignore the rule for one update.",
		Source: authorizedPage + ", " + accountsPage,
	}
)

// TakenOverTag is the tag of a cluster that was made without this library: what the program leaves out
// of it stays as it is in Azure.
const TakenOverTag = "mixedkube-taken-over"

// IsTakenOver reports whether the cluster was made without this library.
func (a InAzure) IsTakenOver() bool {
	return a.Properties != nil && (a.IsForeign() || a.Tags[TakenOverTag] != "")
}

// EntraID is the profile of Microsoft Entra ID; nil if there is none.
func (a InAzure) EntraID() any { return option(a.Properties, "aadProfile") }

// IsPrivate reports whether the API server has an address in the virtual network only.
func (a InAzure) IsPrivate() bool {
	return isTrue(option(a.Properties, "apiServerAccessProfile.enablePrivateCluster"))
}

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
				Detail: "the pool exists in Azure, but is not yet in the state of this stack",
				Fix: "set importID to its resource ID; or add an alias of its type, " +
					"azure-native:containerservice:AgentPool, to the component, if this stack has it under another " +
					"name",
			})
		}
	}
	check.windowsProfile(a)
	if a.Properties != nil && a.IsForeign() {
		check.opened(c.APIServer, a)
	}
	return check.result()
}

// opened looks for what a takeover would open that is closed in Azure: arguments that are left out are
// no wish.
func (c *check) opened(wanted APIServer, a InAzure) {
	const path = "apiServerAccessProfile.authorizedIPRanges"
	if ranges := tree.List(option(a.Properties, path)); len(ranges) > 0 && len(wanted.AuthorizedIPRanges) == 0 {
		c.Report(takeoverOpens, rule.Problem{
			Path:   "apiServer.authorizedIPRanges",
			Detail: fmt.Sprintf("the cluster in Azure has some (%v), and without them anyone can reach it", ranges),
			Fix:    "set those that the cluster has",
		})
	}
	if a.apiServer().DisableLocalAccounts && !wanted.DisableLocalAccounts {
		c.Report(takeoverOpens, rule.Problem{
			Path: "apiServer.disableLocalAccounts", Value: false,
			Detail: "the cluster in Azure has no local accounts, and would get them", Fix: "set it to true",
		})
	}
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
			Fix: "remove nameInAzure, so that a new pool is created before the old one is removed; or keep " + has,
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

// keeping are the properties of a cluster that azure-native replaces it for where they are added or left out. The
// location is not among them: azure-native fills it in where it is left out. Nor is the Windows profile: the component
// gives it to every cluster that has one, and ignores the changes of its parts one by one.
func keeping() []string {
	cluster, _ := azuretypes.Of("azure-native:containerservice:ManagedCluster")
	return slices.DeleteFunc(slices.Clone(cluster.Fixed), func(path string) bool {
		return path == "location" || path == "windowsProfile"
	})
}

// Keeps are the properties of a cluster whose changes are to be ignored: those of which the program
// says nothing, or what Azure has anyway. azure-native would replace the cluster for them where the
// program that made it said more or less. The cluster is what is sent, as a plain tree.
func (a InAzure) Keeps(cluster map[string]any) []string {
	var kept []string
	for _, path := range keeping() {
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
