package plan

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts/noderoom"
)

// Reserved returns the resources that AKS reserves on a node of a pool, which pods cannot use. If neither the pool's
// maxPods nor the mode is known, it assumes the mode with the fewest pods.
func Reserved(p topology.Pool, mode NetworkMode) corev1.ResourceList {
	nominal, _ := p.Capacity()
	pods := cmp.Or(p.MaxPods, defaultPods[mode], defaultPods[NodeSubnet])
	return noderoom.AKS(nominal, p.Platform.IsWindows(), p.KubernetesVersion, pods)
}
