// Command local-volume keeps the files of a Windows pod on the disk of one node, where the pod then runs.
package main

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	// The directory must exist before the pod. The claim names its volume, and does not need a class.
	node, dir, noClass := pulumi.String("win22-0"), pulumi.String(`C:\data\shop`), pulumi.String("")
	once, size := pulumi.ToStringArray([]string{"ReadWriteOnce"}), pulumi.StringMap{"storage": pulumi.String("20Gi")}
	is := corev1.NodeSelectorRequirementArgs{
		Key: pulumi.String("kubernetes.io/hostname"), Operator: pulumi.String("In"), Values: pulumi.StringArray{node},
	}
	term := corev1.NodeSelectorTermArgs{MatchExpressions: corev1.NodeSelectorRequirementArray{is}}
	nodes := corev1.NodeSelectorArgs{NodeSelectorTerms: corev1.NodeSelectorTermArray{term}}
	local := corev1.PersistentVolumeSpecArgs{
		StorageClassName: noClass, AccessModes: once, Capacity: size, Local: corev1.LocalVolumeSourceArgs{Path: dir},
		NodeAffinity: corev1.VolumeNodeAffinityArgs{Required: nodes},
	}
	volume, err := corev1.NewPersistentVolume(ctx, "shop", &corev1.PersistentVolumeArgs{Spec: local})
	if err != nil {
		return err
	}
	claim, err := corev1.NewPersistentVolumeClaim(ctx, "shop", &corev1.PersistentVolumeClaimArgs{
		Spec: corev1.PersistentVolumeClaimSpecArgs{
			StorageClassName: noClass, AccessModes: once, VolumeName: volume.Metadata.Name(),
			Resources: corev1.VolumeResourceRequirementsArgs{Requests: size},
		},
	})
	if err != nil {
		return err
	}
	claimed := corev1.PersistentVolumeClaimVolumeSourceArgs{ClaimName: claim.Metadata.Name().Elem()}
	files := corev1.VolumeArgs{Name: pulumi.String("files"), PersistentVolumeClaim: claimed}
	mounts := corev1.VolumeMountArray{corev1.VolumeMountArgs{Name: files.Name, MountPath: pulumi.String("C:/data")}}
	image := pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022")
	shop := corev1.ContainerArgs{Name: pulumi.String("shop"), Image: image, VolumeMounts: mounts}
	_, err = workload.NewPod(ctx, "shop", &workload.PodArgs{
		Platform: platform.WindowsServer2022, Scheduling: workload.BySelector,
		Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{shop}, Volumes: corev1.VolumeArray{files}},
	})
	return err
}
