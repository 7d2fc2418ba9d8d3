package workload

import (
	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// jobTemplate resolves the template of a CronJob's Jobs, and that of their pods, to plain arguments.
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
	template, errs := plain[batchv1.JobTemplateSpecArgs](in, path,
		"a CronJob needs the template of its Jobs", "batchv1.JobTemplateSpecArgs")
	if len(errs) > 0 {
		return template, batchv1.JobSpecArgs{}, errs
	}
	spec, errs := plain[batchv1.JobSpecArgs](template.Spec, path.Child("spec"),
		"a CronJob needs the spec of its Jobs", "batchv1.JobSpecArgs")
	return template, spec, errs
}
