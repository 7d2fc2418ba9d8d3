// Command named-pipe lets a Windows pod reach containerd on its node. Access to containerd gives control of the node.
package main

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	// The pipe of Docker is \\.\pipe\docker_engine. A host-process container has all pipes, and must not mount any.
	pipe := pulumi.String(`\\.\pipe\containerd-containerd`)
	// Without a type: the kubelet does not have one for pipes, and would look for a file or directory.
	volume := corev1.VolumeArgs{
		Name:     pulumi.String("containerd"),
		HostPath: corev1.HostPathVolumeSourceArgs{Path: pipe},
	}
	container := corev1.ContainerArgs{
		Name:         pulumi.String("client"),
		Image:        pulumi.String("mcr.microsoft.com/windows/servercore:ltsc2022"),
		Command:      pulumi.ToStringArray([]string{"cmd", "/c", `dir \\.\pipe\\ & ping -t localhost > nul`}),
		VolumeMounts: corev1.VolumeMountArray{corev1.VolumeMountArgs{Name: volume.Name, MountPath: pipe}},
	}
	_, err := workload.NewPod(ctx, "named-pipe", &workload.PodArgs{
		Platform:   platform.WindowsServer2022,
		Scheduling: workload.BySelector,
		User:       workload.ContainerAdministrator, // only administrators can open the pipe
		Metadata:   metav1.ObjectMetaArgs{Name: pulumi.String("named-pipe")},
		Spec: corev1.PodSpecArgs{
			Containers: corev1.ContainerArray{container},
			Volumes:    corev1.VolumeArray{volume},
		},
	})
	return err
}
