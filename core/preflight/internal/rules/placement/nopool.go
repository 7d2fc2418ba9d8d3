package placement

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var poolRules = []engine.Rule{FitsNoPool, daemonSetWithoutToleration}

// Nowhere are the IDs of the rules that only say that pods run nowhere: whatever says more silences them.
var Nowhere = []string{FitsNoPool.ID, daemonSetWithoutToleration.ID}

// FitsNoPool is MK303.
var FitsNoPool = engine.Rule{
	Rule: rule.Rule{
		ID: "MK303", Severity: rule.Error, Title: "pods that fit no pool of the topology", Page: rulepages.Placement,
		Reason: "No node of the topology accepts the pods: they stay Pending forever. A DaemonSet gets no pods: it " +
			"is reported if a component has its platform as an argument. It is a warning if the topology is partial.",
		Source: "https://kubernetes.io/docs/concepts/scheduling-eviction/kube-scheduler/",
	},
	Checks: []engine.Check{
		engine.On(subject.PodsWithoutPool, func(p *subject.Pods) []rule.Problem {
			var found []rule.Problem
			for _, without := range p.PlatformsWithoutPool() {
				found = append(found, noPool(p, rule.Problem{
					Path: without.Path, Value: without.Value, Detail: without.Detail,
					Fix: "add a pool, or use one of these platforms",
				}))
			}
			return found
		}),
		engine.On(subject.Landing, func(p *subject.Pods) []rule.Problem {
			l := p.Landed()
			if p.Kind == "DaemonSet" || l.Possible || l.Open && imagesAreWrong(p) {
				return nil
			}
			return fitsNoPool(p)
		}),
	},
}

// noPool returns the problem that no pool of the topology runs the pods. Others may if the topology is partial.
func noPool(p *subject.Pods, found rule.Problem) rule.Problem {
	if p.Cluster.Topology.Partial {
		found.Severity = rule.Warning
	}
	return found
}

// imagesAreWrong reports whether the images themselves are wrong, so that they need not be named as the reason why the
// pods cannot run.
func imagesAreWrong(p *subject.Pods) bool {
	return slices.ContainsFunc(p.WrongImages(), func(w subject.WrongImage) bool { return !w.OnSome })
}

// fitsNoPool names the pool that the pods come closest to.
func fitsNoPool(p *subject.Pods) []rule.Problem {
	answer, hidden := p.Placement()
	nearest, ok := answer.Nearest(p.OS(), p.Target.LikelyRelease())
	if !ok {
		return nil
	}
	reasons := nearest.Reasons()
	if imagesAreWrong(p) {
		reasons = slices.DeleteFunc(reasons, func(r placement.Reason) bool { return r.Container != "" })
	}
	detail, fix := "fits no pool of the topology", ""
	switch {
	case hidden || len(reasons) == 0:
	case reasons[0].Kind == placement.KindRuntimeClass:
		// It applies to all pools, and the other reasons follow from it.
		detail, fix = detail+": "+reasons[0].Text, reasons[0].Fix
	default:
		texts, fixes := wordsOf(reasons)
		detail += "; the nearest is " + nearest.Pool.Name + " (" + strings.Join(texts, "; ") + ")"
		fix = strings.Join(fixes, ", and ")
		if host := nearest.Pool.Platform; refused(p, host) {
			fix += relaxing(p, []platform.Platform{host}, p.Target.Images...)
		}
		if slices.ContainsFunc(reasons, func(r placement.Reason) bool { return r.Label == labelBuild }) {
			fix += movingPins(p)
		}
	}
	return []rule.Problem{noPool(p, rule.Problem{Path: p.Path(), Detail: detail, Fix: fix})}
}

// wordsOf returns the texts of reasons, and their fixes without duplicates.
func wordsOf(reasons []placement.Reason) (texts, fixes []string) {
	seen := map[string]bool{} // a pool can have many taints
	for _, reason := range reasons {
		texts = append(texts, reason.Text)
		if !seen[reason.Fix] {
			seen[reason.Fix] = true
			fixes = append(fixes, reason.Fix)
		}
	}
	return texts, fixes
}

// movingPins returns, for the end of a fix, whether mixedkube can move a build that pods select and no pool has.
func movingPins(p *subject.Pods) string {
	if mark, _ := pods.ReadPlaced(p.Object); slices.Contains(mark.Labels, labelBuild) {
		return "; mixedkube wrote this selector, and moves it with adopt (Place in programs) if a pool runs the images"
	} else if len(mark.Labels) > 0 {
		return "" // people wrote the build later
	}
	pin := p.Cluster.Pin(p.Pods, &p.Target)
	if pin == nil {
		return ""
	}
	if pin.Earlier {
		return ", or move it with MovePins (adopt --move-pins): an earlier version of mixedkube wrote the node selector"
	}
	selector := tree.Map(p.Spec["nodeSelector"])
	release, _ := pods.ExactBuild(pin.Build)
	for key, value := range topology.NodeSelector(release) {
		if have, _ := tree.Text(selector[key]); have != value {
			return "" // somebody else wrote it
		}
	}
	return "; MovePins (adopt --move-pins) leaves it: it is not the whole node selector that mixedkube writes for " +
		"these images"
}

// refused reports whether nodes of a release do not run an image of the pods.
func refused(p *subject.Pods, host platform.Platform) bool {
	return host.IsWindows() && p.ReleaseMatters() == platform.Yes &&
		slices.ContainsFunc(p.Target.Images, func(image platform.Image) bool { return p.Cluster.Refuses(host, image) })
}

// relaxing returns the choice of relaxed matching, if nodes of all the releases then run the images.
func relaxing(p *subject.Pods, hosts []platform.Platform, images ...platform.Image) string {
	for _, host := range hosts {
		if p.Cluster.MatchingOf(host) == platform.Relaxed {
			return ""
		}
		for _, image := range images {
			if platform.CanRun(host, image, platform.Relaxed) == platform.No {
				return ""
			}
		}
	}
	return ", or set matching: relaxed if the nodes run images of older releases" + p.Cluster.UnsupportedByAKS()
}

var daemonSetWithoutToleration = engine.Rule{
	Rule: rule.Rule{
		ID: "MK312", Severity: rule.Error, Title: "a DaemonSet that does not tolerate the taint of its pools",
		Page: rulepages.Taints,
		Reason: "The DaemonSet controller creates no pod for a node whose taint the pod template does not tolerate, " +
			"whatever the RuntimeClass tolerates, and reports no error.",
		Source: "pkg/controller/daemon/daemon_controller.go of Kubernetes 1.36.3, NodeShouldRunDaemonPod; " +
			"https://github.com/kubernetes/kubernetes/issues/111590",
	},
	Checks: []engine.Check{engine.On(subject.WindowsLanding, func(p *subject.Pods) []rule.Problem {
		// Pods without any node to run on do not fail on one.
		if p.Kind != "DaemonSet" || p.Landed().Reachable {
			return nil
		}
		answer, _ := p.Placement()
		for i := range answer.Verdicts {
			v := &answer.Verdicts[i]
			if v.Pool.Platform.OS() != platform.WindowsOS || v.Runs == platform.No {
				continue
			}
			if taints, only := onlyTaints(p, v); only {
				return []rule.Problem{{
					Path: p.Path("tolerations"),
					Detail: "the DaemonSet controller creates no pods for the nodes of pool " + v.Pool.Name +
						", whose taint the pods do not tolerate",
					Fix: "tolerate " + strings.Join(taints, ", and ") + " in the pods themselves",
				}}
			}
		}
		return nil
	})},
}

// onlyTaints reports whether only taints keep the pods off a pool, and returns the taints that the pods themselves do
// not tolerate.
func onlyTaints(p *subject.Pods, v *placement.Verdict) ([]string, bool) {
	reasons := v.Reasons()
	if len(reasons) == 0 {
		return nil, false
	}
	for _, reason := range reasons {
		if reason.Kind != placement.KindTaint && reason.Kind != placement.KindRuntimeClass {
			return nil, false
		}
	}
	tolerations := p.Tolerations()
	var taints []string
	for i := range v.Pool.Taints {
		taint := &v.Pool.Taints[i]
		if !placement.Tolerates(tolerations, taint) && taint.Effect != corev1.TaintEffectPreferNoSchedule {
			taints = append(taints, topology.FormatTaint(*taint))
		}
	}
	return taints, len(taints) > 0
}
