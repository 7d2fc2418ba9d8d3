package workload

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/components/input"
)

// plainTemplate returns a pod template and its spec as plain arguments. Both must be plain, because the component
// decides on fields inside of them; the fields themselves may be outputs.
func plainTemplate(in any, path *field.Path) (corev1.PodTemplateSpecArgs, corev1.PodSpecArgs, field.ErrorList) {
	template, errs := plain[corev1.PodTemplateSpecArgs](in, path,
		"a workload needs the template of its pods", "corev1.PodTemplateSpecArgs")
	if len(errs) > 0 {
		return template, corev1.PodSpecArgs{}, errs
	}
	spec, errs := plain[corev1.PodSpecArgs](template.Spec, path.Child("spec"),
		"a workload needs the spec of its pods", "corev1.PodSpecArgs")
	return template, spec, errs
}

// plain returns the plain arguments in an input. It is an error if there are none, or if they are an output.
func plain[Args any](in any, path *field.Path, needed, name string) (Args, field.ErrorList) {
	if input.Missing(in) {
		var none Args
		return none, field.ErrorList{field.Required(path, needed)}
	}
	args, ok := input.Plain[Args](in)
	if !ok {
		return args, field.ErrorList{notPlain(path, name)}
	}
	return args, nil
}

func notPlain(path *field.Path, want string) *field.Error {
	return field.TypeInvalid(path, "an output",
		"write it as "+want+", with outputs in its fields, so that it can be completed for the platform")
}
