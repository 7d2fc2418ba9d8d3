package bootstrap

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts/noderoom"
)

// Reserved returns what the nodes of a pool keep from pods with these options and their defaults,
// for [topology.Pool.Reserved]: systemReserved, kubeReserved and the hard eviction threshold
// of memory.
func (o KubeletOptions) Reserved(p topology.Pool) corev1.ResourceList {
	capacity, _ := p.NodeCapacity()
	kubelet := noderoom.Kubelet{
		SystemReserved: o.systemReserved(p), KubeReserved: o.kubeReserved(p), EvictionHard: o.evictionHard(p),
	}
	return kubelet.Reserved(capacity)
}

// evictionHard returns all signals: given one, the kubelet drops its defaults of the others.
func (o KubeletOptions) evictionHard(p topology.Pool) map[string]string {
	return merged(evictionDefaults(p), o.EvictionHard)
}
