// Command win-webserver runs a web server in PowerShell on a cluster without RuntimeClasses.
package main

import (
	_ "embed"
	"strings"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

//go:embed server.ps1
var script string

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	labels := pulumi.StringMap{"app": pulumi.String("win-webserver")}
	// Pods find the Service by this name.
	metadata := metav1.ObjectMetaArgs{Name: pulumi.String("win-webserver"), Labels: labels}
	ports := corev1.ServicePortArray{corev1.ServicePortArgs{Port: pulumi.Int(80), TargetPort: pulumi.Int(80)}}
	spec := corev1.ServiceSpecArgs{Type: pulumi.String("NodePort"), Selector: labels, Ports: ports}
	if _, err := corev1.NewService(ctx, "win-webserver",
		&corev1.ServiceArgs{Metadata: metadata, Spec: spec}); err != nil {
		return err
	}
	// Kubernetes expands $(NAME) in a command, and turns $$ into $.
	command := []string{"powershell.exe", "-command", strings.ReplaceAll(script, "$", "$$")}
	image := pulumi.String("mcr.microsoft.com/windows/servercore:ltsc2022")
	limits := corev1.ResourceRequirementsArgs{Limits: pulumi.StringMap{"memory": pulumi.String("300Mi")}}
	server := corev1.ContainerArgs{
		Name: pulumi.String("windowswebserver"), Image: image,
		Command: pulumi.ToStringArray(command), Resources: limits,
	}
	pods := corev1.PodSpecArgs{Containers: corev1.ContainerArray{server}}
	template := corev1.PodTemplateSpecArgs{Metadata: metav1.ObjectMetaArgs{Labels: labels}, Spec: pods}
	selector := metav1.LabelSelectorArgs{MatchLabels: labels}
	deployment := appsv1.DeploymentSpecArgs{Replicas: pulumi.Int(2), Selector: selector, Template: template}
	args := &workload.DeploymentArgs{
		Platform: platform.WindowsServer2022, Metadata: metadata, Spec: deployment,
		Scheduling: workload.BySelector,
	}
	_, err := workload.NewDeployment(ctx, "win-webserver", args)
	return err
}
