// Command log-monitor shows the logs of Internet Information Services in kubectl logs. The image comes from the
// Dockerfile.
package main

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/logmonitor"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	// The log of the application is added to the logs of IIS.
	sources := append(logmonitor.IIS(), logmonitor.File{Directory: `C:\shop\logs`, Filter: "*.log"})
	logs, err := logmonitor.NewConfig(ctx, "iis", &logmonitor.ConfigArgs{Sources: sources})
	if err != nil {
		return err
	}
	labels := pulumi.StringMap{"app": pulumi.String("iis")}
	image := pulumi.String("registry.example.com/iis-logmonitor:ltsc2022")
	iis := corev1.ContainerArgs{
		Name: pulumi.String("iis"), Image: image, Command: logmonitor.IISCommand(),
		Resources: corev1.ResourceRequirementsArgs{Limits: pulumi.StringMap{"memory": pulumi.String("800Mi")}},
	}
	pods := corev1.PodSpecArgs{Containers: corev1.ContainerArray{iis}}
	template, err := logs.PodTemplate(corev1.PodTemplateSpecArgs{
		Metadata: metav1.ObjectMetaArgs{Labels: labels},
		Spec:     pods,
	})
	if err != nil {
		return err
	}
	_, err = workload.NewDeployment(ctx, "iis", &workload.DeploymentArgs{
		Platform: platform.WindowsServer2022, Scheduling: workload.BySelector,
		Spec: appsv1.DeploymentSpecArgs{Selector: metav1.LabelSelectorArgs{MatchLabels: labels}, Template: template},
	})
	return err
}
