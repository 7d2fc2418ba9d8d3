// Command empty-dirs gives a Windows pod two empty directories.
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
	cache := corev1.VolumeArgs{Name: pulumi.String("cache-volume"), EmptyDir: corev1.EmptyDirVolumeSourceArgs{}}
	scratch := corev1.VolumeArgs{Name: pulumi.String("scratch-volume"), EmptyDir: corev1.EmptyDirVolumeSourceArgs{}}
	container := corev1.ContainerArgs{
		Name:    pulumi.String("empty-dir-redis"),
		Image:   pulumi.String("mcr.microsoft.com/windows/nanoserver:ltsc2022"),
		Command: pulumi.ToStringArray([]string{"cmd", "/c", `dir C:\cache C:\scratch & ping -t localhost > nul`}),
		VolumeMounts: corev1.VolumeMountArray{
			// A path without a drive is on C:.
			corev1.VolumeMountArgs{Name: cache.Name, MountPath: pulumi.String("/cache")},
			corev1.VolumeMountArgs{Name: scratch.Name, MountPath: pulumi.String("C:/scratch")},
		},
	}
	_, err := workload.NewPod(ctx, "empty-dir-pod", &workload.PodArgs{
		Platform:   platform.WindowsServer2022,
		Scheduling: workload.BySelector,
		Metadata:   metav1.ObjectMetaArgs{Name: pulumi.String("empty-dir-pod")},
		Spec: corev1.PodSpecArgs{
			Containers: corev1.ContainerArray{container},
			Volumes:    corev1.VolumeArray{cache, scratch},
		},
	})
	return err
}
