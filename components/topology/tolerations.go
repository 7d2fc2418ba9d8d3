package topology

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
)

// Tolerations are what a pod needs to run on the pools of one platform: a
// toleration for each taint that all of them share, in the order of the first
// pool. A taint that only some pools of the platform have sets those apart for
// certain workloads, which tolerate it themselves.
func (t Topology) Tolerations(p platform.Platform) []corev1.Toleration {
	pools := t.PoolsOf(p)
	if len(pools) == 0 {
		return nil
	}
	var tolerations []corev1.Toleration
	for _, taint := range pools[0].Taints {
		if !slices.ContainsFunc(pools[1:], func(other Pool) bool { return !HasTaint(other.Taints, taint) }) {
			tolerations = append(tolerations, Tolerate(taint))
		}
	}
	return tolerations
}

// Tolerate is the toleration that matches a taint and nothing else.
func Tolerate(taint corev1.Taint) corev1.Toleration {
	return corev1.Toleration{
		Key: taint.Key, Operator: corev1.TolerationOpEqual, Value: taint.Value, Effect: taint.Effect,
	}
}
