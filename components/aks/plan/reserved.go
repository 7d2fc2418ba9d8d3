package plan

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/noderoom"
)

// Reserved is what AKS keeps from the pods of a node of a pool. Where nobody says how many pods
// it takes, and so neither what mode the network is in, it counts as the mode with the fewest.
func Reserved(p topology.Pool) corev1.ResourceList {
	nominal, _ := p.Capacity()
	pods := cmp.Or(p.MaxPods, defaultPods[NodeSubnet])
	return noderoom.AKS(nominal, p.Platform.IsWindows(), p.KubernetesVersion, pods)
}

// ReservedIn is Reserved in a cluster with a network mode, which says how many pods there are by
// default.
func ReservedIn(p topology.Pool, mode NetworkMode) corev1.ResourceList {
	p.MaxPods = cmp.Or(p.MaxPods, defaultPods[mode])
	return Reserved(p)
}
