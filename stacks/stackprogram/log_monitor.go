package stackprogram

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/logmonitor"
	"github.com/mixedkube/mixedkube/components/workload"
)

// deployLogMonitor deploys IIS with LogMonitor in front of it. The image is one that has
// LogMonitor: Microsoft's has not.
func deployLogMonitor(ctx *pulumi.Context, on windows) error {
	logs, err := logmonitor.NewConfig(ctx, on.name, &logmonitor.ConfigArgs{Sources: logmonitor.IIS()}, on.cluster...)
	if err != nil {
		return err
	}
	pods, err := logs.PodTemplate(template(on.name, corev1.ContainerArgs{
		Name:      pulumi.String("iis"),
		Image:     pulumi.String("registry.example.com/iis-with-logmonitor:" + imageTag(on.platform)),
		Command:   logmonitor.IISCommand(),
		Resources: upTo("800Mi"),
	}))
	if err != nil {
		return err
	}
	_, err = workload.NewDeployment(ctx, on.name, &workload.DeploymentArgs{
		Platform: on.platform,
		Metadata: called(on.name),
		Spec:     appsv1.DeploymentSpecArgs{Selector: selecting(on.name), Template: pods},
	}, on.options...)
	return err
}
