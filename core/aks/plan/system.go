package plan

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var systemPoolMissing = engine.Rule{
	Rule: rule.Rule{
		ID: "MK704", Severity: rule.Error, Title: "a cluster without a pool of mode System",
		Page:      rulepages.AKS,
		Reason:    "Azure creates a cluster together with its first pool, which must be a Linux pool of mode System.",
		Fix:       "set the mode of one Linux pool to System",
		Source:    systemPoolsPage,
		Mandatory: true,
	},
	Checks: []engine.Check{engine.On(programs, func(c program) []rule.Problem {
		// A misspelled mode may be System.
		if slices.ContainsFunc(c.of.pools, func(p pool) bool {
			return p.Mode != topology.User && !p.Platform.IsWindows()
		}) {
			return nil
		}
		return []rule.Problem{{
			Path:   "pools",
			Detail: "no Linux pool has the mode System, which the first pool of a cluster must have",
		}}
	})},
}

// isSystem reports whether the pool is a system pool. Package topology reports Windows pools, which cannot be system
// pools.
func (p pool) isSystem() bool { return p.Mode == topology.System && !p.Platform.IsWindows() }

// fewSystemPods counts at least the nodes of the smallest size of the pool.
func fewSystemPods(p pool) []rule.Problem {
	nodes := p.Count
	if p.Autoscaling.Enabled() {
		nodes = p.Autoscaling.Min
	}
	if !p.isSystem() && nodes == 0 {
		return nil
	}
	// MK732 reports a pool without nodes, and MK731 what no pool can have.
	nodes = max(1, nodes)
	if !facts.AKSMaxPods.Has(p.MaxPods) || p.MaxPods*nodes >= facts.AKSSystemPods {
		return nil
	}
	found := rule.Problem{
		Path: p.at + "maxPods", Value: p.MaxPods,
		Detail: fmt.Sprintf("the pool must have room for at least %d pods, and has room for %d on %d nodes",
			facts.AKSSystemPods, p.MaxPods*nodes, nodes),
		Fix: fmt.Sprintf("use %d or more, or %s", (facts.AKSSystemPods+nodes-1)/nodes, p.of.defaultMaxPods()),
	}
	if !p.isSystem() {
		found.Severity = rule.Warning
	}
	return []rule.Problem{found}
}

var (
	tooFewSystemPods = engine.Rule{
		Rule: rule.Rule{
			ID: "MK705", Severity: rule.Error, Title: "too few pods on the nodes of a pool",
			Page: rulepages.AKSPools,
			Reason: "The system's own pods need room: for 30 pods on all nodes of a pool together. For a user pool, " +
				"only the page about addresses has this limit, so it is a warning.",
			Source: systemPoolsPage + ", " + addressPage,
		},
		Checks: []engine.Check{engine.On(pools, fewSystemPods)},
	}
	burstableSystemPool = engine.Rule{
		Rule: rule.Rule{
			ID: "MK706", Severity: rule.Error, Title: "a B-series size for a system pool",
			Page:   rulepages.AKSPools,
			Reason: "B-series machines run at full speed only for a while, and Azure refuses them for system pools.",
			Fix:    "use another series, for example Standard_D4s_v5",
			Source: systemPoolsPage,
		},
		Checks: []engine.Check{engine.On(systemPools, func(p pool) []rule.Problem {
			if !strings.HasPrefix(p.Size, "Standard_B") {
				return nil
			}
			return []rule.Problem{{
				Path: p.at + "size", Value: p.Size, Detail: "Azure refuses B-series sizes for system pools",
			}}
		})},
	}
	systemPoolTaint = engine.Rule{
		Rule: rule.Rule{
			ID: "MK707", Severity: rule.Error, Title: "a taint that is not allowed on a system pool",
			Page: rulepages.AKSPools,
			Reason: "The system's own pods tolerate only CriticalAddonsOnly. Taints with the effect PreferNoSchedule " +
				"do not keep pods off. Azure does not refuse the key CriticalAddonsOnly, and its documentation shows " +
				"it as CriticalAddonsOnly=true:NoSchedule: another value or effect is a warning.",
			Source: systemPoolsPage + ", https://github.com/Azure/AKS/issues/2578",
		},
		Checks: []engine.Check{engine.On(systemPools, refusedTaints)},
	}
)

func refusedTaints(p pool) []rule.Problem {
	var problems []rule.Problem
	for i, taint := range p.Taints {
		refused := taint.Effect == corev1.TaintEffectNoSchedule || taint.Effect == corev1.TaintEffectNoExecute
		if !refused || topology.FormatTaint(taint) == criticalAddonsOnly {
			continue
		}
		found := rule.Problem{
			Path: fmt.Sprintf("%staints[%d]", p.at, i), Value: topology.FormatTaint(taint),
			Detail: "a system pool cannot have this taint",
			Fix: "use " + criticalAddonsOnly +
				" or the effect PreferNoSchedule, or move the taint to a pool of mode User",
		}
		if taint.Key == criticalAddonsKey {
			found.Severity = rule.Warning
			found.Detail = "Azure documents this taint for system pools with another value or effect"
			found.Fix = "use " + criticalAddonsOnly
		}
		problems = append(problems, found)
	}
	return problems
}

const (
	criticalAddonsKey  = "CriticalAddonsOnly"
	criticalAddonsOnly = criticalAddonsKey + "=true:NoSchedule"
)
