package subject

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// LabelValue is the value of a label that pods select.
type LabelValue struct {
	Path  string
	Value any
}

// UnmatchedLabels returns the labels that pods select and no node has: values of the label of the operating system, and
// of the architecture of Windows nodes. A term of a node affinity is only among them if no other term can match.
func (p *Pods) UnmatchedLabels() (systems, architectures []LabelValue) {
	found := p.unmatched.get(func() unmatched {
		return unmatched{p.unmatchedSystems(), p.unmatchedArchitectures()}
	})
	return found.systems, found.architectures
}

type unmatched struct{ systems, architectures []LabelValue }

func (p *Pods) unmatchedSystems() []LabelValue {
	var found []LabelValue
	selector := tree.Map(p.Spec["nodeSelector"])
	for _, label := range pods.OSLabels {
		if v := selector[label]; v != nil && noOS(v) {
			found = append(found, LabelValue{p.Path("nodeSelector", pods.Key(label)), v})
		}
	}
	terms := p.RequiredTerms()
	// The terms are alternatives: the pods can run if one of them can match.
	if len(terms) == 0 || slices.ContainsFunc(terms, func(v any) bool { return deadExpression(tree.Map(v)) < 0 }) {
		return found
	}
	for i, v := range terms {
		j := deadExpression(tree.Map(v))
		e := tree.Map(tree.List(tree.Map(v)["matchExpressions"])[j])
		found = append(found, LabelValue{
			p.AffinityPath(i, "matchExpressions", j, "values", 0), tree.List(e["values"])[0],
		})
	}
	return found
}

// unmatchedArchitectures returns the architectures without Windows that Windows pods select.
func (p *Pods) unmatchedArchitectures() []LabelValue {
	if p.OS() != platform.WindowsOS {
		return nil
	}
	var found []LabelValue
	selector := tree.Map(p.Spec["nodeSelector"])
	for _, label := range [...]string{corev1.LabelArchStable, topology.LabelBetaArch} {
		if arch, ok := tree.Text(selector[label]); ok && arch != topology.WindowsArchitecture {
			found = append(found, LabelValue{p.Path("nodeSelector", pods.Key(label)), selector[label]})
		}
	}
	return found
}

// otherSystems are operating systems of nodes that do not run the standard kubelet.
var otherSystems = [...]string{"darwin", "freebsd"}

// noOS reports whether the value of a label is known and not an operating system.
func noOS(v any) bool {
	text, ok := tree.Text(v)
	return ok && text != string(platform.LinuxOS) && text != string(platform.WindowsOS) &&
		!slices.Contains(otherSystems[:], text)
}

// OSInOtherCase reports whether a value is an operating system except for its case.
func OSInOtherCase(v any) (platform.OS, bool) {
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

// deadExpression returns the index of the first expression of a term that selects only unknown operating systems, or -1
// if there is none.
func deadExpression(term map[string]any) int {
	return slices.IndexFunc(tree.List(term["matchExpressions"]), func(v any) bool {
		e := tree.Map(v)
		label, _ := tree.Text(e["key"])
		operator, _ := tree.Text(e["operator"])
		values := tree.List(e["values"])
		return (label == corev1.LabelOSStable || label == topology.LabelBetaOS) &&
			operator == string(corev1.NodeSelectorOpIn) && len(values) > 0 &&
			!slices.ContainsFunc(values, func(v any) bool { return !noOS(v) })
	})
}

// ExpressionAbout returns the first expression about a key in the terms of a node affinity, and its path there.
func ExpressionAbout(terms []any, key string) (path []any, expression map[string]any) {
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
