// Command probes probes Internet Information Services: started, ready, alive.
package main

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	// Windows starts slowly, and the first request compiles the site: up to ten minutes are not a failure.
	started := workload.HTTPProbe("/", 80)
	started.FailureThreshold = pulumi.Int(60)
	// A probe in the container starts a process there, which takes seconds: run it rarely.
	alive := workload.PowerShellProbe("if ((Get-Service w3svc).Status -ne 'Running') { exit 1 }")
	// The hook runs in parallel with the program of the image, before the readiness probe.
	warm := []string{
		"powershell.exe", "-NoProfile", "-Command",
		"New-Item -Force -ItemType File C:/inetpub/wwwroot/ready.txt",
	}
	iis := corev1.ContainerArgs{
		Name:         pulumi.String("iis"),
		Image:        pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"),
		Resources:    corev1.ResourceRequirementsArgs{Limits: pulumi.StringMap{"memory": pulumi.String("800Mi")}},
		StartupProbe: started, ReadinessProbe: workload.HTTPProbe("/ready.txt", 80), LivenessProbe: alive,
		Lifecycle: corev1.LifecycleArgs{
			PostStart: corev1.LifecycleHandlerArgs{Exec: corev1.ExecActionArgs{Command: pulumi.ToStringArray(warm)}},
		},
	}
	labels := pulumi.StringMap{"app": pulumi.String("iis")}
	_, err := workload.NewDeployment(ctx, "iis", &workload.DeploymentArgs{
		Platform:   platform.WindowsServer2022,
		Scheduling: workload.BySelector,
		Spec: appsv1.DeploymentSpecArgs{
			Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
			Template: corev1.PodTemplateSpecArgs{
				Metadata: metav1.ObjectMetaArgs{Labels: labels},
				Spec:     corev1.PodSpecArgs{Containers: corev1.ContainerArray{iis}},
			},
		},
	})
	return err
}
