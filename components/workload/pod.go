package workload

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/input"
)

// completeTemplate adds a platform's requirements to a pod template, and
// returns the new one. The caller's arguments are not changed.
//
// Template and pod spec must be plain arguments, as the component decides on
// fields inside them; the fields themselves may be outputs.
func completeTemplate(in corev1.PodTemplateSpecInput, c completion, path *field.Path) (corev1.PodTemplateSpecArgs, field.ErrorList) {
	if in == nil {
		return corev1.PodTemplateSpecArgs{}, field.ErrorList{field.Required(path, "a workload needs the template of its pods")}
	}
	template, ok := input.Plain[corev1.PodTemplateSpecArgs](in)
	if !ok {
		return template, field.ErrorList{notPlain(path, "corev1.PodTemplateSpecArgs")}
	}
	path = path.Child("spec")
	if template.Spec == nil {
		return template, field.ErrorList{field.Required(path, "a workload needs the spec of its pods")}
	}
	spec, ok := input.Plain[corev1.PodSpecArgs](template.Spec)
	if !ok {
		return template, field.ErrorList{notPlain(path, "corev1.PodSpecArgs")}
	}
	errs := c.complete(&spec, path)
	template.Spec = spec
	return template, errs
}

func notPlain(path *field.Path, want string) *field.Error {
	return field.TypeInvalid(path, "an output", "write it as "+want+", with outputs in its fields, so that it can be completed for the platform")
}

// completion completes the pods of one platform.
type completion struct {
	platform platform.Platform
	requirements
}

func (c completion) complete(spec *corev1.PodSpecArgs, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	spec.Os, errs = c.completeOS(spec.Os, path.Child("os"), errs)
	spec.RuntimeClassName, errs = c.completeRuntimeClassName(spec.RuntimeClassName, path.Child("runtimeClassName"), errs)
	spec.NodeSelector, errs = c.completeNodeSelector(spec.NodeSelector, path.Child("nodeSelector"), errs)
	spec.Tolerations = c.completeTolerations(spec.Tolerations)
	return errs
}

func (c completion) completeOS(in corev1.PodOSPtrInput, path *field.Path, errs field.ErrorList) (corev1.PodOSPtrInput, field.ErrorList) {
	if in == nil {
		return corev1.PodOSArgs{Name: pulumi.String(c.os)}, errs
	}
	check := func(name string) field.ErrorList {
		if name == c.os {
			return nil
		}
		return field.ErrorList{c.conflict(path.Child("name"), name, c.os)}
	}
	if os, ok := input.Plain[corev1.PodOSArgs](in); ok {
		if name, ok := input.Plain[string](os.Name); ok {
			return in, append(errs, check(name)...)
		}
	}
	return in.ToPodOSPtrOutput().ApplyT(func(os *corev1.PodOS) (*corev1.PodOS, error) {
		if os == nil {
			return &corev1.PodOS{Name: c.os}, nil
		}
		return os, check(os.Name).ToAggregate()
	}).(corev1.PodOSPtrOutput), errs
}

func (c completion) completeRuntimeClassName(in pulumi.StringPtrInput, path *field.Path, errs field.ErrorList) (pulumi.StringPtrInput, field.ErrorList) {
	if in == nil {
		if c.runtimeClassName == "" {
			return nil, errs
		}
		return pulumi.String(c.runtimeClassName), errs
	}
	check := func(name string) field.ErrorList {
		// Any class may lead to the platform, but not one that bears the name of
		// another one.
		if p := platform.Platform(name); p.Valid() && p != c.platform {
			return field.ErrorList{c.conflict(path, name, c.runtimeClassName)}
		}
		return nil
	}
	if name, ok := input.Plain[string](in); ok {
		return in, append(errs, check(name)...)
	}
	return in.ToStringPtrOutput().ApplyT(func(name *string) (*string, error) {
		if name == nil {
			return nilIfEmpty(c.runtimeClassName), nil
		}
		return name, check(*name).ToAggregate()
	}).(pulumi.StringPtrOutput), errs
}

func (c completion) completeNodeSelector(in pulumi.StringMapInput, path *field.Path, errs field.ErrorList) (pulumi.StringMapInput, field.ErrorList) {
	if in == nil {
		if len(c.nodeSelector) == 0 {
			return nil, errs
		}
		return pulumi.ToStringMap(c.nodeSelector), errs
	}
	// What a class of the platform would add must not be contradicted either:
	// the API server refuses such a pod.
	full := topology.NodeSelector(c.platform)
	check := func(key, value string) field.ErrorList {
		if want, ok := full[key]; ok && want != value {
			return field.ErrorList{c.conflict(path.Key(key), value, want)}
		}
		return nil
	}
	if selector, ok := input.Plain[pulumi.StringMap](in); ok {
		merged := maps.Clone(selector)
		for key, value := range c.nodeSelector {
			if _, ok := merged[key]; !ok {
				merged[key] = pulumi.String(value)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(selector)) {
			if value, ok := input.Plain[string](selector[key]); ok {
				errs = append(errs, check(key, value)...)
				continue
			}
			merged[key] = selector[key].ToStringOutput().ApplyT(func(value string) (string, error) {
				return value, check(key, value).ToAggregate()
			}).(pulumi.StringOutput)
		}
		return merged, errs
	}
	return in.ToStringMapOutput().ApplyT(func(selector map[string]string) (map[string]string, error) {
		merged := maps.Clone(c.nodeSelector)
		if merged == nil {
			merged = map[string]string{}
		}
		var errs field.ErrorList
		for _, key := range slices.Sorted(maps.Keys(selector)) {
			errs = append(errs, check(key, selector[key])...)
			merged[key] = selector[key]
		}
		return merged, errs.ToAggregate()
	}).(pulumi.StringMapOutput), errs
}

// completeTolerations appends the tolerations that are needed. One that the
// program has written as well stands twice then, which does no harm: the
// alternative would be to wait for outputs in order to compare.
func (c completion) completeTolerations(in corev1.TolerationArrayInput) corev1.TolerationArrayInput {
	if len(c.tolerations) == 0 {
		return in
	}
	if in == nil {
		in = corev1.TolerationArray{}
	}
	if tolerations, ok := input.Plain[corev1.TolerationArray](in); ok {
		out := slices.Clone(tolerations)
		for _, needed := range input.Tolerations(c.tolerations) {
			if !slices.ContainsFunc(tolerations, func(have corev1.TolerationInput) bool { return reflect.DeepEqual(have, needed) }) {
				out = append(out, needed)
			}
		}
		return out
	}
	// pulumi.All waits for both as outputs, so that neither side is wrapped by hand.
	return pulumi.All(in, input.Tolerations(c.tolerations).ToTolerationArrayOutput()).ApplyT(func(all []any) []corev1.Toleration {
		return slices.Concat(all[0].([]corev1.Toleration), all[1].([]corev1.Toleration))
	}).(corev1.TolerationArrayOutput)
}

func (c completion) conflict(path *field.Path, have, want string) *field.Error {
	detail := fmt.Sprintf("contradicts the platform %s", c.platform)
	if want != "" {
		detail += fmt.Sprintf(", which needs %q", want)
	}
	return field.Invalid(path, have, detail+": remove it, or change the platform")
}

func nilIfEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
