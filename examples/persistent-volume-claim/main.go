// Command persistent-volume-claim serves the pages of an SMB share, through the CSI driver for SMB.
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
	pages := corev1.VolumeArgs{
		Name:                  pulumi.String("pages"),
		PersistentVolumeClaim: corev1.PersistentVolumeClaimVolumeSourceArgs{ClaimName: claim.Metadata.Name().Elem()},
	}
	iis := corev1.ContainerArgs{
		Name:  pulumi.String("iis"),
		Image: pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"),
		VolumeMounts: corev1.VolumeMountArray{corev1.VolumeMountArgs{
			Name:      pages.Name,
			MountPath: pulumi.String(`C:\inetpub\wwwroot`),
		}},
	}
	_, err = workload.NewPod(ctx, "iis", &workload.PodArgs{
		Platform:   platform.WindowsServer2022,
		Scheduling: workload.BySelector,
		Spec:       corev1.PodSpecArgs{Containers: corev1.ContainerArray{iis}, Volumes: corev1.VolumeArray{pages}},
	})
	return err
}
