package plan

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/noderoom"
)

// Reserved is what AKS keeps from the pods of a node of a pool. In a mode that is not known, a
// node of a pool that does not say how many pods it takes counts as one of the mode with the
// fewest.
func Reserved(p topology.Pool, mode NetworkMode) corev1.ResourceList {
	nominal, _ := p.Capacity()
	pods := cmp.Or(p.MaxPods, defaultPods[mode], defaultPods[NodeSubnet])
	return noderoom.AKS(nominal, p.Platform.IsWindows(), p.KubernetesVersion, pods)
}
