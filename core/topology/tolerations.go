package topology

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
)

// Tolerations returns the tolerations that a workload needs to run on the pools of one platform: one for each taint
// that all of them share, and one for each that any of them has for its operating system ([WindowsTaint]; for Linux, a
// key os in any domain with the value linux), without duplicates, in the order of the pools. Any other taint that only
// some pools of the platform have reserves those pools for certain workloads, which tolerate it themselves. A taint
// for the operating system reserves nothing: it only repels pods for other systems. Pods that must run on reserved
// pools too have [Defaulted.AgentTolerations] or [Defaulted.AllTolerations].
func (t Defaulted) Tolerations(p platform.Platform) []corev1.Toleration {
	pools := t.PoolsOf(p)
	having := map[corev1.Toleration]int{} // how many pools have its taint
	for _, pool := range pools {
		for _, toleration := range tolerating(pool.Taints) {
			having[toleration]++
		}
	}
	for _, toleration := range t.SystemTolerations(p) {
		having[toleration] = len(pools)
	}
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

// SystemTolerations returns the tolerations of the taints that pools of a platform have for its operating system: see
// [Defaulted.Tolerations]. They are right for all pods for this system.
func (t Defaulted) SystemTolerations(p platform.Platform) []corev1.Toleration {
	var taints []corev1.Taint
	for _, pool := range t.PoolsOf(p) {
		for _, taint := range pool.Taints {
			if pool.tellsSystem(taint) {
				taints = append(taints, taint)
			}
		}
	}
	return tolerating(taints)
}

// LikelyTolerations returns the tolerations for the pools of a platform that need not be in the topology: those of
// [Defaulted.Tolerations], or the one for [WindowsTaint] if the topology has no pools of a Windows platform.
func (t Defaulted) LikelyTolerations(p platform.Platform) []corev1.Toleration {
	if p.IsWindows() && len(t.PoolsOf(p)) == 0 {
		return []corev1.Toleration{Tolerate(WindowsTaint())}
	}
	return t.Tolerations(p)
}

// AgentTolerations returns the tolerations of pods that belong to their nodes, such as an agent that a DaemonSet runs
// on each Windows node: one for each taint that keeps pods off a pool of these platforms, or off a Windows pool if
// there are none, without duplicates, in the order of the pools. A pool that is reserved for certain workloads needs
// its agents too. Pods of a DaemonSet need no toleration for the effect PreferNoSchedule, which keeps none of them off.
// A topology that is not set counts as one with the default taint of Windows pools.
func (t Defaulted) AgentTolerations(platforms ...platform.Platform) []corev1.Toleration {
	if !t.IsSet() {
		return []corev1.Toleration{Tolerate(WindowsTaint())}
	}
	var taints []corev1.Taint
	for _, pool := range t.Pools {
		if !slices.Contains(platforms, pool.Platform) && (len(platforms) > 0 || !pool.Platform.IsWindows()) {
			continue
		}
		for _, taint := range pool.Taints {
			if taint.Effect != corev1.TaintEffectPreferNoSchedule {
				taints = append(taints, taint)
			}
		}
	}
	return tolerating(taints)
}

// AllTolerations returns the tolerations for all taints of the pools of a platform, without duplicates, in the order of
// the pools: for pods that test a cluster, which need any of its nodes. PreferNoSchedule counts too: each node may be
// the second one that such a pod needs.
func (t Defaulted) AllTolerations(p platform.Platform) []corev1.Toleration {
	var taints []corev1.Taint
	for _, pool := range t.PoolsOf(p) {
		taints = append(taints, pool.Taints...)
	}
	return tolerating(taints)
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
