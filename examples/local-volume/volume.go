package main

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	storagev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/storage/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

const (
	// node has the folder, which must be there before the pod is.
	node   = "win22-0"
	folder = `C:\data\shop`
)

// newClaim makes a volume of a folder on a node, and a claim that is bound to it.
func newClaim(ctx *pulumi.Context) (*corev1.PersistentVolumeClaim, error) {
	class, err := storagev1.NewStorageClass(ctx, "local", &storagev1.StorageClassArgs{
		Metadata:          metav1.ObjectMetaArgs{Name: pulumi.String("local")},
		Provisioner:       pulumi.String("kubernetes.io/no-provisioner"), // nobody makes such volumes but the program
		VolumeBindingMode: pulumi.String("WaitForFirstConsumer"),
	})
	if err != nil {
		return nil, err
	}
	name, once := class.Metadata.Name(), pulumi.ToStringArray([]string{"ReadWriteOnce"})
	size := pulumi.StringMap{"storage": pulumi.String("20Gi")}
	onNode := corev1.NodeSelectorTermArgs{
		MatchExpressions: corev1.NodeSelectorRequirementArray{corev1.NodeSelectorRequirementArgs{
			Key: pulumi.String("kubernetes.io/hostname"), Operator: pulumi.String("In"),
			Values: pulumi.ToStringArray([]string{node}),
		}},
	}
	volume, err := corev1.NewPersistentVolume(ctx, "shop", &corev1.PersistentVolumeArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("shop-" + node)},
		Spec: corev1.PersistentVolumeSpecArgs{
			StorageClassName: name, AccessModes: once, Capacity: size,
			PersistentVolumeReclaimPolicy: pulumi.String("Retain"),
			Local:                         corev1.LocalVolumeSourceArgs{Path: pulumi.String(folder)},
			NodeAffinity: corev1.VolumeNodeAffinityArgs{
				Required: corev1.NodeSelectorArgs{NodeSelectorTerms: corev1.NodeSelectorTermArray{onNode}},
			},
		},
	})
	if err != nil {
		return nil, err
	}
	return corev1.NewPersistentVolumeClaim(ctx, "shop", &corev1.PersistentVolumeClaimArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("shop")},
		Spec: corev1.PersistentVolumeClaimSpecArgs{
			StorageClassName: name, AccessModes: once, VolumeName: volume.Metadata.Name(),
			Resources: corev1.VolumeResourceRequirementsArgs{Requests: size},
		},
	})
}
