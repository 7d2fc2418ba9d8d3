package subject

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// ReadSelector reads a label selector. It returns false if there is none, if it is malformed,
// or if a part of it is not known yet. The empty selector selects everything.
func ReadSelector(v any) (labels.Selector, bool) {
	m := tree.Map(v)
	if m == nil {
		return nil, false
	}
	match := tree.Map(m["matchLabels"])
	selector := &metav1.LabelSelector{MatchLabels: textsOf(match)}
	if len(selector.MatchLabels) < len(match) || m["matchLabels"] != nil && match == nil {
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

// textsOf omits unknown labels: pods have at least the other ones.
func textsOf(m map[string]any) map[string]string {
	texts := make(map[string]string, len(m))
	for name, v := range m {
		if text, ok := tree.Text(v); ok {
			texts[name] = text
		}
	}
	return texts
}
