package preflight

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/mixedkube/mixedkube/internal/tree"
)

// readSelector reads a label selector as policies and webhooks have them. It is false if
// there is none, if it is malformed, and if a part of it is not known yet. The empty
// selector selects everything.
func readSelector(v any) (labels.Selector, bool) {
	m := tree.Map(v)
	if m == nil {
		return nil, false
	}
	given := tree.Map(m["matchLabels"])
	selector := &metav1.LabelSelector{MatchLabels: textsOf(given)}
	if len(selector.MatchLabels) < len(given) || m["matchLabels"] != nil && given == nil {
		return nil, false
	}
	for _, e := range tree.List(m["matchExpressions"]) {
		key, hasKey := tree.Text(tree.At(e, "key"))
		operator, hasOperator := tree.Text(tree.At(e, "operator"))
		if !hasKey || !hasOperator || tree.IsUnknown(tree.At(e, "values")) {
			return nil, false
		}
		var values []string
		for _, v := range tree.List(tree.At(e, "values")) {
			value, ok := tree.Text(v)
			if !ok {
				return nil, false
			}
			values = append(values, value)
		}
		selector.MatchExpressions = append(selector.MatchExpressions,
			metav1.LabelSelectorRequirement{Key: key, Operator: metav1.LabelSelectorOperator(operator), Values: values})
	}
	if tree.IsUnknown(m["matchExpressions"]) {
		return nil, false
	}
	read, err := metav1.LabelSelectorAsSelector(selector)
	return read, err == nil
}

// workloadsOf are the objects with pods of a namespace that a selector selects. It is false
// if that is not known of one of them: of its namespace or of its labels.
func (a *Collection) workloadsOf(namespace string, selector labels.Selector) (found []*workload, known bool) {
	if a.nowhere {
		return nil, false
	}
	for _, w := range a.byNamespace[namespace] {
		if !w.allLabels {
			return nil, false
		}
		if selector.Matches(w.labels) {
			found = append(found, w)
		}
	}
	return found, true
}
