package plan

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/components/topology"
)

const (
	spotLabel = "kubernetes.azure.com/scalesetpriority"
	spotValue = "spot"
)

// SpotTaint is the taint that Azure gives to the nodes of spot pools
// (https://learn.microsoft.com/azure/aks/spot-node-pool).
func SpotTaint() corev1.Taint {
	return corev1.Taint{Key: spotLabel, Value: spotValue, Effect: corev1.TaintEffectNoSchedule}
}

// Declared is the pool with the labels and taints that its arguments in Azure
// declare: its own, and those that Azure adds to a spot pool whether they are
// declared or not. Undeclared, Azure's additions would show as changes.
func Declared(p topology.Pool) topology.Pool {
	if !p.Spot {
		return p
	}
	p.Labels = maps.Clone(p.Labels)
	if p.Labels == nil {
		p.Labels = map[string]string{}
	}
	p.Labels[spotLabel] = spotValue
	if !topology.HasTaint(p.Taints, SpotTaint()) {
		p.Taints = append(slices.Clone(p.Taints), SpotTaint())
	}
	return p
}

// Registered is the pool with the labels and taints that its nodes have in the end:
// what is declared, and the labels that AKS sets itself
// (https://learn.microsoft.com/azure/aks/use-labels). The osSKU is that of the pool's
// options, empty for the default.
func Registered(p topology.Pool, osSKU string) topology.Pool {
	p = Declared(p)
	labels := map[string]string{
		"agentpool":                      PoolName(p),
		"kubernetes.azure.com/agentpool": PoolName(p),
		"kubernetes.azure.com/mode":      modeLabel(p.Mode),
		"kubernetes.azure.com/role":      "agent",
		"kubernetes.azure.com/os-sku":    cmp.Or(osSKU, OSSKU(p.Platform), "Ubuntu"),
	}
	if p.FIPS {
		labels["kubernetes.azure.com/fips_enabled"] = "true"
	}
	maps.Copy(labels, p.Labels)
	p.Labels = labels
	p.Reserved = Reserved(p)
	return p
}

func modeLabel(m topology.Mode) string {
	if m == topology.System {
		return "system"
	}
	return "user"
}

var labelReserved = rule.Rule{
	ID: "MK736", Severity: rule.Error, Title: "a label that is Azure's own",
	Reason: "Labels that begin with kubernetes.azure.com/ are reserved, and Azure refuses them. (Those of " +
		"kubernetes.io/ are refused for any cluster.)",
	Source: labelsPage,
}

func (c *check) labels(p pool) {
	for _, key := range slices.Sorted(maps.Keys(p.Labels)) {
		// Azure gives that label to the nodes of a spot pool itself.
		if p.Spot && key == spotLabel && p.Labels[key] == spotValue {
			continue
		}
		if strings.HasPrefix(key, "kubernetes.azure.com/") {
			c.Report(labelReserved, rule.Problem{
				Path: p.at + "labels[" + key + "]", Detail: "Azure keeps kubernetes.azure.com/ for its own labels",
				Fix: "use a domain of your own",
			})
		}
	}
}
