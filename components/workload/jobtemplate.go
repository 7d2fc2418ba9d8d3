package workload

import (
	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/input"
)

// jobTemplate makes the template of a CronJob's Jobs plain, and that of their pods.
func (c *component) jobTemplate(in batchv1.JobTemplateSpecInput, path *field.Path) batchv1.JobTemplateSpecInput {
	template, spec, errs := plainJobTemplate(in, path)
	if len(errs) > 0 {
		c.errs = append(c.errs, errs...)
		return in
	}
	spec.Template = c.template(spec.Template, path.Child("spec", "template"))
	template.Spec = spec
	return template
}

func plainJobTemplate(
	in batchv1.JobTemplateSpecInput, path *field.Path,
) (batchv1.JobTemplateSpecArgs, batchv1.JobSpecArgs, field.ErrorList) {
	if input.Missing(in) {
		return batchv1.JobTemplateSpecArgs{}, batchv1.JobSpecArgs{},
			field.ErrorList{field.Required(path, "a CronJob needs the template of its Jobs")}
	}
	template, ok := input.Plain[batchv1.JobTemplateSpecArgs](in)
	if !ok {
		return batchv1.JobTemplateSpecArgs{}, batchv1.JobSpecArgs{},
			field.ErrorList{notPlain(path, "batchv1.JobTemplateSpecArgs")}
	}
	path = path.Child("spec")
	if input.Missing(template.Spec) {
		return batchv1.JobTemplateSpecArgs{}, batchv1.JobSpecArgs{},
			field.ErrorList{field.Required(path, "a CronJob needs the spec of its Jobs")}
	}
	spec, ok := input.Plain[batchv1.JobSpecArgs](template.Spec)
	if !ok {
		return template, spec, field.ErrorList{notPlain(path, "batchv1.JobSpecArgs")}
	}
	return template, spec, nil
}
