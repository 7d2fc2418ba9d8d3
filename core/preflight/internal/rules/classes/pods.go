package classes

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/placement"
	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var podRules = []engine.Rule{selectorAgainstClass, overheadAgainstClass, osAgainstClass}

var selectorAgainstClass = engine.Rule{
	Rule: rule.Rule{
		ID: "MK402", Severity: rule.Error, Title: "a node selector that conflicts with the RuntimeClass",
		Page: rulepages.RuntimeClasses,
		Reason: "The node selector of the class is merged into the pod's. If a key has two values, the pod is " +
			"refused when it is created. The workload is accepted, but gets no pods.",
		Fix:    "remove it, or use another RuntimeClass",
		Source: sources.ClassAdmission + ", setScheduling",
	},
	Silences: append(slices.Clip(placement.Contradictory), placement.FitsNoPool.ID),
	Checks:   []engine.Check{engine.On(collection.PodsWithClass, conflictingLabels)},
}

func conflictingLabels(p *collection.Pods) (found []rule.Problem) {
	class, selector := p.Class(), tree.Map(p.Spec["nodeSelector"])
	for _, label := range slices.Sorted(maps.Keys(class.Selector)) {
		selected, ok := tree.Text(class.Selector[label])
		if !ok {
			continue
		}
		own, ok := tree.Text(selector[label])
		if !ok || own == selected || shownAlone(p, label, selected, own) {
			continue
		}
		found = append(found, rule.Problem{
			Path: p.Path("nodeSelector", pods.Key(label)), Value: selector[label],
			Detail: nameOf(p) + " selects " + label + "=" + fmt.Sprint(class.Selector[label]) +
				": the API server refuses these pods",
		})
	}
	return found
}

var overheadAgainstClass = engine.Rule{
	Rule: rule.Rule{
		ID: "MK403", Severity: rule.Error, Title: "an overhead that differs from the RuntimeClass's",
		Page: rulepages.RuntimeClasses,
		Reason: "The overhead comes from the RuntimeClass. A pod with another overhead, or with an overhead although " +
			"it has no class or its class has no overhead, is refused when it is created.",
		Source: sources.ClassAdmission + ", validateOverhead",
	},
	Checks: []engine.Check{
		engine.On(podsWithOverhead, overheadWithoutClass), engine.On(collection.PodsWithClass, anotherOverhead),
	},
}

var podsWithOverhead = &engine.Scope[*subject.Pods]{
	Name: "pods with an overhead",
	Has:  func(p *subject.Pods) bool { return len(tree.Map(p.Spec["overhead"])) > 0 },
}

func overheadWithoutClass(p *subject.Pods) []rule.Problem {
	if pods.IsSet(p.Spec, "runtimeClassName") {
		return nil
	}
	return []rule.Problem{{
		Path: p.Path("overhead"), Detail: "only a RuntimeClass gives pods an overhead: the API server refuses these",
		Fix: "remove it",
	}}
}

func anotherOverhead(p *collection.Pods) []rule.Problem {
	class, v := p.Class(), p.Spec["overhead"]
	if len(tree.Map(v)) == 0 || !class.Complete || sameOverhead(v, class.Overhead) {
		return nil
	}
	detail := nameOf(p) + " has another one"
	if class.Overhead == nil {
		detail = nameOf(p) + " has none"
	}
	return []rule.Problem{{
		Path: p.Path("overhead"), Detail: detail + ": the API server refuses these pods",
		Fix: "remove it: the RuntimeClass sets it",
	}}
}

var osAgainstClass = engine.Rule{
	Rule: rule.Rule{
		ID: "MK406", Severity: rule.Error, Title: "os.name contradicts the RuntimeClass",
		Page: rulepages.RuntimeClasses,
		Reason: "The RuntimeClass selects nodes with the other operating system, whose kubelet refuses the pods with " +
			"the reason PodOSNotSupported.",
		Fix:    "use another RuntimeClass, or change os.name",
		Source: "pkg/kubelet/lifecycle/predicate.go of Kubernetes 1.36.3, rejectPodAdmissionBasedOnOSField",
	},
	Silences: placement.Contradictory,
	Checks:   []engine.Check{engine.On(collection.PodsWithClass, anotherOS)},
}

// anotherOS compares os.name with the class's own node selector; [selectorAgainstClass] compares the pods' selector.
func anotherOS(p *collection.Pods) []rule.Problem {
	declared := p.Target.Declared
	if declared == "" {
		return nil
	}
	for _, label := range pods.OSLabels {
		os, _ := tree.Text(p.Class().Selector[label])
		if os != string(platform.LinuxOS) && os != string(platform.WindowsOS) || os == string(declared) ||
			shownAlone(p, label, os, string(declared)) {
			continue
		}
		return []rule.Problem{{
			Path: p.Path("os", "name"), Value: tree.At(p.Spec["os"], "name"),
			Detail: nameOf(p) + " leads these pods to " + platform.OS(os).DisplayName() +
				" nodes, which refuse them",
		}}
	}
	return nil
}

func nameOf(p *collection.Pods) string {
	return "the RuntimeClass " + fmt.Sprint(p.Spec["runtimeClassName"])
}

// shownAlone reports whether the pods alone show the conflict, by the name of their class: the conflict is reported
// with them then.
func shownAlone(p *collection.Pods, label, selected, own string) bool {
	release := platform.Platform(p.Class().Name)
	if !release.IsWindows() || !p.Cluster.KnowsClass(release) {
		return false
	}
	switch label {
	case topology.LabelWindowsBuild:
		_, known := pods.ExactBuild(own)
		return known && selected == release.Build()
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
