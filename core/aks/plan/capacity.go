package plan

import (
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

// maxNodes is the maximum number of nodes of a pool.
var maxNodes = facts.AKSNodes.Max

var countOutside = engine.Rule{
	Rule: rule.Rule{
		ID: "MK732", Severity: rule.Error, Title: "a number of nodes that Azure does not accept",
		Page:   rulepages.AKSPools,
		Reason: "A user pool has 0 to 1000 nodes, a system pool 1 to 1000, and a cluster at most 5000.",
		Source: poolAPI + ", " + aks + "free-standard-pricing-tiers",
	},
	Checks: []engine.Check{engine.On(pools, countsOutside), engine.On(programs, func(c program) []rule.Problem {
		limit, nodes := facts.AKSClusterNodes.Max, c.of.nodes()
		if nodes <= limit {
			return nil
		}
		return []rule.Problem{{
			Path: "pools", Value: nodes, Detail: fmt.Sprintf("more than %d nodes together", limit),
			Fix: "use several clusters",
		}}
	})},
}

// nodes returns how many nodes the pools have, at least.
func (c *cluster) nodes() int {
	nodes := 0
	for _, p := range c.pools {
		if n := max(p.Count, p.Autoscaling.Min); n <= maxNodes { // MK732 reports others
			nodes += n
		}
	}
	return nodes
}

func countsOutside(p pool) []rule.Problem {
	var found []rule.Problem
	least, kind := 0, "a user pool"
	if p.isSystem() {
		least, kind = 1, "a system pool"
	}
	outside := func(field string, n int) {
		// Package topology reports numbers that are wrong for any cluster.
		if n < 0 || n > topology.MaxCount || least <= n && n <= maxNodes {
			return
		}
		fix := fmt.Sprintf("use at least %d", least)
		if n > maxNodes {
			fix = fmt.Sprintf("use at most %d, and several pools for more", maxNodes)
		}
		found = append(found, rule.Problem{
			Path: p.at + field, Value: n, Detail: fmt.Sprintf("%s has %d to %d nodes", kind, least, maxNodes), Fix: fix,
		})
	}
	scaled := p.Autoscaling.Enabled()
	// Without a configured count, the count is the minimum of the autoscaler.
	if !scaled || p.Count != max(1, p.Autoscaling.Min) {
		outside("count", p.Count)
	}
	if scaled {
		outside("autoscaling.min", p.Autoscaling.Min)
		outside("autoscaling.max", p.Autoscaling.Max)
	}
	return found
}

var defaultPods = map[NetworkMode]int{
	Overlay: facts.AKSDefaultPods.Overlay, PodSubnet: facts.AKSDefaultPods.PodSubnet,
	NodeSubnet: facts.AKSDefaultPods.NodeSubnet,
}

var maxPodsOutside = engine.Rule{
	Rule: rule.Rule{
		ID: "MK731", Severity: rule.Error, Title: "maxPods outside the range that Azure accepts",
		Page:   rulepages.AKSPools,
		Reason: "A node has room for 10 to 250 pods.",
		Source: addressPage,
	},
	Checks: []engine.Check{engine.On(pools, func(p pool) []rule.Problem {
		if p.MaxPods <= 0 || facts.AKSMaxPods.Has(p.MaxPods) {
			return nil
		}
		return []rule.Problem{{
			Path: p.at + "maxPods", Value: p.MaxPods,
			Detail: fmt.Sprintf("a node has room for %d to %d pods", facts.AKSMaxPods.Min, facts.AKSMaxPods.Max),
			Fix:    "use a number in this range, or " + p.of.defaultMaxPods(),
		}}
	})},
}

// defaultMaxPods returns the fix that is always right: the default.
func (c *cluster) defaultMaxPods() string {
	if n, ok := defaultPods[c.network.Mode]; ok {
		return fmt.Sprintf("leave it out for %d, the default of mode %s", n, c.network.Mode)
	}
	return "leave it out for Azure's default"
}

var (
	minCPU          = resource.MustParse("2")
	minMemory       = resource.MustParse("2Gi")
	minSystemMemory = resource.MustParse("4Gi")
	// documentedSystemCPU is the number of CPUs that Microsoft asks for and Azure does not enforce.
	documentedSystemCPU = resource.MustParse("4")
)

var (
	sizeMissing = engine.Rule{
		Rule: rule.Rule{
			ID: "MK791", Severity: rule.Error, Title: "a pool without a size",
			Page: rulepages.AKSPools,
			Reason: "Without a size, AKS chooses one by the capacity and the quota of the day, so the room on the " +
				"nodes is not known in the preview.",
			Fix:    "set one, for example Standard_D4s_v5",
			Source: sizesPage + ", " + poolAPI,
		},
		Checks: []engine.Check{engine.On(sizes, func(p sized) []rule.Problem {
			if p.Size != "" {
				return nil
			}
			return []rule.Problem{{
				Path: p.at + "size", Detail: "AKS would choose a size, and the room on the nodes is not known",
			}}
		})},
	}
	sizeTooSmall = engine.Rule{
		Rule: rule.Rule{
			ID: "MK792", Severity: rule.Error, Title: "a size that is too small for a node",
			Page: rulepages.AKSPools,
			Reason: "A node needs at least 2 CPUs and 2 GiB of memory, and a node of a system pool 4 GiB. Microsoft " +
				"requires 4 CPUs for a system pool. Fewer CPUs are a warning, because older documentation required 2.",
			Source: sizesPage + ", " + systemPoolsPage,
		},
		Checks: []engine.Check{engine.On(sizes, smallSize)},
	}
	sizeOfGeneration2 = engine.Rule{
		Rule: rule.Rule{
			ID: "MK793", Severity: rule.Warning, Title: "Windows Server 2022 on a size that supports only generation 2",
			Page: rulepages.AKSPools,
			Reason: "AKS creates Windows Server 2022 nodes as generation 1, unless the request has a header that " +
				"programs cannot set.",
			Fix:    "use a v5 size or older, for example Standard_D4s_v5, or windows-2025",
			Source: aks + "generation-2-vms",
		},
		Checks: []engine.Check{engine.On(sizes, func(p sized) []rule.Problem {
			if p.Platform != platform.WindowsServer2022 || !vm.IsGeneration2Only(p.Size) {
				return nil
			}
			return []rule.Problem{{
				Path: p.at + "size", Value: p.Size,
				Detail: "this size supports only generation 2, and AKS creates Windows Server 2022 nodes as " +
					"generation 1",
			}}
		})},
	}
)

func smallSize(p sized) []rule.Problem {
	capacity, known := p.Capacity()
	if !known {
		return nil
	}
	node, memory := "a node", minMemory
	if p.isSystem() {
		node, memory = "a node of a system pool", minSystemMemory
	}
	found := rule.Problem{
		Path: p.at + "size", Value: p.Size,
		Detail: "it has " + cpus(capacity) + " and " + gib(capacity) + ", and " + node + " needs at least 2 CPUs and " +
			gib(corev1.ResourceList{corev1.ResourceMemory: memory}),
		Fix: "use a larger one, for example Standard_D4s_v5",
	}
	switch {
	case capacity.Cpu().Cmp(minCPU) < 0 || capacity.Memory().Cmp(memory) < 0:
	case p.isSystem() && capacity.Cpu().Cmp(documentedSystemCPU) < 0:
		found.Severity = rule.Warning
		found.Detail = "it has " + cpus(capacity) + ", and Microsoft requires 4 CPUs for a system pool"
	default:
		return nil
	}
	return []rule.Problem{found}
}

func cpus(r corev1.ResourceList) string {
	if r.Cpu().Value() == 1 {
		return "1 CPU"
	}
	return r.Cpu().String() + " CPUs"
}

func gib(r corev1.ResourceList) string {
	return strconv.FormatFloat(float64(r.Memory().Value())/(1<<30), 'f', -1, 64) + " GiB"
}

var (
	surgeTooLarge = engine.Rule{
		Rule: rule.Rule{
			ID: "MK733", Severity: rule.Error, Title: "no room for the nodes of an upgrade",
			Page: rulepages.AKSPools,
			Reason: "The nodes that an upgrade adds count too: together with the pool's own nodes, they must not be " +
				"more than 1000. Without maxSurge it is a warning: the default is 10% on some pages of the " +
				"documentation, and one node on others.",
			Source: upgradePage,
		},
		Checks: []engine.Check{engine.On(pools, surgeWithoutRoom)},
	}
	unavailableSystemNodes = engine.Rule{
		Rule: rule.Rule{
			ID: "MK734", Severity: rule.Error, Title: "maxUnavailable on a system pool",
			Page:   rulepages.AKSPools,
			Reason: "A system pool keeps all of its nodes during an upgrade: AKS adds new nodes first.",
			Fix:    "remove it, and use maxSurge",
			Source: upgradePage,
		},
		Checks: []engine.Check{engine.On(systemPools, func(p pool) []rule.Problem {
			unavailable, has := parseShare(p.Upgrade.MaxUnavailable)
			if !has || unavailable.number <= 0 {
				return nil
			}
			return []rule.Problem{{
				Path: p.at + "upgrade.maxUnavailable", Value: p.Upgrade.MaxUnavailable,
				Detail: "a system pool must keep all of its nodes during an upgrade",
			}}
		})},
	}
	upgradeOfNoNode = engine.Rule{
		Rule: rule.Rule{
			ID: "MK735", Severity: rule.Error, Title: "an upgrade that cannot replace any node",
			Page: rulepages.AKSPools,
			Reason: "An upgrade cannot replace a node without adding one or taking one away first, and " +
				"maxUnavailable is 0 by default.",
			Source: upgradePage,
		},
		Checks: []engine.Check{engine.On(pools, upgradesNothing)},
	}
)

var waitOutside = engine.Rule{
	Rule: rule.Rule{
		ID: "MK790", Severity: rule.Error, Title: "a wait in an upgrade that AKS does not accept",
		Page:   rulepages.AKSPools,
		Reason: "AKS waits at most a day for the pods of a node to leave, and at most 30 minutes before the next node.",
		Source: upgradePage + ", " + poolAPI,
	},
	Checks: []engine.Check{engine.On(pools, waitsOutside)},
}

func waitsOutside(p pool) []rule.Problem {
	var found []rule.Problem
	for _, wait := range []struct {
		name     string
		minutes  int
		accepted facts.Range
	}{
		{"drainTimeoutMinutes", p.Upgrade.DrainTimeoutMinutes, facts.AKSDrainTimeout},
		{"nodeSoakMinutes", p.Upgrade.NodeSoakMinutes, facts.AKSNodeSoak},
	} {
		// 0 is not set, and package topology reports numbers that are wrong for any cluster.
		if wait.minutes <= 0 || wait.minutes > topology.MaxCount || wait.accepted.Has(wait.minutes) {
			continue
		}
		found = append(found, rule.Problem{
			Path: p.at + "upgrade." + wait.name, Value: wait.minutes,
			Detail: fmt.Sprintf("AKS waits %d to %d minutes", wait.accepted.Min, wait.accepted.Max),
			Fix:    "use a number in this range",
		})
	}
	return found
}

// upgradesNothing finds an upgrade that neither adds a node nor takes one away.
func upgradesNothing(p pool) []rule.Problem {
	surge, hasSurge := parseShare(p.Upgrade.MaxSurge)
	unavailable, hasUnavailable := parseShare(p.Upgrade.MaxUnavailable)
	// Package topology reports that both are 0.
	if bothZero := hasUnavailable && unavailable.number == 0; !hasSurge || surge.number != 0 || bothZero {
		return nil
	}
	found := rule.Problem{Path: p.at + "upgrade.maxSurge", Value: p.Upgrade.MaxSurge, Fix: "use at least 1"}
	switch {
	case p.isSystem():
		found.Detail = "maxUnavailable is always 0 in a system pool, so no node can be replaced"
	case p.Upgrade.MaxUnavailable == "":
		found.Detail = "maxUnavailable is 0 by default, so no node can be replaced"
		found.Fix += ", or set maxUnavailable"
	default:
		return nil
	}
	return []rule.Problem{found}
}

// surgeWithoutRoom leaves more nodes than a pool can have to MK732.
func surgeWithoutRoom(p pool) []rule.Problem {
	nodes := max(p.Count, p.Autoscaling.Max)
	found := rule.Problem{Path: p.at + "upgrade.maxSurge", Value: p.Upgrade.MaxSurge, Fix: surgeFix(nodes)}
	surge, hasSurge := parseShare(p.Upgrade.MaxSurge)
	switch {
	case hasSurge:
	case p.Upgrade.MaxSurge == "" && p.options.NameInAzure == "":
		surge = share{facts.AKSDefaultSurge, true}
		found.Severity, found.Value = rule.Warning, nil
	default:
		return nil
	}
	more := surge.of(nodes)
	if nodes > maxNodes || nodes+more <= maxNodes {
		return nil
	}
	found.Detail = fmt.Sprintf("up to %d nodes and %d more in an upgrade are %d, and Azure accepts at most %d", nodes,
		more, nodes+more, maxNodes)
	return []rule.Problem{found}
}

func surgeFix(nodes int) string {
	if nodes == maxNodes {
		return fmt.Sprintf("use fewer than %d nodes", maxNodes)
	}
	return fmt.Sprintf("use at most %d, or fewer nodes", maxNodes-nodes)
}

// share is a part of a pool's nodes: a number, or a percentage.
type share struct {
	number    int
	isPercent bool
}

// parseShare returns false for a value that is not set, and for one that package topology refuses.
func parseShare(s string) (share, bool) {
	digits, isPercent := strings.CutSuffix(s, "%")
	n, err := strconv.ParseUint(digits, 10, 31)
	return share{int(n), isPercent}, err == nil && (!isPercent || n <= 100)
}

// of returns the share as a number of nodes, for a pool with a number of nodes. Azure rounds up.
func (s share) of(nodes int) int {
	if s.isPercent {
		return (nodes*s.number + 99) / 100
	}
	return s.number
}

// surgeOf returns how many nodes an upgrade adds to a pool with a number of nodes.
func surgeOf(u topology.Upgrade, nodes int) int {
	surge, ok := parseShare(u.MaxSurge)
	if !ok {
		surge = share{facts.AKSDefaultSurge, true}
	}
	return surge.of(nodes)
}

var spotPriceTooFine = engine.Rule{
	Rule: rule.Rule{
		ID: "MK737", Severity: rule.Error, Title: "a spot price with more than five decimals",
		Page:   rulepages.AKSPools,
		Reason: "Azure accepts prices with up to five decimals.",
		Fix:    "round it",
		Source: spotPage,
	},
	Checks: []engine.Check{engine.On(pools, func(p pool) []rule.Problem {
		_, decimals, _ := strings.Cut(strconv.FormatFloat(p.SpotMaxPrice, 'f', -1, 64), ".")
		if p.SpotMaxPrice <= 0 || len(decimals) <= 5 {
			return nil
		}
		return []rule.Problem{{
			Path: p.at + "spotMaxPrice", Value: p.SpotMaxPrice,
			Detail: fmt.Sprintf("%d decimals, and Azure accepts at most 5", len(decimals)),
		}}
	})},
}
