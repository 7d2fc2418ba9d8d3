package arm

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/noderoom"
)

// nodePools are the pools of all clusters, as their nodes register.
func nodePools(s *state) []Pool {
	pools := []Pool{}
	for _, cluster := range s.all(kindCluster) {
		for _, pool := range s.below(cluster.ID, kindPool) {
			pools = append(pools, Pool{Cluster: cluster.ID, Pool: nodePool(cluster, pool)})
		}
	}
	return pools
}

func nodePool(cluster, stored *resource) topology.Pool {
	p := typed[poolProperties](stored.properties())
	pool := topology.Pool{
		Name:              nameOf(stored.ID),
		Platform:          platformOf(string(value(p.OSSKU))),
		Mode:              topology.Mode(value(p.Mode)),
		Count:             int(value(p.Count)),
		Size:              value(p.VMSize),
		OSDiskSizeGB:      int(value(p.OSDiskSizeGB)),
		OSDiskType:        topology.OSDiskType(value(p.OSDiskType)),
		Spot:              value(p.ScaleSetPriority) == "Spot",
		FIPS:              value(p.EnableFIPS),
		MaxPods:           int(value(p.MaxPods)),
		KubernetesVersion: value(p.CurrentOrchestratorVersion),
		Labels:            nodeLabels(cluster, stored, p),
		Untainted:         len(p.NodeTaints) == 0,
	}
	stopped := p.PowerState != nil && value(p.PowerState.Code) == "Stopped"
	if pool.Count == 0 || stopped {
		pool.Count, pool.Empty = 0, true
	}
	for _, zone := range p.AvailabilityZones {
		pool.Zones = append(pool.Zones, value(zone))
	}
	for _, taint := range p.NodeTaints {
		pool.Taints = append(pool.Taints, taintOf(value(taint)))
	}
	nominal, _ := pool.Capacity()
	pool.Reserved = noderoom.AKS(nominal, pool.Platform.IsWindows(), pool.KubernetesVersion, pool.MaxPods)
	return pool
}

func platformOf(osSKU string) platform.Platform {
	switch osSKU {
	case "Windows2019":
		return platform.WindowsServer2019
	case "Windows2022":
		return platform.WindowsServer2022
	case "Windows2025":
		return platform.WindowsServer2025
	case "WindowsAnnual":
		return platform.WindowsServer23H2
	default:
		return platform.Linux
	}
}

// nodeLabels are the pool's own and those of
// https://learn.microsoft.com/azure/aks/use-labels.
func nodeLabels(cluster, stored *resource, p poolProperties) map[string]string {
	name := nameOf(stored.ID)
	const domain = "kubernetes.azure.com/"
	storage := strings.ToLower(string(value(p.OSDiskType)))
	labels := map[string]string{
		"agentpool":          name,
		"storageprofile":     storage,
		domain + "agentpool": name,
		domain + "cluster": strings.TrimRight(shorten(textAt(cluster.Body, "properties.nodeResourceGroup"),
			63), "-_."),
		domain + "managedby":          "aks",
		domain + "mode":               strings.ToLower(string(value(p.Mode))),
		domain + "node-image-version": value(p.NodeImageVersion),
		domain + "os-sku":             string(value(p.OSSKU)),
		domain + "role":               "agent",
		domain + "storageprofile":     storage,
		corev1.LabelTopologyRegion:    textAt(cluster.Body, "location"),
	}
	if value(p.EnableFIPS) {
		labels[domain+"fips_enabled"] = "true"
	}
	for key, text := range p.NodeLabels {
		labels[key] = value(text)
	}
	return labels
}

// taintOf reads key=value:Effect, which was checked before.
func taintOf(text string) corev1.Taint {
	head, effect, _ := strings.Cut(text, ":")
	key, content, _ := strings.Cut(head, "=")
	return corev1.Taint{Key: key, Value: content, Effect: corev1.TaintEffect(effect)}
}
