// Command host-path gives a Windows pod a directory of its node to read.
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
	// Between backquotes a path is written as is; between double quotes, as "C:\\etc\\foo" or "C:/etc/foo".
	path := pulumi.String(`C:\etc\foo`)
	volume := corev1.VolumeArgs{
		Name: pulumi.String("blah"),
		// Nodes without the directory get an empty one. Without a type, the kubelet does not check whether it exists.
		HostPath: corev1.HostPathVolumeSourceArgs{Path: path, Type: pulumi.String("DirectoryOrCreate")},
	}
	container := corev1.ContainerArgs{
		Name:    pulumi.String("hostpath-redis"),
		Image:   pulumi.String("mcr.microsoft.com/windows/nanoserver:ltsc2022"),
		Command: pulumi.ToStringArray([]string{"cmd", "/c", `dir C:\etc\foo & ping -t localhost > nul`}),
		VolumeMounts: corev1.VolumeMountArray{corev1.VolumeMountArgs{
			Name: volume.Name, MountPath: path,
			ReadOnly: pulumi.Bool(true),
		}},
	}
	_, err := workload.NewPod(ctx, "hostpath-volume-pod", &workload.PodArgs{
		Platform:   platform.WindowsServer2022,
		Scheduling: workload.BySelector,
		Metadata:   metav1.ObjectMetaArgs{Name: pulumi.String("hostpath-volume-pod")},
		Spec: corev1.PodSpecArgs{
			Containers: corev1.ContainerArray{container},
			Volumes:    corev1.VolumeArray{volume},
		},
	})
	return err
}
