package topology

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
)

// Tolerations are what a pod needs to run on the pools of one platform: a
// toleration for each taint that all of them share, and for [WindowsTaint] if any
// of them has it, each once, in the order of the pools. Another taint that only
// some pools of the platform have sets those apart for certain workloads, which
// tolerate it themselves. [WindowsTaint] reserves nothing: it only keeps pods of
// other systems off.
func (t Defaulted) Tolerations(p platform.Platform) []corev1.Toleration {
	pools := t.PoolsOf(p)
	windows := WindowsTaint()
	var tolerations []corev1.Toleration
	for _, pool := range pools {
		for _, taint := range pool.Taints {
			reserves := !HasTaint([]corev1.Taint{windows}, taint) &&
				slices.ContainsFunc(pools, func(other Pool) bool { return !HasTaint(other.Taints, taint) })
			if toleration := Tolerate(taint); !reserves && !slices.Contains(tolerations, toleration) {
				tolerations = append(tolerations, toleration)
			}
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
