package classes

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var overheadRules = []engine.Rule{classOverheadUnknown, classOverheadImpossible}

var classOverheadUnknown = engine.Rule{
	Rule: rule.Rule{
		ID: "MK412", Severity: rule.Error, Title: "the overhead of a RuntimeClass names an invalid resource",
		Page: rulepages.RuntimeClasses,
		Reason: "The overhead is added to the requests of the containers: cpu, memory, ephemeral-storage, huge " +
			"pages, or an extended resource with a domain prefix.",
		Fix:    "write cpu, memory or ephemeral-storage",
		Source: sources.NodeValidation + ", validateOverhead",
	},
	Checks: []engine.Check{engine.On(subject.RuntimeClasses, func(o *subject.Object) (found []rule.Problem) {
		for _, name := range slices.Sorted(maps.Keys(overhead(o))) {
			for _, detail := range resourceName(name) {
				found = append(found, rule.Problem{
					Path: overheadPath(name), Type: field.ErrorTypeInvalid, Value: name, Detail: detail,
				})
			}
		}
		return found
	})},
}

var classOverheadImpossible = engine.Rule{
	Rule: rule.Rule{
		ID: "MK413", Severity: rule.Error, Title: "the overhead of a RuntimeClass is an impossible amount",
		Page:   rulepages.RuntimeClasses,
		Reason: "An amount must not be negative, and extended resources are whole numbers.",
		Source: sources.NodeValidation + ", validateOverhead",
	},
	Checks: []engine.Check{engine.On(subject.RuntimeClasses, impossibleAmounts)},
}

func impossibleAmounts(o *subject.Object) (found []rule.Problem) {
	amounts := overhead(o)
	for _, name := range slices.Sorted(maps.Keys(amounts)) {
		v := amounts[name]
		amount, ok := amountOf(v)
		if !ok {
			continue
		}
		if amount.Sign() < 0 {
			found = append(found, rule.Problem{
				Path: overheadPath(name), Type: field.ErrorTypeInvalid, Value: v,
				Detail: "must be greater than or equal to 0", Fix: "write what a pod takes in addition, or remove it",
			})
		}
		if isExtendedResource(name) && amount.MilliValue()%1000 != 0 {
			found = append(found, rule.Problem{
				Path: overheadPath(name), Type: field.ErrorTypeInvalid, Value: v,
				Detail: "must be an integer", Fix: "write a whole number",
			})
		}
	}
	return found
}

// overhead returns the resources that each pod of the class uses in addition to its containers.
func overhead(o *subject.Object) map[string]any {
	return tree.Map(tree.At(o.Tree["overhead"], "podFixed"))
}

func overheadPath(name string) string { return "overhead.podFixed[" + name + "]" }

// resourceName returns what is wrong with the name of a container's resource.
func resourceName(name string) []string {
	details := validation.IsQualifiedName(name)
	switch {
	case strings.Contains(name, "/"):
		if len(details) == 0 && !strings.Contains(name, corev1.ResourceDefaultNamespacePrefix) &&
			!isExtendedResource(name) {
			details = append(details, "doesn't follow extended resource name standard")
		}
	case name == string(corev1.ResourceCPU), name == string(corev1.ResourceMemory),
		name == string(corev1.ResourceEphemeralStorage):
	case strings.HasPrefix(name, corev1.ResourceHugePagesPrefix):
	default:
		details = append(details, "must be a standard resource for containers")
	}
	return details
}

// isExtendedResource reports whether a resource is not a resource of Kubernetes itself, such as example.com/licenses.
// Quotas, whose names begin with requests., are not extended resources.
func isExtendedResource(name string) bool {
	return strings.Contains(name, "/") && !strings.Contains(name, corev1.ResourceDefaultNamespacePrefix) &&
		!strings.HasPrefix(name, corev1.DefaultResourceRequestsPrefix) &&
		len(validation.IsQualifiedName(corev1.DefaultResourceRequestsPrefix+name)) == 0
}

// amountOf returns an amount of a resource, written as a string or a number. It returns false if the amount is unknown
// or invalid.
func amountOf(v any) (resource.Quantity, bool) {
	text, ok := tree.Text(v)
	if number, isNumber := tree.Int(v); isNumber {
		text, ok = strconv.FormatInt(number, 10), true
	}
	if !ok {
		return resource.Quantity{}, false
	}
	q, err := tree.ParseQuantity(text)
	return q, err == nil
}
