package workload

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/input"
)

// plainTemplate takes a template of pods and its spec apart. Both must be plain arguments, as
// the component decides on fields inside them; the fields themselves may be outputs.
func plainTemplate(in any, path *field.Path) (corev1.PodTemplateSpecArgs, corev1.PodSpecArgs, field.ErrorList) {
	if input.Missing(in) {
		return corev1.PodTemplateSpecArgs{}, corev1.PodSpecArgs{},
			field.ErrorList{field.Required(path, "a workload needs the template of its pods")}
	}
	template, ok := input.Plain[corev1.PodTemplateSpecArgs](in)
	if !ok {
		return corev1.PodTemplateSpecArgs{}, corev1.PodSpecArgs{},
			field.ErrorList{notPlain(path, "corev1.PodTemplateSpecArgs")}
	}
	path = path.Child("spec")
	if input.Missing(template.Spec) {
		return corev1.PodTemplateSpecArgs{}, corev1.PodSpecArgs{},
			field.ErrorList{field.Required(path, "a workload needs the spec of its pods")}
	}
	spec, ok := input.Plain[corev1.PodSpecArgs](template.Spec)
	if !ok {
		return template, spec, field.ErrorList{notPlain(path, "corev1.PodSpecArgs")}
	}
	return template, spec, nil
}

func notPlain(path *field.Path, want string) *field.Error {
	return field.TypeInvalid(path, "an output",
		"write it as "+want+", with outputs in its fields, so that it can be completed for the platform")
}
