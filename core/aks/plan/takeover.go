package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts/azuretypes"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var (
	windowsProfileMissing = engine.Rule{
		Rule: rule.Rule{
			ID: "MK769", Severity: rule.Error, Title: "a cluster that can never have Windows pools",
			Page: rulepages.AKSExisting,
			Reason: "A cluster gets a windowsProfile when it is created, or never. The finding is a warning if the " +
				"cluster has no Windows pools.",
			Fix:    anotherCluster,
			Source: windowsFAQPage,
		},
		Checks: []engine.Check{engine.On(existings, func(e existing) []rule.Problem {
			if e.Properties == nil || e.HasWindowsProfile() {
				return nil
			}
			return []rule.Problem{e.of.withoutWindows(rule.Problem{Path: ofAzure + "windowsProfile"},
				"the cluster was created without one, and Windows nodes need it",
				"so the cluster can never have any")}
		})},
	}
	retainedPoolDiffers = engine.Rule{
		Rule: rule.Rule{
			ID: "MK777", Severity: rule.Error, Title: "a pool that keeps its name cannot change",
			Page: rulepages.AKSExisting,
			Reason: "A change of a property that Azure accepts only when a pool is created needs another pool, and " +
				"two pools need two names.",
			Source: createPoolsPage,
		},
		Checks: []engine.Check{engine.On(allRetained, differsInAzure)},
	}
	poolWithoutImport = engine.Rule{
		Rule: rule.Rule{
			ID: "MK779", Severity: rule.Error, Title: "an existing pool without an import or alias",
			Page:   rulepages.AKSExisting,
			Reason: "Azure has the pool, and azure-native does not create a resource that already exists.",
			Source: createPoolsPage,
		},
		Checks: []engine.Check{engine.On(takeovers, poolsOutside), engine.On(joinings, notInState)},
	}
	takeoverOpens = engine.Rule{
		Rule: rule.Rule{
			ID: "MK851", Severity: rule.Error, Title: "a takeover that would open the API server",
			Page: rulepages.AKSExisting,
			Reason: "The cluster limits who can reach the API server, and the program does not set that limit. If " +
				"that is intended, ignore the rule for one update.",
			Source: authorizedPage + ", " + accountsPage,
		},
		Checks: []engine.Check{engine.On(takeovers, opening)},
	}
)

var basicLoadBalancerInAzure = engine.Rule{
	Rule: rule.Rule{
		ID: "MK894", Severity: rule.Warning, Title: "an existing cluster with a Basic load balancer",
		Page: rulepages.AKSExisting,
		Reason: "Azure has retired these load balancers, and the component requests the SKU Standard. The SKU " +
			"changes only in a migration, with downtime and without a way back.",
		Fix:    "migrate the cluster first, when it may be down: az aks update --load-balancer-sku standard",
		Source: aks + "upgrade-basic-load-balancer-on-aks",
	},
	Checks: []engine.Check{engine.On(takeovers, func(t taken) []rule.Problem {
		const path = "networkProfile.loadBalancerSku"
		wants := option(t.Options, path)
		if !strings.EqualFold(open(option(t.inAzure.Properties, path)), "basic") ||
			wants != nil && !strings.EqualFold(open(wants), "standard") {
			return nil
		}
		return []rule.Problem{{
			Path: ofAzure + path, Value: "basic", Detail: "the update would request the SKU Standard",
		}}
	})},
}

// IsTakenOver reports whether the cluster was created without this library.
func (a InAzure) IsTakenOver() bool {
	return a.Properties != nil && (a.IsUnmanaged() || a.Tags[TakenOverTag] != "")
}

// EntraID returns the profile of Microsoft Entra ID, or nil if there is none.
func (a InAzure) EntraID() any { return option(a.Properties, "aadProfile") }

// IsPrivate reports whether the API server has an address in the virtual network only.
func (a InAzure) IsPrivate() bool {
	return isTrue(option(a.Properties, "apiServerAccessProfile.enablePrivateCluster"))
}

// WithRetained returns the pools of the program, with [Retained] for those that keep the name of an existing pool in
// Azure. It takes and returns pools as the program has written them, without defaults.
func WithRetained(pools []topology.Pool, options map[string]PoolOptions, a InAzure) []topology.Pool {
	pools = slices.Clone(pools)
	for i, p := range pools {
		existing, ok := a.Pool(options[p.Name].NameInAzure)
		if !ok {
			continue
		}
		pools[i] = Retained(p, existing)
		if option(options[p.Name].Options, undrainableOption) != nil {
			pools[i].Upgrade.UndrainableNodes = p.Upgrade.UndrainableNodes
		}
	}
	return pools
}

// poolsOutside finds pools in Azure that neither the state nor the cluster has.
func poolsOutside(t taken) []rule.Problem {
	var found []rule.Problem
	for _, p := range t.of.pools {
		name := p.options.NameInAzure
		_, exists := t.inAzure.Versions[name]
		if !exists || !t.inAzure.IsUnmanaged() || p.options.Resource || name == t.first.Inline {
			continue
		}
		found = append(found, rule.Problem{
			Path: p.optionsAt + "nameInAzure", Value: name,
			Detail: "the pool exists in Azure, but is not yet in the state of this stack",
			Fix: "set importID to its resource ID; or add an alias of its type, " +
				"azure-native:containerservice:AgentPool, to the component, if this stack has it under another " +
				"name",
		})
	}
	return found
}

// opening finds restrictions of the cluster in Azure that a takeover would remove, because the program may have left
// out their arguments unintentionally.
func opening(t taken) []rule.Problem {
	if t.inAzure.Properties == nil || !t.inAzure.IsUnmanaged() {
		return nil
	}
	const path = "apiServerAccessProfile.authorizedIPRanges"
	var found []rule.Problem
	ranges := tree.List(option(t.inAzure.Properties, path))
	if len(ranges) > 0 && len(t.APIServer.AuthorizedIPRanges) == 0 {
		found = append(found, rule.Problem{
			Path:   "apiServer.authorizedIPRanges",
			Detail: fmt.Sprintf("the cluster in Azure has some (%v), and without them anyone can reach it", ranges),
			Fix:    "set those that the cluster has",
		})
	}
	if t.inAzure.apiServer().DisableLocalAccounts && !t.APIServer.DisableLocalAccounts {
		found = append(found, rule.Problem{
			Path: "apiServer.disableLocalAccounts", Value: false,
			Detail: "the cluster in Azure has no local accounts, and would get them", Fix: "set it to true",
		})
	}
	return found
}

// differsInAzure compares a pool that keeps its name in Azure with the existing pool.
func differsInAzure(p retained) []rule.Problem {
	profile, exists := p.inAzure.profile(p.options.NameInAzure)
	if !exists {
		return nil
	}
	var found []rule.Problem
	for _, d := range differing(p.Pool, p.options, profile) {
		if p.follows(d) {
			continue
		}
		has, keep := "not set", "leave it unset"
		if d.has != nil {
			has = fmt.Sprint(d.has)
			keep = "keep " + has
		}
		never, orInPlace := "never changes it", ""
		if d.property == vmSize || isUpgradeOfWindows(d) {
			never, orInPlace = "changes it only in a preview",
				"; or, if the subscription has the preview, set change to InPlace"
		}
		found = append(found, rule.Problem{
			Path: p.optionsAt + "nameInAzure", Value: p.options.NameInAzure,
			Detail: fmt.Sprintf("%s of the pool is %s in Azure, which %s, and %v here", d.property, has, never,
				d.wants),
			Fix: "remove nameInAzure, so that a new pool is created before the old one is removed; or " + keep +
				orInPlace,
		})
	}
	return found
}

// keeping returns the properties that make azure-native replace a cluster when they are added or left out, except
// location and windowsProfile. azure-native sets the location itself. The component always sends the Windows profile of
// a cluster that has one, and ignores changes of single fields of it.
func keeping() []string {
	cluster, _ := azuretypes.Of("azure-native:containerservice:ManagedCluster")
	return slices.DeleteFunc(slices.Clone(cluster.Fixed), func(path string) bool {
		return path == "location" || path == "windowsProfile"
	})
}

// Keeps returns the properties of a cluster whose changes must be ignored: those that the program does not set, or sets
// to the value in Azure. azure-native would replace the cluster if the program that created it had set more or fewer of
// them. The cluster is the request, as a plain tree.
func (a InAzure) Keeps(cluster map[string]any) []string {
	var retained []string
	for _, path := range keeping() {
		has := option(a.Properties, path)
		if wants := option(cluster, path); has != nil && (wants == nil || isSame(wants, has)) {
			retained = append(retained, path)
		}
	}
	return retained
}

func isSame(a, b any) bool {
	return isPlain(a) && isPlain(b) && fmt.Sprint(tree.Normalize(a)) == fmt.Sprint(tree.Normalize(b))
}
