package placement

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/core/value"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var fromZeroRules = []engine.Rule{podsBuildFromZero, classBuildFromZero}

// Sources for what a cluster autoscaler knows about the first node of a pool.
const fromZeroSources = "https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/cloudprovider/azure/" +
	"azure_template.go (buildGenericLabels), https://github.com/Azure/AKS/issues/3311, " +
	"https://github.com/Azure/AKS/issues/5079"

// podsBuildFromZero looks at pods that select a build themselves, and can land on a pool that may have no nodes.
// Autoscalers add no nodes for the pods of a DaemonSet.
var podsBuildFromZero = engine.Rule{
	Rule: rule.Rule{
		ID: "MK317", Severity: rule.Warning, Page: rulepages.Placement,
		Title: "pods that select a Windows build, for a pool that may have no nodes",
		Reason: "For a pool without nodes, the cluster autoscaler checks whether the pods would fit a template node. " +
			"In Azure and some other clouds the template lacks the label node.kubernetes.io/windows-build, which " +
			"only a kubelet sets: the pool stays empty, and the pods stay pending.",
		Source: fromZeroSources,
	},
	Checks: []engine.Check{engine.On(subject.WindowsLanding, func(p *subject.Pods) []rule.Problem {
		if p.Kind == "DaemonSet" {
			return nil
		}
		var empty []topology.Pool
		answer, hidden := p.Placement()
		for i := range answer.Verdicts {
			if v := &answer.Verdicts[i]; v.Schedules == platform.Yes && v.Runs != platform.No &&
				v.Pool.ScalesFromZero() && v.Pool.Platform.IsWindows() {
				empty = append(empty, *v.Pool)
			}
		}
		if len(empty) == 0 {
			return nil
		}
		path, value, selected := selectsBuild(p)
		if !selected {
			return nil
		}
		return fromZero(path, value, empty, hidden)
	})},
}

var classBuildFromZero = engine.Rule{
	Rule: rule.Rule{
		ID: "MK415", Severity: rule.Warning, Page: rulepages.RuntimeClasses,
		Title: "a RuntimeClass that selects a Windows build, for a pool that may have no nodes",
		Reason: "In Azure and some other clouds, the template node that the cluster autoscaler has for an empty pool " +
			"lacks the label node.kubernetes.io/windows-build: pods of the class add no node to the pool. Whether " +
			"they do if the class selects only the operating system is disputed.",
		Source: fromZeroSources,
	},
	Checks: []engine.Check{engine.On(subject.RuntimeClasses, func(o *subject.Object) []rule.Problem {
		selected := o.Class().Selector[labelBuild]
		build, known := tree.Text(selected)
		if !known {
			return nil
		}
		var empty []topology.Pool
		for _, pool := range o.Cluster.Topology.Pools {
			if pool.ScalesFromZero() && pool.Platform.IsWindows() && pool.Platform.Build() == build {
				empty = append(empty, pool)
			}
		}
		_, hidden := selected.(value.Secret)
		return fromZero("scheduling.nodeSelector"+pods.Join(pods.Key(labelBuild)), selected, empty, hidden)
	})},
}

// fromZero names the pools unless they depend on a secret.
func fromZero(path string, value any, empty []topology.Pool, hidden bool) []rule.Problem {
	if len(empty) == 0 {
		return nil
	}
	where := "a pool where the pods can land"
	fix := "give the pool a label of its own and select that instead, or keep a node with autoscaling.min"
	if !hidden {
		names := make([]string, len(empty))
		for i, pool := range empty {
			names[i] = pool.Name
		}
		where = subject.ListPools(names)
		name := empty[0].Platform.String()
		other := func(pool topology.Pool) bool { return pool.Labels[topology.LabelPlatform] != name }
		if !slices.ContainsFunc(empty, other) {
			fix = "select " + topology.LabelPlatform + "=" + name + " instead"
		}
	}
	return []rule.Problem{{
		Path: path, Value: value,
		Detail: "a cluster autoscaler may not know this label while there are no nodes in " + where, Fix: fix,
	}}
}

// selectsBuild reports whether the pods themselves select a Windows build, in their node selector or in each term of
// their affinity. It returns the path and the value.
func selectsBuild(s *subject.Pods) (path string, value any, ok bool) {
	if v := tree.Map(s.Spec["nodeSelector"])[labelBuild]; v != nil {
		return s.Path("nodeSelector", pods.Key(labelBuild)), v, true
	}
	terms := s.RequiredTerms()
	for i, term := range terms {
		j := slices.IndexFunc(tree.List(tree.Map(term)["matchExpressions"]), func(v any) bool {
			key, _ := tree.Text(tree.Map(v)["key"])
			operator, _ := tree.Text(tree.Map(v)["operator"])
			return key == labelBuild && operator != string(corev1.NodeSelectorOpNotIn) &&
				operator != string(corev1.NodeSelectorOpDoesNotExist)
		})
		if j < 0 {
			return "", nil, false
		}
		if i == 0 {
			path = s.AffinityPath(i, "matchExpressions", j)
		}
	}
	return path, nil, len(terms) > 0
}
