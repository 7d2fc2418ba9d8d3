package arm

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/noderoom"
)

// nodePools returns the pools of all clusters, as their nodes register.
func nodePools(s *state) []Pool {
	pools := []Pool{}
	for _, cluster := range s.all(kindCluster) {
		forced := forcesUpgrades(cluster)
		for _, pool := range s.below(cluster.ID, kindPool) {
			p := typed[poolProperties](pool.properties())
			pools = append(pools, Pool{
				Cluster: cluster.ID, Pool: nodePool(cluster, pool), Machine: machineOf(pool.properties()),
				Upgrade: upgradeOf(p), Stopped: isStopped(p), Deleting: value(p.ProvisioningState) == "Deleting",
				Rolling: s.isRolling(pool.ID), IgnoreBudgets: forced,
			})
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
	if pool.Count == 0 || isStopped(p) {
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

func isStopped(p poolProperties) bool {
	return p.PowerState != nil && value(p.PowerState.Code) == "Stopped"
}

func platformOf(osSKU string) platform.Platform {
	sku, _ := facts.SKUNamed(osSKU)
	switch {
	case !sku.Windows:
		return platform.Linux
	case sku.Platform == "": // the only release of the annual channel
		return platform.WindowsServer23H2
	default:
		return platform.Platform(sku.Platform)
	}
}

// taintOf parses key=value:Effect, which was checked before.
func taintOf(text string) corev1.Taint {
	head, effect, _ := strings.Cut(text, ":")
	key, content, _ := strings.Cut(head, "=")
	return corev1.Taint{Key: key, Value: content, Effect: corev1.TaintEffect(effect)}
}

// NodeName returns the name of a node of a pool: the name of the pool's scale set, followed by the number of the
// machine, counted from 0, in six digits of base 36
// (https://learn.microsoft.com/azure/virtual-machine-scale-sets/virtual-machine-scale-sets-instance-ids). On Windows it
// has only the pool's name, because a computer name there has at most 15 characters
// (https://learn.microsoft.com/azure/aks/upgrade-windows-os). The eight digits in the name of a Linux node are a hash
// of the pool's name here, so that they stay the same.
func NodeName(pool topology.Pool, number int) string {
	counter := fmt.Sprintf("%06s", strconv.FormatInt(int64(number), 36))
	if pool.Platform.IsWindows() {
		return "aks" + pool.Name + counter
	}
	hash := fnv.New32a()
	hash.Write([]byte(pool.Name))
	return fmt.Sprintf("aks-%s-%08d-vmss%s", pool.Name, hash.Sum32()%1e8, counter)
}
