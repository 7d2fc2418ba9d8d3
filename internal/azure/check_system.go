package azure

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/topology"
)

// minSystemPods is what a node of a system pool has room for.
const minSystemPods = 30

func (c *check) systemPool(pools []topology.Pool) {
	// A mode that is misspelled may be System.
	if !slices.ContainsFunc(pools, func(p topology.Pool) bool { return p.Mode != topology.User && !p.Platform.IsWindows() }) {
		c.report("MK704", problem{
			path: "pools", detail: "no Linux pool has the mode System, and the first pool that Azure makes must have it",
			fix: "give one Linux pool the mode System",
		})
	}
}

// isSystem leaves out Windows pools, which cannot be: topology says so.
func (p pool) isSystem() bool { return p.Mode == topology.System && !p.Platform.IsWindows() }

func (c *check) system(p pool) {
	if !p.isSystem() {
		return
	}
	if p.MaxPods > 0 && p.MaxPods < minSystemPods {
		c.report("MK705", problem{
			path: p.at + "maxPods", value: p.MaxPods, detail: fmt.Sprintf("a node of a system pool must have room for at least %d pods", minSystemPods),
			fix: fmt.Sprintf("use %d or more, or %s", minSystemPods, c.defaultMaxPods()),
		})
	}
	if strings.HasPrefix(p.Size, "Standard_B") {
		c.report("MK706", problem{
			path: p.at + "size", value: p.Size, detail: "Azure refuses B-series sizes for system pools",
			fix: "use another series, for example Standard_D4s_v5",
		})
	}
	for i, taint := range p.Taints {
		refused := taint.Effect == corev1.TaintEffectNoSchedule || taint.Effect == corev1.TaintEffectNoExecute
		if refused && topology.FormatTaint(taint) != criticalAddonsOnly {
			c.report("MK707", problem{
				path: fmt.Sprintf("%staints[%d]", p.at, i), value: topology.FormatTaint(taint), detail: "a system pool cannot have this taint",
				fix: "use " + criticalAddonsOnly + " or the effect PreferNoSchedule, or move the taint to a pool of mode User",
			})
		}
	}
}

const criticalAddonsOnly = "CriticalAddonsOnly=true:NoSchedule"
