// Command grace-period lets Internet Information Services finish its requests before its pod is deleted.
package main

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	labels := pulumi.StringMap{"app": pulumi.String("iis")}
	// The only shells are PowerShell and cmd. The Service removes the pod within 10 seconds; then the site finishes its
	// open requests.
	drain := []string{"powershell.exe", "-NoProfile", "-Command", "Start-Sleep 10; Stop-Service w3svc"}
	iis := corev1.ContainerArgs{
		Name:      pulumi.String("iis"),
		Image:     pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"),
		Resources: corev1.ResourceRequirementsArgs{Limits: pulumi.StringMap{"memory": pulumi.String("800Mi")}},
		Lifecycle: corev1.LifecycleArgs{
			PreStop: corev1.LifecycleHandlerArgs{Exec: corev1.ExecActionArgs{Command: pulumi.ToStringArray(drain)}},
		},
	}
	// The period includes the hook.
	pods := corev1.PodSpecArgs{Containers: corev1.ContainerArray{iis}, TerminationGracePeriodSeconds: pulumi.Int(60)}
	template := corev1.PodTemplateSpecArgs{Metadata: metav1.ObjectMetaArgs{Labels: labels}, Spec: pods}
	_, err := workload.NewDeployment(ctx, "iis", &workload.DeploymentArgs{
		Platform:   platform.WindowsServer2022,
		Scheduling: workload.BySelector,
		// MK510: the nodes run containerd, which honors the period.
		Metadata: metav1.ObjectMetaArgs{
			Annotations: pulumi.StringMap{preflight.IgnoreAnnotation: pulumi.String("MK510")},
		},
		Spec: appsv1.DeploymentSpecArgs{
			Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
			Template: template,
		},
	})
	return err
}
