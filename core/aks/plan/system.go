package plan

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
)

// minSystemPods is the number of pods that a node of a system pool must have room for.
const minSystemPods = 30

var systemPoolMissing = rule.Rule{
	ID: "MK704", Severity: rule.Error, Title: "a cluster without a pool of mode System",
	Reason:    "Azure creates a cluster together with its first pool, which must be a Linux pool of mode System.",
	Source:    systemPoolsPage,
	Mandatory: true,
}

func (c *check) systemPool(pools []topology.Pool) {
	// A misspelled mode may be System.
	if !slices.ContainsFunc(pools,
		func(p topology.Pool) bool { return p.Mode != topology.User && !p.Platform.IsWindows() }) {
		c.Report(systemPoolMissing, rule.Problem{
			Path:   "pools",
			Detail: "no Linux pool has the mode System, which the first pool of a cluster must have",
			Fix:    "set the mode of one Linux pool to System",
		})
	}
}

// isSystem reports whether the pool is a system pool. Package topology reports Windows pools, which cannot be system
// pools.
func (p pool) isSystem() bool { return p.Mode == topology.System && !p.Platform.IsWindows() }

var (
	tooFewSystemPods = rule.Rule{
		ID: "MK705", Severity: rule.Error, Title: "too few pods on the nodes of a system pool",
		Reason: "The system's own pods need room: at least 30 on a node.",
		Source: systemPoolsPage,
	}
	burstableSystemPool = rule.Rule{
		ID: "MK706", Severity: rule.Error, Title: "a B-series size for a system pool",
		Reason: "B-series machines run at full speed only for a while, and Azure refuses them for system pools.",
		Source: systemPoolsPage,
	}
	systemPoolTaint = rule.Rule{
		ID: "MK707", Severity: rule.Error, Title: "a taint that is not allowed on a system pool",
		Reason: "The system's own pods tolerate only CriticalAddonsOnly. Taints with the effect PreferNoSchedule do " +
			"not keep pods off. Azure does not refuse the key CriticalAddonsOnly, and its documentation shows it as " +
			"CriticalAddonsOnly=true:NoSchedule: another value or effect is a warning.",
		Source: systemPoolsPage + ", https://github.com/Azure/AKS/issues/2578",
	}
)

func (c *check) system(p pool) {
	if !p.isSystem() {
		return
	}
	if p.MaxPods > 0 && p.MaxPods < minSystemPods {
		c.Report(tooFewSystemPods, rule.Problem{
			Path: p.at + "maxPods", Value: p.MaxPods,
			Detail: fmt.Sprintf("a node of a system pool must have room for at least %d pods", minSystemPods),
			Fix:    fmt.Sprintf("use %d or more, or %s", minSystemPods, c.defaultMaxPods()),
		})
	}
	if strings.HasPrefix(p.Size, "Standard_B") {
		c.Report(burstableSystemPool, rule.Problem{
			Path: p.at + "size", Value: p.Size, Detail: "Azure refuses B-series sizes for system pools",
			Fix: "use another series, for example Standard_D4s_v5",
		})
	}
	for i, taint := range p.Taints {
		refused := taint.Effect == corev1.TaintEffectNoSchedule || taint.Effect == corev1.TaintEffectNoExecute
		if refused && topology.FormatTaint(taint) != criticalAddonsOnly {
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
			c.Report(systemPoolTaint, found)
		}
	}
}

const (
	criticalAddonsKey  = "CriticalAddonsOnly"
	criticalAddonsOnly = criticalAddonsKey + "=true:NoSchedule"
)
