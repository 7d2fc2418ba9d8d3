package placement

import (
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/structure"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/core/value"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/placeholder"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var labelRules = []engine.Rule{
	osLabelInWrongCase, osLabelUnknown, labelDeprecated, BuildUnknown, architectureWithoutWindows,
	labelOfAKSDeprecated,
}

const labelBuild = topology.LabelWindowsBuild

var osLabelInWrongCase = engine.Rule{
	Rule: rule.Rule{
		ID: "MK307", Severity: rule.Error, Title: "an operating system in the wrong case", Page: rulepages.Placement,
		Reason: "The values of the label are linux and windows, in lower case. No other value matches a node.",
		Source: sources.NodeLabels + "#kubernetes-io-os",
	},
	Checks: []engine.Check{engine.On(subject.PodsWithConstraints, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		systems, _ := p.UnmatchedLabels()
		for _, label := range systems {
			if os, ok := subject.OSInOtherCase(label.Value); ok {
				found = append(found, rule.Problem{
					Path: label.Path, Value: label.Value, Detail: "matches no node, as case matters",
					Fix: "write " + strconv.Quote(string(os)),
				})
			}
		}
		return found
	})},
}

var osLabelUnknown = engine.Rule{
	Rule: rule.Rule{
		ID: "MK318", Severity: rule.Error, Title: "an operating system that no node has", Page: rulepages.Placement,
		Reason: "The kubelet sets the label to the operating system it is built for, as Go names it: linux or " +
			"windows. Any other value matches no node, and the pods stay pending. An unreplaced variable is such a " +
			"value too. A word such as REPLACE_ME is a warning: another program may replace it. darwin and freebsd " +
			"are not reported, because third-party kubelets exist for them.",
		Fix:    "write one of them",
		Source: sources.NodeLabels + "#kubernetes-io-os",
	},
	Checks: []engine.Check{engine.On(subject.PodsWithConstraints, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		systems, _ := p.UnmatchedLabels()
		for _, label := range systems {
			if _, ok := subject.OSInOtherCase(label.Value); ok {
				continue
			}
			unmatched := rule.Problem{
				Path: label.Path, Value: label.Value, Detail: "matches no node: the values are linux and windows",
			}
			if text, _ := tree.Text(label.Value); placeholder.Word(text) {
				unmatched.Severity, unmatched.Fix = rule.Warning, structure.PutAValue
			}
			found = append(found, unmatched)
		}
		return found
	})},
}

var architectureWithoutWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK316", Severity: rule.Error, Title: "Windows pods that select nodes of another architecture",
		Page:   rulepages.Placement,
		Reason: "Kubernetes runs on Windows Server for amd64 only, so no node has both labels: the pods stay pending.",
		Fix:    "write " + topology.WindowsArchitecture + ", or remove it",
		Source: "https://kubernetes.io/docs/concepts/windows/intro/#windows-os-version-support, and the binaries of " +
			"https://kubernetes.io/releases/download/#binaries",
	},
	Checks: []engine.Check{engine.On(subject.PodsWithConstraints, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		_, architectures := p.UnmatchedLabels()
		for _, label := range architectures {
			found = append(found, rule.Problem{
				Path: label.Path, Value: label.Value, Detail: "is not an architecture of Windows nodes",
			})
		}
		return found
	})},
}

var labelDeprecated = engine.Rule{
	Rule: rule.Rule{
		ID: "MK308", Severity: rule.Warning, Title: "a deprecated node label", Page: rulepages.Placement,
		Reason: "Kubernetes has deprecated the beta labels: those of the operating system and the architecture since " +
			"1.14, and those of the region, the zone and the size of the machine since 1.17. A later version of the " +
			"kubelet or of the cloud may no longer set them.",
		Source: sources.NodeLabels + "#beta-kubernetes-io-os",
	},
	Checks: []engine.Check{engine.On(subject.PodsWithConstraints, func(p *subject.Pods) []rule.Problem {
		return selects(p, betaLabels, func(label string) string {
			if label == topology.LabelBetaOS || label == topology.LabelBetaArch {
				return label + " is deprecated since Kubernetes 1.14"
			}
			return label + " is deprecated since Kubernetes 1.17"
		})
	})},
}

var labelOfAKSDeprecated = engine.Rule{
	Rule: rule.Rule{
		ID: "MK320", Severity: rule.Info, Title: "a label of AKS nodes that is deprecated", Page: rulepages.AKSPools,
		Reason: "AKS plans to remove its short labels of nodes, such as agentpool, and has labels with the prefix " +
			"kubernetes.azure.com/ for each. Pods that select by a removed label stay pending. The taint " +
			"kubernetes.azure.com/scalesetpriority of spot pools stays.",
		Source: "https://learn.microsoft.com/azure/aks/use-labels#deprecated-labels",
	},
	Checks: []engine.Check{engine.On(subject.PodsWithConstraints, func(p *subject.Pods) []rule.Problem {
		if p.Cluster.Topology.Cloud != topology.AKS {
			return nil
		}
		return selects(p, labelsOfAKS, func(label string) string { return "AKS plans to remove " + label })
	})},
}

// replacement is a label with the one to use instead.
type replacement struct{ label, by string }

// The deprecated labels, sorted.
var (
	betaLabels = []replacement{
		{topology.LabelBetaArch, corev1.LabelArchStable},
		{corev1.LabelInstanceType, corev1.LabelInstanceTypeStable},
		{topology.LabelBetaOS, corev1.LabelOSStable},
		{corev1.LabelFailureDomainBetaRegion, corev1.LabelTopologyRegion},
		{corev1.LabelFailureDomainBetaZone, corev1.LabelTopologyZone},
	}
	labelsOfAKS = []replacement{
		{"accelerator", "kubernetes.azure.com/accelerator"},
		{"agentpool", "kubernetes.azure.com/agentpool"},
		{"kubernetes.azure.com/scalesetpriority", "kubernetes.azure.com/priority"},
		{"kubernetes.io/role", "kubernetes.azure.com/role: agent"},
		{"node-role.kubernetes.io/agent", "kubernetes.azure.com/role: agent"},
		{"storageprofile", "kubernetes.azure.com/storageprofile"},
		{"storagetier", "kubernetes.azure.com/storagetier"},
	}
)

// selects returns a problem for each label by which pods select nodes and that another one replaces.
func selects(p *subject.Pods, replaced []replacement, detail func(label string) string) []rule.Problem {
	var found []rule.Problem
	report := func(path string, r replacement) {
		found = append(found, rule.Problem{Path: path, Detail: detail(r.label), Fix: "use " + r.by})
	}
	selector := tree.Map(p.Spec["nodeSelector"])
	for _, r := range replaced {
		if pods.IsSet(selector, r.label) {
			report(p.Path("nodeSelector", pods.Key(r.label)), r)
		}
	}
	expressions(p, func(e map[string]any, path func(keys ...any) string) {
		label, _ := tree.Text(e["key"])
		if i := slices.IndexFunc(replaced, func(r replacement) bool { return r.label == label }); i >= 0 {
			report(path("key"), replaced[i])
		}
	})
	return found
}

// expressions visits the expressions about labels in the required and the preferred terms of the node affinity.
func expressions(p *subject.Pods, visit func(e map[string]any, path func(keys ...any) string)) {
	in := func(term map[string]any, path func(keys []any) string) {
		for i, v := range tree.List(term["matchExpressions"]) {
			visit(tree.Map(v), func(keys ...any) string { return path(append([]any{"matchExpressions", i}, keys...)) })
		}
	}
	node := tree.Map(tree.Map(p.Spec["affinity"])["nodeAffinity"])
	if node == nil {
		return
	}
	for i, v := range p.RequiredTerms() {
		in(tree.Map(v), func(keys []any) string { return p.AffinityPath(append([]any{i}, keys...)...) })
	}
	const preferred = "preferredDuringSchedulingIgnoredDuringExecution"
	for i, v := range tree.List(node[preferred]) {
		in(tree.Map(tree.Map(v)["preference"]), func(keys []any) string {
			return p.Path(append([]any{"affinity", "nodeAffinity", preferred, i, "preference"}, keys...)...)
		})
	}
}

// BuildUnknown is MK309.
var BuildUnknown = engine.Rule{
	Rule: rule.Rule{
		ID: "MK309", Severity: rule.Warning, Title: "an unknown Windows build", Page: rulepages.Placement,
		Reason: "The value of the label node.kubernetes.io/windows-build is the build without its revision, " +
			"10.0.20348 for Windows Server 2022. A build that belongs to no release, or to a release that Kubernetes " +
			"no longer supports on nodes, most likely matches no node.",
		Source: sources.NodeLabels + "#nodekubernetesiowindows-build",
	},
	Checks: []engine.Check{
		engine.On(subject.PodsWithConstraints, buildsOfPods),
		engine.On(subject.RuntimeClasses, func(o *subject.Object) []rule.Problem {
			v := o.Class().Selector[labelBuild]
			return build(v, func() string { return "scheduling.nodeSelector" + pods.Join(pods.Key(labelBuild)) })
		}),
	},
}

func buildsOfPods(p *subject.Pods) []rule.Problem {
	var found []rule.Problem
	if v, ok := tree.Map(p.Spec["nodeSelector"])[labelBuild]; ok {
		found = build(v, func() string { return p.Path("nodeSelector", pods.Key(labelBuild)) })
	}
	expressions(p, func(e map[string]any, path func(keys ...any) string) {
		label, _ := tree.Text(e["key"])
		if operator, _ := tree.Text(e["operator"]); label != labelBuild || operator != string(corev1.NodeSelectorOpIn) {
			return
		}
		for i, v := range tree.List(e["values"]) {
			found = append(found, build(v, func() string { return path("values", i) })...)
		}
	})
	return found
}

// build judges a value of the label of the build.
func build(v any, path func() string) []rule.Problem {
	text, ok := tree.Text(v)
	if !ok {
		return nil
	}
	const example = "write 10.0.20348 for Windows Server 2022, for example"
	if exact, ok := pods.ExactBuild(text); ok {
		if slices.Contains(topology.PoolPlatforms(), exact) {
			return nil
		}
		release, _ := exact.Release()
		return []rule.Problem{{
			Path: path(), Value: v, Fix: example,
			Detail: "is the build of " + release.Name + ", which Kubernetes no longer supports as a node",
		}}
	}
	found := rule.Problem{
		Path: path(), Value: v, Detail: "is not the build of a known Windows Server release", Fix: example,
	}
	if p, ok := platform.ByBuild(text); ok {
		found.Detail, found.Fix = "has a revision, and the label of the nodes has none", "write "+p.Build()
		if _, secret := v.(value.Secret); secret {
			found.Fix = "write three numbers"
		}
	}
	return []rule.Problem{found}
}
