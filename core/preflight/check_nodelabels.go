package preflight

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

const labelBuild = topology.LabelWindowsBuild

// nodeLabels checks the labels by which pods select nodes. It reports whether one of them cannot match any node.
func (c *check) nodeLabels(p *judged) (wrong bool) {
	if selector := tree.Map(p.Spec["nodeSelector"]); len(selector) > 0 {
		for _, label := range pods.OSLabels {
			if noOS(selector[label]) {
				wrong = true
				c.noOS(p.Path("nodeSelector", pods.Key(label)), selector[label])
			}
		}
		for _, label := range [...]string{topology.LabelBetaOS, topology.LabelBetaArch} {
			if pods.IsSet(selector, label) {
				c.beta(p.Path("nodeSelector", pods.Key(label)), label)
			}
		}
		if v, ok := selector[labelBuild]; ok {
			c.build(v, func() string { return p.Path("nodeSelector", pods.Key(labelBuild)) })
		}
		wrong = c.architecture(p, selector) || wrong
	}
	node := tree.Map(tree.Map(p.Spec["affinity"])["nodeAffinity"])
	if node == nil {
		return wrong
	}
	const required, preferred = "requiredDuringSchedulingIgnoredDuringExecution",
		"preferredDuringSchedulingIgnoredDuringExecution"
	terms := p.RequiredTerms()
	// The terms are alternatives: the pods can run if one of them can match.
	dead := len(terms) > 0
	for i, v := range terms {
		term := tree.Map(v)
		c.expressions(term, func(keys ...any) string {
			return p.Path(append([]any{"affinity", "nodeAffinity", required, "nodeSelectorTerms", i}, keys...)...)
		})
		dead = dead && deadTerm(term) >= 0
	}
	for i, v := range tree.List(node[preferred]) {
		c.expressions(tree.Map(tree.Map(v)["preference"]), func(keys ...any) string {
			return p.Path(append([]any{"affinity", "nodeAffinity", preferred, i, "preference"}, keys...)...)
		})
	}
	if !dead {
		return wrong
	}
	for i, v := range terms {
		term := tree.Map(v)
		j := deadTerm(term)
		value := tree.List(tree.Map(tree.List(term["matchExpressions"])[j])["values"])[0]
		c.noOS(p.Path("affinity", "nodeAffinity", required, "nodeSelectorTerms", i, "matchExpressions", j,
			"values", 0), value)
	}
	return true
}

var architectureWithoutWindows = rule.Rule{
	ID: "MK316", Severity: rule.Error, Title: "Windows pods that select nodes of another architecture",
	Reason: "Kubernetes runs on Windows Server for amd64 only, so no node has both labels: the pods stay pending.",
	Source: "https://kubernetes.io/docs/concepts/windows/intro/#windows-os-version-support, and the binaries of " +
		"https://kubernetes.io/releases/download/#binaries",
}

// architecture reports Windows pods that select nodes of an architecture without Windows.
func (c *check) architecture(p *judged, selector map[string]any) (wrong bool) {
	if p.target.OS() != platform.WindowsOS {
		return false
	}
	for _, label := range [...]string{corev1.LabelArchStable, topology.LabelBetaArch} {
		if arch, ok := tree.Text(selector[label]); ok && arch != topology.WindowsArchitecture {
			c.report(architectureWithoutWindows, rule.Problem{
				Path: p.Path("nodeSelector", pods.Key(label)), Value: selector[label],
				Detail: "is not an architecture of Windows nodes",
				Fix:    "write " + topology.WindowsArchitecture + ", or remove it",
			})
			wrong = true
		}
	}
	return wrong
}

// wrongCase reports whether a value is an operating system except for its case.
func wrongCase(v any) (platform.OS, bool) {
	text, ok := tree.Text(v)
	if !ok {
		return "", false
	}
	for _, os := range [...]platform.OS{platform.LinuxOS, platform.WindowsOS} {
		if text != string(os) && strings.EqualFold(text, string(os)) {
			return os, true
		}
	}
	return "", false
}

// otherSystems are operating systems of nodes that do not run the standard kubelet.
var otherSystems = [...]string{"darwin", "freebsd"}

// noOS reports whether the value of a label is known and not an operating system.
func noOS(v any) bool {
	text, ok := tree.Text(v)
	return ok && text != string(platform.LinuxOS) && text != string(platform.WindowsOS) &&
		!slices.Contains(otherSystems[:], text)
}

var (
	osLabelInWrongCase = rule.Rule{
		ID: "MK307", Severity: rule.Error, Title: "an operating system in the wrong case",
		Reason: "The values of the label are linux and windows, in lower case. No other value matches a node.",
		Source: nodeLabels + "#kubernetes-io-os",
	}
	osLabelUnknown = rule.Rule{
		ID: "MK318", Severity: rule.Error, Title: "an operating system that no node has",
		Reason: "The kubelet sets the label to the operating system it is built for, as Go names it: linux or " +
			"windows. Any other value matches no node, and the pods stay pending. An unreplaced variable is such a " +
			"value too. darwin and freebsd are not reported, because third-party kubelets exist for them.",
		Source: nodeLabels + "#kubernetes-io-os",
	}
)

// noOS reports a finding for the value of a label that is not an operating system.
func (c *check) noOS(path string, v any) {
	if os, ok := wrongCase(v); ok {
		c.report(osLabelInWrongCase,
			rule.Problem{
				Path: path, Value: v, Detail: "matches no node, as case matters",
				Fix: "write " + strconv.Quote(string(os)),
			})
		return
	}
	c.report(osLabelUnknown, rule.Problem{
		Path: path, Value: v, Detail: "matches no node: the values are linux and windows", Fix: "write one of them",
	})
}

var labelDeprecated = rule.Rule{
	ID: "MK308", Severity: rule.Warning, Title: "a deprecated node label",
	Reason: "The beta labels are deprecated since Kubernetes 1.14: use kubernetes.io/os and kubernetes.io/arch.",
	Source: nodeLabels + "#beta-kubernetes-io-os",
}

func (c *check) beta(path, label string) {
	c.report(labelDeprecated,
		rule.Problem{
			Path: path, Detail: label + " is deprecated since Kubernetes 1.14",
			Fix: "use " + strings.TrimPrefix(label, "beta."),
		})
}

var buildUnknown = rule.Rule{
	ID: "MK309", Severity: rule.Warning, Title: "an unknown Windows build",
	Reason: "The value of the label node.kubernetes.io/windows-build is the build without its revision, 10.0.20348 " +
		"for Windows Server 2022. A build that belongs to no release, or to a release that Kubernetes no longer " +
		"supports on nodes, most likely matches no node.",
	Source: nodeLabels + "#nodekubernetesiowindows-build",
}

func (c *check) build(v any, path func() string) {
	text, ok := tree.Text(v)
	if !ok {
		return
	}
	if release, ok := pods.ExactBuild(text); ok {
		c.retired(v, release, path)
		return
	}
	found := rule.Problem{
		Path: path(), Value: v, Detail: "is not the build of a known Windows Server release",
		Fix: "write 10.0.20348 for Windows Server 2022, for example",
	}
	if p, ok := platform.ByBuild(text); ok {
		found.Detail, found.Fix = "has a revision, and the label of the nodes has none", "write "+p.Build()
		if _, secret := v.(Secret); secret {
			found.Fix = "write three numbers"
		}
	}
	c.report(buildUnknown, found)
}

// retired reports the build of a release that no node has today.
func (c *check) retired(v any, build platform.Platform, path func() string) {
	release, ok := build.Release()
	switch {
	case !ok:
		return
	case slices.Contains(topology.PoolPlatforms(), build):
		return
	}
	c.report(buildUnknown, rule.Problem{
		Path: path(), Value: v,
		Detail: "is the build of " + release.Name + ", which Kubernetes no longer supports as a node",
		Fix:    "write 10.0.20348 for Windows Server 2022, for example",
	})
}

// deadTerm returns the index of the first expression of a term that selects only unknown operating systems, or -1 if
// there is none.
func deadTerm(term map[string]any) int {
	for i, v := range tree.List(term["matchExpressions"]) {
		e := tree.Map(v)
		label, _ := tree.Text(e["key"])
		operator, _ := tree.Text(e["operator"])
		values := tree.List(e["values"])
		if label != corev1.LabelOSStable && label != topology.LabelBetaOS ||
			operator != string(corev1.NodeSelectorOpIn) ||
			len(values) == 0 {
			continue
		}
		dead := true
		for _, value := range values {
			dead = dead && noOS(value)
		}
		if dead {
			return i
		}
	}
	return -1
}

// expressions checks the labels of a term of a node affinity.
func (c *check) expressions(term map[string]any, path func(keys ...any) string) {
	for i, v := range tree.List(term["matchExpressions"]) {
		e := tree.Map(v)
		switch label, _ := tree.Text(e["key"]); label {
		case topology.LabelBetaOS, topology.LabelBetaArch:
			c.beta(path("matchExpressions", i, "key"), label)
		case labelBuild:
			if operator, _ := tree.Text(e["operator"]); operator != string(corev1.NodeSelectorOpIn) {
				continue
			}
			for j, value := range tree.List(e["values"]) {
				c.build(value, func() string { return path("matchExpressions", i, "values", j) })
			}
		}
	}
}
