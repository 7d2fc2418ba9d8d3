// Command persistent-volume-claim serves the pages of an SMB share, through the CSI driver for SMB.
package main

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	many, size := pulumi.ToStringArray([]string{"ReadWriteMany"}), pulumi.StringMap{"storage": pulumi.String("100Gi")}
	noClass := pulumi.String("") // the share exists, and the claim names its volume
	// The driver, and the Secret with username and password, must be in the cluster. Windows nodes mount the share
	// themselves, and cannot resolve the names of Services.
	creds := corev1.SecretReferenceArgs{Name: pulumi.String("smbcreds"), Namespace: pulumi.String("default")}
	share := corev1.CSIPersistentVolumeSourceArgs{
		Driver: pulumi.String("smb.csi.k8s.io"), VolumeHandle: pulumi.String("files.example.com/pages"),
		VolumeAttributes:   pulumi.StringMap{"source": pulumi.String("//files.example.com/pages")},
		NodeStageSecretRef: creds,
	}
	spec := corev1.PersistentVolumeSpecArgs{StorageClassName: noClass, AccessModes: many, Capacity: size, Csi: share}
	volume, err := corev1.NewPersistentVolume(ctx, "pages", &corev1.PersistentVolumeArgs{Spec: spec})
	if err != nil {
		return err
	}
	claim, err := corev1.NewPersistentVolumeClaim(ctx, "pages", &corev1.PersistentVolumeClaimArgs{
		Spec: corev1.PersistentVolumeClaimSpecArgs{
			StorageClassName: noClass, AccessModes: many, VolumeName: volume.Metadata.Name(),
			Resources: corev1.VolumeResourceRequirementsArgs{Requests: size},
		},
	})
	if err != nil {
		return err
	}
	claimed := corev1.PersistentVolumeClaimVolumeSourceArgs{ClaimName: claim.Metadata.Name().Elem()}
	pages := corev1.VolumeArgs{Name: pulumi.String("pages"), PersistentVolumeClaim: claimed}
	mount := corev1.VolumeMountArgs{Name: pages.Name, MountPath: pulumi.String(`C:\inetpub\wwwroot`)}
	image := pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022")
	iis := corev1.ContainerArgs{Name: pulumi.String("iis"), Image: image, VolumeMounts: corev1.VolumeMountArray{mount}}
	_, err = workload.NewPod(ctx, "iis", &workload.PodArgs{
		Platform: platform.WindowsServer2022, Scheduling: workload.BySelector,
		Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{iis}, Volumes: corev1.VolumeArray{pages}},
	})
	return err
}
