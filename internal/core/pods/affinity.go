package pods

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// OSLabels are the labels of nodes for their operating system.
var OSLabels = [...]string{corev1.LabelOSStable, topology.LabelBetaOS}

// SelectsWindows reports whether a node selector has a label of the operating system with the value windows, or
// with a value that is not known yet.
func SelectsWindows(selector map[string]any) bool {
	return slices.ContainsFunc(OSLabels[:], func(label string) bool {
		name, _ := tree.Text(selector[label])
		return name == string(platform.WindowsOS) || tree.IsUnknown(selector[label])
	})
}

// RequiredTerms returns the terms of the required node affinity, which are alternatives.
func (p *Pods) RequiredTerms() []any {
	affinity := tree.Map(tree.Map(p.Spec["affinity"])["nodeAffinity"])
	return tree.List(tree.Map(affinity["requiredDuringSchedulingIgnoredDuringExecution"])["nodeSelectorTerms"])
}

// MayRequire reports whether an expression can be added to each term of the required node affinity, or as its only
// term. All terms must be known and must not have the expression yet, and none may be empty: an empty term matches no
// node, and the expression would change that. Nor may a term have a list without expressions, which would not come back
// without this one.
func (p *Pods) MayRequire(expression map[string]any) bool {
	at := p.Spec["affinity"]
	for _, key := range []string{
		"nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms",
	} {
		if at == nil {
			return true
		}
		if tree.Map(at) == nil {
			return false
		}
		at = tree.Map(at)[key]
	}
	terms := tree.List(at)
	return at == nil || len(terms) > 0 && !slices.ContainsFunc(terms, func(term any) bool {
		expressions, fields := tree.Map(term)["matchExpressions"], tree.Map(term)["matchFields"]
		return expressions != nil && len(tree.List(expressions)) == 0 ||
			len(tree.List(expressions))+len(tree.List(fields)) == 0 || tree.Contains(tree.List(expressions), expression)
	})
}

// RequiresBuilds reports whether each term of the required node affinity selects some of these Windows builds only.
func (p *Pods) RequiresBuilds(builds []string) bool {
	terms := p.RequiredTerms()
	return len(terms) > 0 && !slices.ContainsFunc(terms, func(term any) bool {
		return !slices.ContainsFunc(tree.List(tree.Map(term)["matchExpressions"]), func(v any) bool {
			expression := tree.Map(v)
			label, _ := tree.Text(expression["key"])
			operator, _ := tree.Text(expression["operator"])
			values := tree.List(expression["values"])
			return label == topology.LabelWindowsBuild && operator == string(corev1.NodeSelectorOpIn) &&
				len(values) > 0 && !slices.ContainsFunc(values, func(value any) bool {
				build, _ := tree.Text(value)
				return !slices.Contains(builds, build)
			})
		})
	})
}

// RequiresSeveralOS reports whether the required node affinity selects several operating
// systems: each of its terms names one or more, and together they name several.
func (p *Pods) RequiresSeveralOS() bool { return len(p.requiredOSes()) > 1 }

// requiredOS returns the operating system that all terms of the required node affinity
// name, "" if there is none.
func (p *Pods) requiredOS() platform.OS {
	names := p.requiredOSes()
	if len(names) != 1 {
		return ""
	}
	return osOf(names[0])
}

// requiredOSes returns the operating systems that the terms of the required node affinity
// name together, each once; nil if a term names none.
func (p *Pods) requiredOSes() []string {
	var all []string
	for _, term := range p.RequiredTerms() {
		names := termOSes(tree.Map(term))
		if len(names) == 0 {
			return nil
		}
		all = append(all, names...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// termOSes returns the operating systems that a term names: those of its narrowest
// expression, because all expressions must match.
func termOSes(term map[string]any) []string {
	var narrowest []string
	for _, e := range tree.List(term["matchExpressions"]) {
		expression := tree.Map(e)
		label, _ := tree.Text(expression["key"])
		operator, _ := tree.Text(expression["operator"])
		if !slices.Contains(OSLabels[:], label) || operator != string(corev1.NodeSelectorOpIn) {
			continue
		}
		var names []string
		for _, value := range tree.List(expression["values"]) {
			name, known := tree.Text(value)
			if !known {
				names = nil
				break
			}
			names = append(names, name)
		}
		if len(names) > 0 && (narrowest == nil || len(names) < len(narrowest)) {
			narrowest = names
		}
	}
	return narrowest
}

// osOf returns an operating system for its name in Kubernetes, "" for another text.
func osOf(name string) platform.OS {
	if os := platform.OS(name); os == platform.LinuxOS || os == platform.WindowsOS {
		return os
	}
	return ""
}
