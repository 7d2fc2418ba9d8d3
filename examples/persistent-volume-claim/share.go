package main

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// newClaim claims a share that is there, by a volume that is made for it: no
// StorageClass is needed. The driver and the Secret smbcreds, with username and
// password, have to be in the cluster.
func newClaim(ctx *pulumi.Context) (*corev1.PersistentVolumeClaim, error) {
	metadata := metav1.ObjectMetaArgs{Name: pulumi.String("pages")}
	modes := pulumi.StringArray{pulumi.String("ReadWriteMany")}
	size := pulumi.StringMap{"storage": pulumi.String("100Gi")}
	noClass := pulumi.String("")
	volume, err := corev1.NewPersistentVolume(ctx, "pages", &corev1.PersistentVolumeArgs{
		Metadata: metadata,
		Spec: corev1.PersistentVolumeSpecArgs{
			Capacity:         size,
			AccessModes:      modes,
			StorageClassName: noClass,
			Csi: corev1.CSIPersistentVolumeSourceArgs{
				Driver:       pulumi.String("smb.csi.k8s.io"),
				VolumeHandle: pulumi.String("files.example.com/pages"),
				// Windows nodes mount the share themselves, and do not know the names of Services.
				VolumeAttributes: pulumi.StringMap{"source": pulumi.String("//files.example.com/pages")},
				NodeStageSecretRef: corev1.SecretReferenceArgs{
					Name:      pulumi.String("smbcreds"),
					Namespace: pulumi.String("default"),
				},
			},
		},
	})
	if err != nil {
		return nil, err
	}
	return corev1.NewPersistentVolumeClaim(ctx, "pages", &corev1.PersistentVolumeClaimArgs{
		Metadata: metadata,
		Spec: corev1.PersistentVolumeClaimSpecArgs{
			AccessModes:      modes,
			StorageClassName: noClass,
			VolumeName:       volume.Metadata.Name(),
			Resources:        corev1.VolumeResourceRequirementsArgs{Requests: size},
		},
	})
}
