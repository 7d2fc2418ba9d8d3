package placement

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/core/value"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var tolerationRules = []engine.Rule{tolerationMissesOnlyPools, tolerationMissesPool}

var tolerationMissesOnlyPools = engine.Rule{
	Rule: rule.Rule{
		ID: "MK306", Severity: rule.Error, Page: rulepages.Taints,
		Title: "a toleration that does not match the taint of the only pools for the pods",
		Reason: "A toleration matches a taint only if key, value and effect match, and case matters. There is no " +
			"Windows taint that all clusters share: os=windows and node.kubernetes.io/os=windows are both common.",
		Source: "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/",
	},
	Silences: Nowhere,
	Checks: []engine.Check{engine.On(subject.Tolerating, func(p *subject.Pods) []rule.Problem {
		if p.Landed().Reachable {
			return nil
		}
		return nearTolerations(p)
	})},
}

var tolerationMissesPool = engine.Rule{
	Rule: rule.Rule{
		ID: "MK313", Severity: rule.Warning, Title: "a toleration that does not match the taint of a pool",
		Page: rulepages.Taints,
		Reason: "The toleration matches no taint of the topology, but nearly matches one. The pods fit other pools, " +
			"but not this one.",
		Source: "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/",
	},
	Checks: []engine.Check{engine.On(subject.Tolerating, func(p *subject.Pods) []rule.Problem {
		if !p.Landed().Reachable {
			return nil
		}
		return nearTolerations(p)
	})},
}

// nearTolerations returns the tolerations that match no taint of the topology, but nearly match the one that keeps the
// pods off a pool.
func nearTolerations(p *subject.Pods) []rule.Problem {
	var found []rule.Problem
	var repelled []repelling
	read := false
	for i, v := range tree.List(p.Spec["tolerations"]) {
		toleration, hidden, ok := pods.ReadToleration(v)
		if !ok || toleration.Key == "" || matchesSomeTaint(p.Cluster, toleration) {
			continue
		}
		if !read {
			repelled, read = repellingPools(p), true
		}
		pool, taint, near := missed(toleration, repelled)
		if !near {
			continue
		}
		text := topology.FormatTaint(taint)
		problem := rule.Problem{
			Path: p.Path("tolerations", i), Value: formatToleration(toleration),
			Detail: "does not match the taint " + text + " of pool " + pool, Fix: "tolerate " + text,
		}
		if hidden {
			problem.Value = value.Secret{}
		}
		found = append(found, problem)
	}
	return found
}

func matchesSomeTaint(c *subject.Cluster, toleration corev1.Toleration) bool {
	for i := range c.Topology.Pools {
		for j := range c.Topology.Pools[i].Taints {
			if placement.Tolerates([]corev1.Toleration{toleration}, &c.Topology.Pools[i].Taints[j]) {
				return true
			}
		}
	}
	return false
}

// repelling is a pool that pods do not get to, with the taints that no toleration of them matches.
type repelling struct {
	pool   string
	taints []corev1.Taint
}

// repellingPools returns the pools for the pods' operating system that only taints keep the pods off. It compares all
// tolerations of the pods with the taints: do not call it for each of them.
func repellingPools(p *subject.Pods) []repelling {
	os := p.OS()
	answer, _ := p.Placement()
	tolerations := append(p.Tolerations(), p.Cluster.ClassTolerations(p.Pods, &p.Target)...)
	var all []repelling
	for i := range answer.Verdicts {
		v := &answer.Verdicts[i]
		if os != "" && v.Pool.Platform.OS() != os {
			continue
		}
		taints := slices.DeleteFunc(slices.Clone(v.Pool.Taints), func(taint corev1.Taint) bool {
			return placement.Tolerates(tolerations, &taint)
		})
		if len(taints) == 0 {
			continue
		}
		if reasons := v.Reasons(); len(reasons) > 0 &&
			!slices.ContainsFunc(reasons, func(r placement.Reason) bool { return r.Kind != placement.KindTaint }) {
			all = append(all, repelling{v.Pool.Name, taints})
		}
	}
	return all
}

// missed returns the pool that the toleration was probably written for, and the intended taint.
func missed(toleration corev1.Toleration, pools []repelling) (pool string, taint corev1.Taint, found bool) {
	for _, p := range pools {
		near := slices.IndexFunc(p.taints, func(taint corev1.Taint) bool { return isNear(toleration, taint) })
		if near >= 0 {
			return p.pool, p.taints[near], true
		}
	}
	return "", corev1.Taint{}, false
}

// isNear reports whether a toleration differs from a taint only in its case, in the domain of the key, or in the
// effect.
func isNear(t corev1.Toleration, taint corev1.Taint) bool {
	nameOf := func(key string) string { return key[strings.LastIndexByte(key, '/')+1:] }
	return strings.EqualFold(nameOf(t.Key), nameOf(taint.Key)) &&
		(t.Operator == corev1.TolerationOpExists || strings.EqualFold(t.Value, taint.Value))
}

// formatToleration writes a toleration as the taint that it matches.
func formatToleration(t corev1.Toleration) string {
	text := t.Key
	if t.Operator != corev1.TolerationOpExists {
		text += "=" + t.Value
	}
	if t.Effect != "" {
		text += ":" + string(t.Effect)
	}
	return text
}
