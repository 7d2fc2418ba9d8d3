package topology

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
)

// Tolerations returns the tolerations that a pod needs to run on the pools of one platform: one for each taint that all
// of them share, and one for [WindowsTaint] if any of them has it, without duplicates, in the order of the pools. Any
// other taint that only some pools of the platform have reserves those pools for certain workloads, which tolerate it
// themselves. [WindowsTaint] reserves nothing: it only repels pods for other systems.
func (t Defaulted) Tolerations(p platform.Platform) []corev1.Toleration {
	pools := t.PoolsOf(p)
	having := map[corev1.Toleration]int{} // how many pools have its taint
	for _, pool := range pools {
		for _, toleration := range tolerating(pool.Taints) {
			having[toleration]++
		}
	}
	having[Tolerate(WindowsTaint())] = len(pools)
	var tolerations []corev1.Toleration
	for _, pool := range pools {
		for _, toleration := range tolerating(pool.Taints) {
			if having[toleration] == len(pools) {
				tolerations = append(tolerations, toleration)
				delete(having, toleration)
			}
		}
	}
	return tolerations
}

// tolerating returns the tolerations of taints, without duplicates.
func tolerating(taints []corev1.Taint) []corev1.Toleration {
	var tolerations []corev1.Toleration
	seen := map[corev1.Toleration]bool{}
	for _, taint := range taints {
		if toleration := Tolerate(taint); !seen[toleration] {
			seen[toleration] = true
			tolerations = append(tolerations, toleration)
		}
	}
	return tolerations
}

// Tolerate returns the toleration that matches exactly one taint.
func Tolerate(taint corev1.Taint) corev1.Toleration {
	return corev1.Toleration{
		Key: taint.Key, Operator: corev1.TolerationOpEqual, Value: taint.Value, Effect: taint.Effect,
	}
}
