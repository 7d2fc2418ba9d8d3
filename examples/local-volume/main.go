// Command local-volume keeps the files of a Windows pod on the disk of one node, where the pod then runs.
package main

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/workload"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	claim, err := newClaim(ctx)
	if err != nil {
		return err
	}
	files := corev1.VolumeArgs{
		Name:                  pulumi.String("files"),
		PersistentVolumeClaim: corev1.PersistentVolumeClaimVolumeSourceArgs{ClaimName: claim.Metadata.Name().Elem()},
	}
	shop := corev1.ContainerArgs{
		Name:  pulumi.String("shop"),
		Image: pulumi.String("mcr.microsoft.com/windows/nanoserver:ltsc2022"),
		Command: pulumi.ToStringArray([]string{
			"cmd", "/c",
			`echo started >> C:\data\log.txt & ping -t localhost > nul`,
		}),
		VolumeMounts: corev1.VolumeMountArray{corev1.VolumeMountArgs{
			Name:      files.Name,
			MountPath: pulumi.String("C:/data"),
		}},
	}
	_, err = workload.NewPod(ctx, "shop", &workload.PodArgs{
		Platform:   platform.WindowsServer2022,
		Scheduling: workload.BySelector,
		Spec:       corev1.PodSpecArgs{Containers: corev1.ContainerArray{shop}, Volumes: corev1.VolumeArray{files}},
	})
	return err
}
