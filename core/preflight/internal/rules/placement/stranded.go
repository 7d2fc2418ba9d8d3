package placement

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var strandedRules = []engine.Rule{podsStranded}

var podsStranded = engine.Rule{
	Rule: rule.Rule{
		ID: "MK319", Severity: rule.Error, Title: "pods that a planned change of the cluster strands",
		Page: rulepages.Placement,
		Reason: "The pods can land on a pool of the topology, and no pool of the planned topology accepts and runs " +
			"them: they stay Pending after the change, and a DaemonSet gets no pods. The plan must list all labels " +
			"of its pools, except those that clouds and Kubernetes set. It is a warning if the plan is partial, or " +
			"if pods name a node that the plan may remove.",
		Source: "https://kubernetes.io/docs/concepts/scheduling-eviction/kube-scheduler/, " +
			"https://learn.microsoft.com/azure/aks/upgrade-windows-os",
	},
	Checks: []engine.Check{engine.On(subject.MovingPods, func(p *subject.Pods) []rule.Problem {
		m := moveOfPods(p)
		var found []rule.Problem
		if pods.IsSet(p.Spec, "nodeName") && (!m.strands() || !m.hidden) {
			found = strandedWithoutName(p)
		}
		if m.strands() {
			return append(found, strandedPods(p, m))
		}
		if named, ok := namedNodes(p); ok {
			found = append(found, onNamedNodes(p.Cluster, named, m, "select a label of a pool that stays")...)
		}
		return found
	})},
}

// moveOfPods compares where pods can land.
func moveOfPods(p *subject.Pods) move {
	today, plan := p.Cluster.Today, p.Cluster.Plan
	later := p.Target
	if class, _ := today.Existing(p.ClassName()); class != nil && class == later.Class {
		later.Class, _ = plan.Existing(p.ClassName())
	}
	planned, hidden := plan.Place(p.Pods, &later)
	now, hiddenNow := today.Place(p.Pods, &p.Target)
	m := moveOf(now, planned, hidden || hiddenNow)
	m.os, m.release = cmp.Or(p.OS(), m.os), cmp.Or(p.Target.LikelyRelease(), m.release)
	return m
}

// strandedWithoutName judges pods that name their node by what else they require of nodes: the kubelet checks it, and
// it would keep the pods off the plan if they no longer named the node.
func strandedWithoutName(p *subject.Pods) []rule.Problem {
	spec := map[string]any{"tolerations": []any{map[string]any{"operator": string(corev1.TolerationOpExists)}}}
	for _, key := range [...]string{"nodeSelector", "affinity", "runtimeClassName"} {
		if v, ok := p.Spec[key]; ok {
			spec[key] = v
		}
	}
	target := p.Target
	target.Declared, target.Volumes = "", pods.Volumes{}
	unnamed := &subject.Pods{Pods: pods.OfSpec(spec), Target: target, Cluster: p.Cluster}
	if m := moveOfPods(unnamed); m.strands() {
		return []rule.Problem{strandedPods(p, m)}
	}
	return nil
}

// strandedPods returns the problem of pods that a move strands.
func strandedPods(p *subject.Pods, m move) rule.Problem {
	if m.hidden {
		return stranded(p.Cluster, rule.Problem{
			Path: p.Path(), Detail: "the pods can land on a pool of the topology, and on none of the plan",
			Fix: "change what they require, which has a secret, or keep such a pool",
		})
	}
	nearest := m.nearest()
	reasons := nearest.Reasons()
	path, value := whereRequired(p, &reasons[0])
	return stranded(p.Cluster, rule.Problem{
		Path: path, Value: value, Detail: m.text("the pods can%s land", "on", nearest), Fix: strandedFix(p, m, nearest),
	})
}

// stranded completes a problem with the plan. A pool that is not listed may exist if the plan is partial.
func stranded(c *subject.Cluster, found rule.Problem) rule.Problem {
	if c.Plan.Topology.Partial {
		found.Severity = rule.Warning
		found.Detail += "; the plan is partial, and may have another pool"
	}
	return found
}

// whereRequired returns the path of what the reason is about, and the value there.
func whereRequired(p *subject.Pods, r *placement.Reason) (path string, value any) {
	switch {
	case r.Container != "":
		i, _ := strconv.Atoi(r.Container)
		return p.In(&p.Containers[i], "image"), p.Containers[i].Spec["image"]
	case r.ByClass, r.Kind == placement.KindRuntimeClass:
		return p.Path("runtimeClassName"), p.Spec["runtimeClassName"]
	case r.Kind == placement.KindNode:
		return p.Path("nodeName"), p.Spec["nodeName"]
	case r.Kind == placement.KindOS:
		return p.Path("os", "name"), tree.Map(p.Spec["os"])["name"]
	case r.Kind == placement.KindTaint:
		return p.Path("tolerations"), nil
	case r.Kind == placement.KindVolume:
		return p.Path("volumes"), nil
	case r.Label == "":
		return p.Path(), nil
	}
	if v, ok := tree.Map(p.Spec["nodeSelector"])[r.Label]; ok {
		return p.Path("nodeSelector", pods.Key(r.Label)), v
	}
	keys, e := subject.ExpressionAbout(p.RequiredTerms(), r.Label)
	return valueIn(keys, e, p.AffinityPath)
}

// strandedFix returns how to make the pods run on the nearest pool of the plan.
func strandedFix(p *subject.Pods, m move, nearest placement.Verdict) string {
	if m.os != "" && nearest.Pool.Platform.OS() != m.os {
		return "add a " + m.os.DisplayName() + " pool to the plan"
	}
	var rebuilds, fixes []string
	relaxed := true
	for _, r := range nearest.Reasons() {
		if r.Kind != placement.KindBuild || r.Container == "" {
			if !slices.Contains(fixes, r.Fix) {
				fixes = append(fixes, r.Fix)
			}
			continue
		}
		i, _ := strconv.Atoi(r.Container)
		ref, _ := p.Containers[i].Spec["image"].(string)
		if fix := rebuildFix(ref, nearest.Pool.Platform); !slices.Contains(rebuilds, fix) {
			rebuilds = append(rebuilds, fix)
		}
		relaxed = relaxed &&
			platform.CanRun(nearest.Pool.Platform, p.Target.Images[i], platform.Relaxed) == platform.Yes
	}
	if len(rebuilds) > 0 && relaxed {
		rebuilds[len(rebuilds)-1] += ", or write matching: relaxed in the plan if its nodes run images of an older " +
			"release" + p.Cluster.UnsupportedByAKS()
	}
	return strings.Join(append(rebuilds, fixes...), ", and ")
}

// rebuildFix returns which tag of a published image, or which own image, is for the release.
func rebuildFix(ref string, release platform.Platform) string {
	if _, published := platform.PublishedTag(ref, release); published {
		return subject.ImageFix(ref, release)
	}
	return "rebuild the image for " + subject.ProductName(release)
}
