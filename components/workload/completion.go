package workload

import (
	"fmt"
	"maps"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/input"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// plainTemplate takes a pod template and its spec apart, so that the spec can be
// completed. Both must be plain arguments, as the component decides on fields
// inside them; the fields themselves may be outputs.
func plainTemplate(in any, path *field.Path) (corev1.PodTemplateSpecArgs, corev1.PodSpecArgs, field.ErrorList) {
	if input.Missing(in) {
		return corev1.PodTemplateSpecArgs{}, corev1.PodSpecArgs{}, field.ErrorList{field.Required(path, "a workload needs the template of its pods")}
	}
	template, ok := input.Plain[corev1.PodTemplateSpecArgs](in)
	if !ok {
		return template, corev1.PodSpecArgs{}, field.ErrorList{notPlain(path, "corev1.PodTemplateSpecArgs")}
	}
	path = path.Child("spec")
	if input.Missing(template.Spec) {
		return template, corev1.PodSpecArgs{}, field.ErrorList{field.Required(path, "a workload needs the spec of its pods")}
	}
	spec, ok := input.Plain[corev1.PodSpecArgs](template.Spec)
	if !ok {
		return template, spec, field.ErrorList{notPlain(path, "corev1.PodSpecArgs")}
	}
	return template, spec, nil
}

func notPlain(path *field.Path, want string) *field.Error {
	return field.TypeInvalid(path, "an output", "write it as "+want+", with outputs in its fields, so that it can be completed for the platform")
}

// completion completes the pods of one platform.
type completion struct {
	// subject is the resource that errors are about.
	subject  string
	platform platform.Platform
	requirements
	windowsOptions
}

// complete adds what is missing in spec, whose inputs stay the caller's: it
// replaces them and never writes into them.
func (c completion) complete(spec *corev1.PodSpecArgs, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	placed := c.placedByClass(spec.RuntimeClassName)
	spec.Os, errs = c.completeOS(spec.Os, path.Child("os", "name"), errs)
	wrongOS := len(errs) > 0
	spec.RuntimeClassName, errs = c.completeRuntimeClassName(spec.RuntimeClassName, path.Child("runtimeClassName"), errs)
	spec.NodeSelector, errs = c.completeNodeSelector(spec.NodeSelector, placed, path.Child("nodeSelector"), errs)
	if !placed {
		spec.Tolerations = c.completeTolerations(spec.Tolerations)
	}
	security, errs := c.completeSecurityContext(spec.SecurityContext, path.Child("securityContext"), errs)
	if !wrongOS {
		// Else the rules would have something against options that nobody wrote.
		spec.SecurityContext = security
	}
	return errs
}

// placedByClass says whether the platform's own RuntimeClass brings node selector
// and tolerations. An output may turn out to be any class, and what another one
// brings is not known: then the pods have both themselves, which does no harm
// beside a class that brings the same.
func (c completion) placedByClass(runtimeClassName pulumi.StringPtrInput) bool {
	if c.runtimeClassName == "" {
		return false
	}
	name, known := input.Plain[string](runtimeClassName)
	return input.Missing(runtimeClassName) || known && name == c.runtimeClassName
}

func (c completion) completeOS(in corev1.PodOSPtrInput, path *field.Path, errs field.ErrorList) (corev1.PodOSPtrInput, field.ErrorList) {
	if input.Missing(in) {
		return corev1.PodOSArgs{Name: pulumi.String(c.os)}, errs
	}
	check := func(name string) field.ErrorList {
		if name == c.os {
			return nil
		}
		return field.ErrorList{c.conflict(path, name, c.os)}
	}
	os, plain := input.Plain[corev1.PodOSArgs](in)
	if !plain {
		out := in.ToPodOSPtrOutput()
		return out.ApplyT(func(os *corev1.PodOS) (*corev1.PodOS, error) {
			if os == nil {
				return &corev1.PodOS{Name: c.os}, nil
			}
			return os, c.failure(out, check(os.Name))
		}).(corev1.PodOSPtrOutput), errs
	}
	if input.Missing(os.Name) {
		os.Name = pulumi.String(c.os)
	} else if name, ok := input.Plain[string](os.Name); ok {
		errs = append(errs, check(name)...)
	} else {
		out := os.Name.ToStringOutput()
		os.Name = out.ApplyT(func(name string) (string, error) {
			return name, c.failure(out, check(name))
		}).(pulumi.StringOutput)
	}
	return os, errs
}

func (c completion) completeRuntimeClassName(in pulumi.StringPtrInput, path *field.Path, errs field.ErrorList) (pulumi.StringPtrInput, field.ErrorList) {
	if input.Missing(in) {
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
	out := in.ToStringPtrOutput()
	return out.ApplyT(func(name *string) (*string, error) {
		if name == nil {
			return nilIfEmpty(c.runtimeClassName), nil
		}
		return name, c.failure(out, check(*name))
	}).(pulumi.StringPtrOutput), errs
}

// completeNodeSelector adds the entries that are needed, unless a RuntimeClass
// places the pods. What the class adds must not be contradicted either: the API
// server refuses such a pod.
func (c completion) completeNodeSelector(in pulumi.StringMapInput, placed bool, path *field.Path, errs field.ErrorList) (pulumi.StringMapInput, field.ErrorList) {
	added := c.nodeSelector
	if placed {
		added = nil
	}
	if input.Missing(in) {
		if placed {
			return nil, errs
		}
		return pulumi.ToStringMap(added), errs
	}
	check := func(key, value string) field.ErrorList {
		if want, ok := c.nodeSelector[key]; ok && want != value {
			return field.ErrorList{c.conflict(path.Key(key), value, want)}
		}
		return nil
	}
	selector, plain := input.Plain[pulumi.StringMap](in)
	if !plain {
		out := in.ToStringMapOutput()
		return out.ApplyT(func(selector map[string]string) (map[string]string, error) {
			var errs field.ErrorList
			for key, value := range selector {
				errs = append(errs, check(key, value)...)
			}
			if placed {
				return selector, c.failure(out, errs)
			}
			merged := maps.Clone(added)
			maps.Copy(merged, selector)
			return merged, c.failure(out, errs)
		}).(pulumi.StringMapOutput), errs
	}
	merged := pulumi.ToStringMap(added)
	for key, value := range selector {
		if input.Missing(value) {
			continue
		}
		merged[key] = value
		if _, ok := c.nodeSelector[key]; !ok {
			continue
		}
		if known, ok := input.Plain[string](value); ok {
			errs = append(errs, check(key, known)...)
			continue
		}
		out := value.ToStringOutput()
		merged[key] = out.ApplyT(func(known string) (string, error) {
			return known, c.failure(out, check(key, known))
		}).(pulumi.StringOutput)
	}
	return merged, errs
}

// failure is the error of an output that contradicts the arguments. It is for the
// callbacks of that output only, when it has its value: before that nobody knows whether
// it is a secret, which the error must not show.
func (c completion) failure(out pulumi.Output, errs field.ErrorList) error {
	if len(errs) > 0 && pulumi.IsSecret(out) {
		for _, err := range errs {
			err.BadValue = tree.Secret{Value: err.BadValue}.String()
		}
	}
	return fielderrors.Join(c.subject, errs)
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
