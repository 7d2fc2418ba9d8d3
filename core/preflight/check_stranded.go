package preflight

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var podsStranded = rule.Rule{
	ID: "MK319", Severity: rule.Error, Title: "pods that a planned change of the cluster strands",
	Reason: "The pods can land on a pool of the topology, and no pool of the planned topology accepts and runs " +
		"them: they stay Pending after the change, and a DaemonSet gets no pods. The plan must list all labels of " +
		"its pools, except those that clouds and Kubernetes set. It is a warning if the plan is partial, or if pods " +
		"name a node that the plan may remove.",
	Source: "https://kubernetes.io/docs/concepts/scheduling-eviction/kube-scheduler/, " +
		"https://learn.microsoft.com/azure/aks/upgrade-windows-os",
}

// stranded reports pods that have a pool now and none in the plan.
func (c *check) stranded(p *judged) {
	if c.plan == nil {
		return
	}
	m := c.moveOf(p)
	if pods.IsSet(p.Spec, "nodeName") && (!m.strands() || !m.hidden) {
		c.strandedWithoutName(p)
	}
	switch {
	case !m.strands():
		if named, ok := p.namedNodes(); ok {
			c.onNamedNodes(podsStranded, named, m, "select a label of a pool that stays")
		}
	default:
		c.reportPods(p, m)
	}
}

// moveOf compares where pods can land.
func (c *check) moveOf(p *judged) move {
	later := p.target
	if class, _ := c.today.Existing(p.ClassName()); class != nil && class == later.Class {
		later.Class, _ = c.plan.Existing(p.ClassName())
	}
	planned, hidden := c.plan.Place(p.Pods, &later)
	now, hiddenNow := c.today.Place(p.Pods, &p.target)
	m := moveOf(now, planned, hidden || hiddenNow)
	m.os, m.release = cmp.Or(p.target.OS(), m.os), cmp.Or(p.target.LikelyRelease(), m.release)
	return m
}

// strandedWithoutName reports pods that name their node if what else they require of nodes is missing in the plan: the
// kubelet checks it, and it would keep the pods off the plan if they no longer named the node.
func (c *check) strandedWithoutName(p *judged) {
	spec := map[string]any{"tolerations": []any{map[string]any{"operator": string(corev1.TolerationOpExists)}}}
	for _, key := range [...]string{"nodeSelector", "affinity", "runtimeClassName"} {
		if v, ok := p.Spec[key]; ok {
			spec[key] = v
		}
	}
	target := p.target
	target.Declared, target.Volumes = "", pods.Volumes{}
	if m := c.moveOf(&judged{Pods: pods.OfSpec(spec), target: target}); m.strands() {
		c.reportPods(p, m)
	}
}

// reportPods reports pods that a move strands.
func (c *check) reportPods(p *judged, m move) {
	if m.hidden {
		c.reportStranded(podsStranded, rule.Problem{
			Path: p.Path(), Detail: "the pods can land on a pool of the topology, and on none of the plan",
			Fix: "change what they require, which has a secret, or keep such a pool",
		})
		return
	}
	nearest := m.nearest()
	reasons := nearest.Reasons()
	path, value := p.whereRequired(&reasons[0])
	c.reportStranded(podsStranded, rule.Problem{
		Path: path, Value: value, Detail: m.text("the pods can%s land", "on", nearest),
		Fix: c.strandedFix(p, m, nearest),
	})
}

// reportStranded reports what the plan strands. A pool that is not listed may exist if the plan is partial.
func (c *check) reportStranded(broken rule.Rule, found rule.Problem) {
	if c.plan.Topology.Partial {
		broken.Severity = rule.Warning
		found.Detail += "; the plan is partial, and may have another pool"
	}
	c.report(broken, found)
}

// whereRequired returns the path of what the reason is about, and the value there.
func (s *judged) whereRequired(r *placement.Reason) (path string, value any) {
	switch {
	case r.Container != "":
		i, _ := strconv.Atoi(r.Container)
		return s.In(&s.Containers[i], "image"), s.Containers[i].Spec["image"]
	case r.ByClass, r.Kind == placement.KindRuntimeClass:
		return s.Path("runtimeClassName"), s.Spec["runtimeClassName"]
	case r.Kind == placement.KindNode:
		return s.Path("nodeName"), s.Spec["nodeName"]
	case r.Kind == placement.KindOS:
		return s.Path("os", "name"), tree.Map(s.Spec["os"])["name"]
	case r.Kind == placement.KindTaint:
		return s.Path("tolerations"), nil
	case r.Kind == placement.KindVolume:
		return s.Path("volumes"), nil
	case r.Label == "":
		return s.Path(), nil
	}
	if v, ok := tree.Map(s.Spec["nodeSelector"])[r.Label]; ok {
		return s.Path("nodeSelector", pods.Key(r.Label)), v
	}
	keys, e := expressionAbout(s.RequiredTerms(), r.Label)
	return valueIn(keys, e, s.affinityPath)
}

// affinityPath returns the path of a part of the terms of the required node affinity.
func (s *judged) affinityPath(keys []any) string {
	return s.Path(append([]any{
		"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms",
	}, keys...)...)
}

// valueIn returns the path of an expression, or of its value if it has only one, and the value.
func valueIn(keys []any, expression map[string]any, at func(keys []any) string) (path string, value any) {
	if values := tree.List(expression["values"]); len(values) == 1 {
		return at(append(keys, "values", 0)), values[0]
	}
	return at(keys), nil
}

// expressionAbout returns the first expression about a key in the terms of a node affinity, and its path there.
func expressionAbout(terms []any, key string) (path []any, expression map[string]any) {
	for i, term := range terms {
		for _, list := range [...]string{"matchExpressions", "matchFields"} {
			for j, v := range tree.List(tree.Map(term)[list]) {
				e := tree.Map(v)
				if about, _ := tree.Text(e["key"]); about == key {
					return []any{i, list, j}, e
				}
			}
		}
	}
	return nil, nil
}

// strandedFix returns how to make the pods run on the nearest pool of the plan.
func (c *check) strandedFix(s *judged, m move, nearest placement.Verdict) string {
	if m.os != "" && nearest.Pool.Platform.OS() != m.os {
		return "add a " + describe(m.os) + " pool to the plan"
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
		ref, _ := s.Containers[i].Spec["image"].(string)
		if fix := rebuildFix(ref, nearest.Pool.Platform); !slices.Contains(rebuilds, fix) {
			rebuilds = append(rebuilds, fix)
		}
		relaxed = relaxed &&
			platform.CanRun(nearest.Pool.Platform, s.target.Images[i], platform.Relaxed) == platform.Yes
	}
	if len(rebuilds) > 0 && relaxed {
		rebuilds[len(rebuilds)-1] += ", or write matching: relaxed in the plan if its nodes run images of an older " +
			"release" + c.unsupportedByAKS()
	}
	return strings.Join(append(rebuilds, fixes...), ", and ")
}

// rebuildFix returns which tag of a published image, or which own image, is for the release.
func rebuildFix(ref string, release platform.Platform) string {
	if _, published := platform.PublishedTag(ref, release); published {
		return imageFix(ref, release)
	}
	return "rebuild the image for " + productName(release)
}
