package classes

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/images"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/placement"
	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var schedulingRules = []engine.Rule{classSelectorMalformed, classTolerationMalformed}

var classSelectorMalformed = engine.Rule{
	Rule: rule.Rule{
		ID: "MK410", Severity: rule.Error, Title: "a malformed label in the node selector of a RuntimeClass",
		Page: rulepages.RuntimeClasses,
		Reason: "The node selector is merged into the node selector of each pod of the class, so it must consist of " +
			"valid node labels.",
		Fix:    "write a label that nodes can have, or remove it",
		Source: sources.NodeValidation + ", validateScheduling",
	},
	Silences: []string{placement.BuildUnknown.ID, images.Windows2019Outdated.ID},
	Checks:   []engine.Check{engine.On(subject.RuntimeClasses, malformedLabels)},
}

// malformedLabels checks the labels that the class adds to the node selector of its pods.
func malformedLabels(o *subject.Object) (found []rule.Problem) {
	invalid := func(value any, details []string) {
		for _, detail := range details {
			found = append(found, rule.Problem{
				Path: "scheduling.nodeSelector", Type: field.ErrorTypeInvalid, Value: value, Detail: detail,
			})
		}
	}
	selector := o.Class().Selector
	for _, label := range slices.Sorted(maps.Keys(selector)) {
		invalid(label, validation.IsQualifiedName(label))
		if value, ok := tree.Text(selector[label]); ok {
			invalid(selector[label], validation.IsValidLabelValue(value))
		}
	}
	return found
}

// tolerationFields identify a toleration.
var tolerationFields = [...]string{"key", "operator", "value", "effect"}

var classTolerationMalformed = engine.Rule{
	Rule: rule.Rule{
		ID: "MK411", Severity: rule.Error, Title: "a malformed or repeated toleration in a RuntimeClass",
		Page: rulepages.RuntimeClasses,
		Reason: "The tolerations are merged into those of each pod of the class. Unlike a pod, a class must not " +
			"contain duplicates, and cannot compare numbers with Lt and Gt.",
		Source: sources.NodeValidation + ", validateTolerations",
	},
	Checks: []engine.Check{engine.On(subject.RuntimeClasses, malformedTolerations)},
}

// malformedTolerations checks the tolerations that the class adds to those of its pods.
func malformedTolerations(o *subject.Object) (found []rule.Problem) {
	seen := map[[len(tolerationFields)]string]bool{}
	for i, v := range tree.List(o.Class().Scheduling["tolerations"]) {
		toleration := tree.Map(v)
		if toleration == nil {
			continue
		}
		var texts [len(tolerationFields)]string
		complete := true
		for j, name := range tolerationFields {
			text, known := tree.Text(toleration[name])
			texts[j] = text
			complete = complete && (known || toleration[name] == nil)
		}
		if !complete {
			continue
		}
		path := "scheduling.tolerations[" + strconv.Itoa(i) + "]"
		found = append(found, malformedToleration(toleration, path, o.Cluster.Minor)...)
		if seen[texts] {
			found = append(found, rule.Problem{
				Path: path, Type: field.ErrorTypeDuplicate, Value: toleration, Fix: "remove it",
			})
		}
		seen[texts] = true
	}
	return found
}

// malformedToleration checks a toleration without unknown values.
func malformedToleration(toleration map[string]any, path string, minor int) (found []rule.Problem) {
	text := func(name string) string { s, _ := tree.Text(toleration[name]); return s }
	refuse := func(at, of string, typ field.ErrorType, detail, fix string) {
		value := toleration[of]
		if value == nil {
			value = ""
		}
		found = append(found, rule.Problem{Path: path + "." + at, Type: typ, Value: value, Detail: detail, Fix: fix})
	}
	invalid := func(at, of, detail, fix string) { refuse(at, of, field.ErrorTypeInvalid, detail, fix) }

	key, operator, value, effect := text("key"), text("operator"), text("value"), text("effect")
	if key != "" {
		for _, detail := range validation.IsQualifiedName(key) {
			invalid("key", "key", detail, "write the key of the nodes' taint")
		}
	} else if operator != string(corev1.TolerationOpExists) {
		invalid("operator", "operator",
			`operator must be Exists when `+"`key`"+` is empty, which means "match all values and all keys"`,
			"write the key of the nodes' taint")
	}
	if pods.IsSet(toleration, "tolerationSeconds") && effect != string(corev1.TaintEffectNoExecute) {
		invalid("effect", "effect", "effect must be 'NoExecute' when `tolerationSeconds` is set",
			"remove tolerationSeconds, or write NoExecute")
	}
	switch corev1.TolerationOperator(operator) {
	case corev1.TolerationOpEqual, "":
		if errs := validation.IsValidLabelValue(value); len(errs) > 0 {
			invalid("operator", "value", strings.Join(errs, ";"), "write the value of the nodes' taint")
		}
	case corev1.TolerationOpExists:
		if value != "" {
			invalid("operator", "value", "value must be empty when `operator` is 'Exists'",
				"remove the value, or write Equal")
		}
	default:
		refuse("operator", "operator", field.ErrorTypeNotSupported, supportedOperators(operator, minor),
			"write Equal or Exists")
	}
	switch corev1.TaintEffect(effect) {
	case "", corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute:
	default:
		refuse("effect", "effect", field.ErrorTypeNotSupported,
			`supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"`,
			"write NoSchedule, the effect of most taints")
	}
	return found
}

// supportedOperators returns the API server's message about an operator that it does not support in a class. Since 1.35
// the API server lists Lt and Gt, and still refuses them.
func supportedOperators(operator string, minor int) string {
	const detail = `supported values: "Equal", "Exists"`
	if (operator == "Lt" || operator == "Gt") && (minor == 0 || minor >= 35) {
		return detail + `, "Lt", "Gt"`
	}
	return detail
}
