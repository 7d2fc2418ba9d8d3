package connectivity

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// tolerations returns tolerations for all taints of a platform's pools, including those that keep other workloads off:
// each of its nodes may be the second one that a pod needs.
func tolerations(t topology.Topology, p platform.Platform) []corev1.Toleration {
	var all []corev1.Toleration
	for _, pool := range t.PoolsOf(p) {
		for _, taint := range pool.Taints {
			if one := topology.Tolerate(taint); !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	return all
}
