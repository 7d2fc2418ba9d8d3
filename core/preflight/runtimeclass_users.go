package preflight

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var overheadAgainstClass = rule.Rule{
	ID: "MK403", Severity: rule.Error, Title: "an overhead that differs from the RuntimeClass's",
	Reason: "The overhead comes from the RuntimeClass. A pod with another overhead, or with an overhead although it " +
		"has no class or its class has no overhead, is refused when it is created.",
	Source: classAdmission + ", validateOverhead",
}

// overheadWithoutClass checks pods of any operating system.
func (c *check) overheadWithoutClass(p *judged) {
	if v := p.Spec["overhead"]; v == nil || len(tree.Map(v)) == 0 || pods.IsSet(p.Spec, "runtimeClassName") {
		return
	}
	c.report(overheadAgainstClass, rule.Problem{
		Path: p.Path("overhead"), Detail: "only a RuntimeClass gives pods an overhead: the API server refuses these",
		Fix: "remove it",
	})
}

var selectorAgainstClass = rule.Rule{
	ID: "MK402", Severity: rule.Error, Title: "a node selector that conflicts with the RuntimeClass",
	Reason: "The node selector of the class is merged into the pod's. If a key has two values, the pod is refused " +
		"when it is created. The workload is accepted, but gets no pods.",
	Source: classAdmission + ", setScheduling",
}

// againstClass compares pods with the RuntimeClass object that they name.
func (c *check) againstClass(p *judged, class *pods.Class) {
	named := "the RuntimeClass " + fmt.Sprint(p.Spec["runtimeClassName"])
	selector := tree.Map(p.Spec["nodeSelector"])
	for _, label := range slices.Sorted(maps.Keys(class.Selector)) {
		selected, ok := tree.Text(class.Selector[label])
		if !ok {
			continue
		}
		own, ok := tree.Text(selector[label])
		if !ok || own == selected || c.reportedAlone(class, label, selected, own) {
			continue
		}
		c.report(selectorAgainstClass, rule.Problem{
			Path: p.Path("nodeSelector", pods.Key(label)), Value: selector[label],
			Detail: named + " selects " + label + "=" + fmt.Sprint(class.Selector[label]) +
				": the API server refuses these pods", Fix: "remove it, or use another RuntimeClass",
		})
	}
	c.osAgainstClass(p, class, named)
	if v := p.Spec["overhead"]; len(tree.Map(v)) > 0 && class.Complete && !sameOverhead(v, class.Overhead) {
		detail := named + " has another one"
		if class.Overhead == nil {
			detail = named + " has none"
		}
		c.report(overheadAgainstClass,
			rule.Problem{
				Path: p.Path("overhead"), Detail: detail + ": the API server refuses these pods",
				Fix: "remove it: the RuntimeClass sets it",
			})
	}
}

var osAgainstClass = rule.Rule{
	ID: "MK406", Severity: rule.Error, Title: "os.name contradicts the RuntimeClass",
	Reason: "The RuntimeClass selects nodes with the other operating system, whose kubelet refuses the pods with the " +
		"reason PodOSNotSupported.",
	Source: "pkg/kubelet/lifecycle/predicate.go of Kubernetes 1.36.3, rejectPodAdmissionBasedOnOSField",
}

// osAgainstClass compares os.name with the class's own node selector; the pods' selector is compared elsewhere.
func (c *check) osAgainstClass(p *judged, class *pods.Class, named string) {
	declared := p.target.Declared
	if declared == "" {
		return
	}
	for _, label := range pods.OSLabels {
		os, _ := tree.Text(class.Selector[label])
		if os != string(platform.LinuxOS) && os != string(platform.WindowsOS) || os == string(declared) ||
			c.reportedAlone(class, label, os, string(declared)) {
			continue
		}
		c.report(osAgainstClass, rule.Problem{
			Path: p.Path("os", "name"), Value: tree.Map(p.Spec["os"])["name"],
			Detail: named + " leads these pods to " + describe(platform.OS(os)) + " nodes, which refuse them",
			Fix:    "use another RuntimeClass, or change os.name",
		})
		return
	}
}

// reportedAlone reports whether the pods alone show the conflict, by the name of their class: the conflict is reported
// with them then.
func (c *check) reportedAlone(class *pods.Class, label, selected, own string) bool {
	p := platform.Platform(class.Name)
	if !p.IsWindows() || !c.context.KnowsClass(p) {
		return false
	}
	switch label {
	case labelBuild:
		_, known := pods.ExactBuild(own)
		return known && selected == p.Build()
	case pods.OSLabels[0], pods.OSLabels[1]:
		return selected == string(platform.WindowsOS) && own == string(platform.LinuxOS)
	}
	return false
}

// sameOverhead counts unknown values as equal.
func sameOverhead(a, b any) bool {
	x, y := tree.Map(a), tree.Map(b)
	if len(x) != len(y) {
		return false
	}
	for name, v := range x {
		w, ok := y[name]
		if !ok {
			return false
		}
		text, ok := pods.Quantity(v)
		other, known := pods.Quantity(w)
		if !ok || !known {
			continue
		}
		q, err := tree.ParseQuantity(text)
		r, errOther := tree.ParseQuantity(other)
		if err == nil && errOther == nil && q.Cmp(r) != 0 {
			return false
		}
	}
	return true
}
