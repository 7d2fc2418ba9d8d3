package topology

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
)

// RuntimeClassName returns the name of the RuntimeClass for a Windows platform, which is the name of the platform, for
// example windows-2022. It returns "" for Linux, which has no RuntimeClass.
func RuntimeClassName(p platform.Platform) string {
	if !p.IsWindows() {
		return ""
	}
	return p.String()
}

// RuntimeClass is a RuntimeClass that a cluster has, with what decides where pods land that name it. Its overhead is
// left out.
type RuntimeClass struct {
	// Name is the name that pods write in runtimeClassName. It is required.
	Name string `json:"name,omitzero" pulumi:"name"`

	// Handler is the configuration of the container runtime. Empty means unknown.
	Handler string `json:"handler,omitzero" pulumi:"handler,optional"`

	// NodeSelector is the node selector that the class adds to its pods: scheduling.nodeSelector. The default is that
	// it adds none.
	NodeSelector map[string]string `json:"nodeSelector,omitzero" pulumi:"nodeSelector,optional"`

	// Tolerations are the tolerations that the class adds to its pods: scheduling.tolerations. The default is none.
	Tolerations []Toleration `json:"tolerations,omitzero" pulumi:"tolerations,optional"`
}

// Toleration is a toleration of a [RuntimeClass]: the fields of a toleration in Kubernetes that decide which taints it
// matches.
type Toleration struct {
	// Key is the key of the taint. Empty means all keys, with the operator Exists.
	Key string `json:"key,omitzero" pulumi:"key,optional"`
	// Operator is how the value of the taint is compared: Equal, Exists, Lt or Gt. The default is Equal.
	Operator string `json:"operator,omitzero" pulumi:"operator,optional"`
	// Value is the value of the taint. The default is "".
	Value string `json:"value,omitzero" pulumi:"value,optional"`
	// Effect is the effect of the taint: NoSchedule, PreferNoSchedule or NoExecute. Empty means all effects.
	Effect string `json:"effect,omitzero" pulumi:"effect,optional"`
}

// ReadRuntimeClass returns the RuntimeClass of a cluster's object.
func ReadRuntimeClass(object nodev1.RuntimeClass) RuntimeClass {
	class := RuntimeClass{Name: object.Name, Handler: object.Handler}
	if object.Scheduling == nil {
		return class
	}
	class.NodeSelector = maps.Clone(object.Scheduling.NodeSelector)
	for _, t := range object.Scheduling.Tolerations {
		class.Tolerations = append(class.Tolerations,
			Toleration{Key: t.Key, Operator: string(t.Operator), Value: t.Value, Effect: string(t.Effect)})
	}
	return class
}

func (c RuntimeClass) clone() RuntimeClass {
	c.NodeSelector, c.Tolerations = maps.Clone(c.NodeSelector), slices.Clone(c.Tolerations)
	return c
}

// Object returns the class as the object of a cluster, in the form of decoded JSON.
func (c RuntimeClass) Object() map[string]any {
	scheduling := map[string]any{}
	if len(c.NodeSelector) > 0 {
		selector := map[string]any{}
		for key, value := range c.NodeSelector {
			selector[key] = value
		}
		scheduling["nodeSelector"] = selector
	}
	var tolerations []any
	for _, t := range c.Tolerations {
		toleration := map[string]any{}
		for key, value := range map[string]string{
			"key": t.Key, "operator": t.Operator, "value": t.Value, "effect": t.Effect,
		} {
			if value != "" {
				toleration[key] = value
			}
		}
		tolerations = append(tolerations, toleration)
	}
	if len(tolerations) > 0 {
		scheduling["tolerations"] = tolerations
	}
	object := map[string]any{
		"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": map[string]any{"name": c.Name},
		"scheduling": scheduling,
	}
	if c.Handler != "" {
		object["handler"] = c.Handler
	}
	return object
}

// validateRuntimeClasses checks names and tolerations as the API server does, whose objects the classes describe.
func validateRuntimeClasses(classes []RuntimeClass, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	first := map[string]int{}
	for i, c := range classes {
		at, name := path.Index(i), path.Index(i).Child("name")
		j, found := first[c.Name]
		switch {
		case c.Name == "":
			errs = append(errs, field.Required(name, "name the RuntimeClass, for example windows-2022"))
		case found:
			errs = append(errs, duplicate(name, c.Name,
				fmt.Sprintf("%s has this name already: a cluster has it once, remove one of the two", path.Index(j))))
		default:
			first[c.Name] = i
			for _, msg := range validation.IsDNS1123Subdomain(c.Name) {
				errs = append(errs, field.Invalid(name, c.Name, msg))
			}
		}
		for j, t := range c.Tolerations {
			errs = append(errs, t.validate(at.Child("tolerations").Index(j))...)
		}
	}
	return errs
}

func (t Toleration) validate(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	operators := []corev1.TolerationOperator{
		corev1.TolerationOpEqual, corev1.TolerationOpExists, corev1.TolerationOpLt, corev1.TolerationOpGt,
	}
	operator := corev1.TolerationOperator(t.Operator)
	switch {
	case t.Operator != "" && !slices.Contains(operators, operator):
		errs = append(errs, field.Invalid(path.Child("operator"), t.Operator,
			choose("valid operators are", operator, operators)))
	case t.Key == "" && operator != corev1.TolerationOpExists:
		errs = append(errs, field.Invalid(path.Child("operator"), t.Operator,
			"a toleration without a key matches all taints: write Exists, or the key"))
	}
	effects := []corev1.TaintEffect{
		corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute,
	}
	if effect := corev1.TaintEffect(t.Effect); t.Effect != "" && !slices.Contains(effects, effect) {
		errs = append(errs, field.Invalid(path.Child("effect"), t.Effect, choose("valid effects are", effect, effects)))
	}
	return errs
}
