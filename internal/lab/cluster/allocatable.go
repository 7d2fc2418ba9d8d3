package cluster

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
	"github.com/mixedkube/mixedkube/internal/core/facts/noderoom"
)

// setAllocatable subtracts from a node what the configuration of its kubelet reserves.
func setAllocatable(node *corev1.Node, k machine.Kubelet) {
	if k.MaxPods > 0 {
		node.Status.Capacity[corev1.ResourcePods] = *resource.NewQuantity(int64(k.MaxPods), resource.DecimalSI)
	}
	kubelet := noderoom.Kubelet{
		SystemReserved: k.SystemReserved, KubeReserved: k.KubeReserved, EvictionHard: k.EvictionHard,
	}
	node.Status.Allocatable = noderoom.Allocatable(node.Status.Capacity, kubelet.Reserved(node.Status.Capacity))
}
