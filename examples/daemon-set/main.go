// Command daemon-set runs an agent on each Windows Server 2022 node, which reads the logs of the pods there.
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
	labels := pulumi.StringMap{"app": pulumi.String("node-agent")}
	path := pulumi.String(`C:\var\log\pods`)
	logs := corev1.VolumeArgs{Name: pulumi.String("logs"), HostPath: corev1.HostPathVolumeSourceArgs{Path: path}}
	node := corev1.EnvVarSourceArgs{FieldRef: corev1.ObjectFieldSelectorArgs{FieldPath: pulumi.String("spec.nodeName")}}
	agent := corev1.ContainerArgs{
		Name:  pulumi.String("agent"),
		Image: pulumi.String("mcr.microsoft.com/windows/nanoserver:ltsc2022"),
		Command: pulumi.ToStringArray([]string{
			"cmd", "/c",
			`echo %NODE_NAME% & dir /s C:\var\log\pods & ping -t localhost > nul`,
		}),
		Env:       corev1.EnvVarArray{corev1.EnvVarArgs{Name: pulumi.String("NODE_NAME"), ValueFrom: node}},
		Resources: corev1.ResourceRequirementsArgs{Limits: pulumi.StringMap{"memory": pulumi.String("300Mi")}},
		VolumeMounts: corev1.VolumeMountArray{corev1.VolumeMountArgs{
			Name: logs.Name, MountPath: path,
			ReadOnly: pulumi.Bool(true),
		}},
	}
	pods := corev1.PodSpecArgs{Containers: corev1.ContainerArray{agent}, Volumes: corev1.VolumeArray{logs}}
	template := corev1.PodTemplateSpecArgs{Metadata: metav1.ObjectMetaArgs{Labels: labels}, Spec: pods}
	// Each release needs its own image, and therefore its own DaemonSet.
	_, err := workload.NewDaemonSet(ctx, "node-agent", &workload.DaemonSetArgs{
		Platform: platform.WindowsServer2022,
		User:     workload.ContainerAdministrator, // the kubelet closes the logs to ContainerUser
		Spec:     appsv1.DaemonSetSpecArgs{Selector: metav1.LabelSelectorArgs{MatchLabels: labels}, Template: template},
	})
	return err
}
