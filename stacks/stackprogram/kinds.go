package stackprogram

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
)

// deployDaemonSet deploys one pod onto each node of the platform.
func deployDaemonSet(ctx *pulumi.Context, on windows) error {
	container := idler(on.platform)
	container.Resources = upTo("300Mi")
	_, err := workload.NewDaemonSet(ctx, on.name, &workload.DaemonSetArgs{
		Platform: on.platform,
		Metadata: called(on.name),
		Spec:     appsv1.DaemonSetSpecArgs{Selector: selecting(on.name), Template: template(on.name, container)},
	}, on.options...)
	return err
}

// deployCronJob deploys a Job for each night.
func deployCronJob(ctx *pulumi.Context, on windows) error {
	job := idler(on.platform)
	job.Command = containerCommand("Get-ComputerInfo -Property OsVersion")
	pods := template(on.name, job)
	spec := pods.Spec.(corev1.PodSpecArgs)
	spec.RestartPolicy = pulumi.String("OnFailure")
	pods.Spec = spec
	_, err := workload.NewCronJob(ctx, on.name, &workload.CronJobArgs{
		Platform: on.platform,
		Metadata: called(on.name),
		Spec: batchv1.CronJobSpecArgs{
			Schedule:    pulumi.String("0 3 * * *"),
			JobTemplate: batchv1.JobTemplateSpecArgs{Spec: batchv1.JobSpecArgs{Template: pods}},
		},
	}, on.options...)
	return err
}
