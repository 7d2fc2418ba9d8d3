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

// MaxPods is how many pods a node of a pool takes in a cluster with a network mode; 0 for a mode
// that is not known.
func MaxPods(p topology.Pool, mode NetworkMode) int { return cmp.Or(p.MaxPods, defaultPods[mode]) }
