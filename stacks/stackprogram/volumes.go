package stackprogram

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/platform"
)

// mounts has one mount.
func mounts(volume, path string) corev1.VolumeMountArray {
	return corev1.VolumeMountArray{mount(volume, path)}
}

func mount(volume, path string) corev1.VolumeMountArgs {
	return corev1.VolumeMountArgs{Name: pulumi.String(volume), MountPath: pulumi.String(path)}
}

func mounting(p platform.Platform, mounts ...corev1.VolumeMountInput) corev1.ContainerArgs {
	container := idler(p)
	container.VolumeMounts = corev1.VolumeMountArray(mounts)
	return container
}

// deployHostPath deploys a Pod that reads a folder of its node.
func deployHostPath(ctx *pulumi.Context, on windows) error {
	folder := mount("foo", `C:\etc\foo`)
	folder.ReadOnly = pulumi.Bool(true)
	return deployPod(ctx, on, called(on.name), mounting(on.platform, folder), corev1.VolumeArgs{
		Name: pulumi.String("foo"),
		HostPath: corev1.HostPathVolumeSourceArgs{
			Path: pulumi.String(`C:\etc\foo`), Type: pulumi.String("DirectoryOrCreate"),
		},
	})
}

// deployEmptyDirs deploys a Pod with two folders of its own.
func deployEmptyDirs(ctx *pulumi.Context, on windows) error {
	container := mounting(on.platform, mount("cache", "/cache"), mount("scratch", "C:/scratch"))
	return deployPod(ctx, on, called(on.name), container,
		corev1.VolumeArgs{Name: pulumi.String("cache"), EmptyDir: corev1.EmptyDirVolumeSourceArgs{}},
		corev1.VolumeArgs{Name: pulumi.String("scratch"), EmptyDir: corev1.EmptyDirVolumeSourceArgs{}})
}

// deployNamedPipe deploys a Pod that speaks to the node's containerd through its pipe.
func deployNamedPipe(ctx *pulumi.Context, on windows) error {
	const pipe = `\\.\pipe\containerd-containerd`
	return deployPod(ctx, on, called(on.name), mounting(on.platform, mount("containerd", pipe)), corev1.VolumeArgs{
		Name: pulumi.String("containerd"), HostPath: corev1.HostPathVolumeSourceArgs{Path: pulumi.String(pipe)},
	})
}

// deployPersistentVolumeClaim deploys a Pod with a share of a file server. Being claimed
// by name, it needs no provisioner, but the cluster needs the SMB driver, and the Secret
// smbcreds with username and password.
func deployPersistentVolumeClaim(ctx *pulumi.Context, on windows) error {
	storage, access := pulumi.StringMap{"storage": pulumi.String("1Gi")},
		pulumi.ToStringArray([]string{"ReadWriteMany"})
	const driver, share = "smb.csi.k8s.io", "//files.example.com/share"
	volume, err := corev1.NewPersistentVolume(ctx, on.name, &corev1.PersistentVolumeArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(on.name)},
		Spec: corev1.PersistentVolumeSpecArgs{
			Capacity: storage, AccessModes: access,
			Csi: corev1.CSIPersistentVolumeSourceArgs{
				Driver:           pulumi.String(driver),
				VolumeHandle:     pulumi.String(share + "#" + on.name),
				VolumeAttributes: pulumi.StringMap{"source": pulumi.String(share)},
				NodeStageSecretRef: corev1.SecretReferenceArgs{
					Name: pulumi.String("smbcreds"), Namespace: pulumi.String("default"),
				},
			},
		},
	}, on.cluster...)
	if err != nil {
		return err
	}
	claim, err := corev1.NewPersistentVolumeClaim(ctx, on.name, &corev1.PersistentVolumeClaimArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(on.name)},
		Spec: corev1.PersistentVolumeClaimSpecArgs{
			// No class, so that none of the cluster's makes another volume.
			StorageClassName: pulumi.String(""), VolumeName: volume.Metadata.Name(), AccessModes: access,
			Resources: corev1.VolumeResourceRequirementsArgs{Requests: storage},
		},
	}, on.cluster...)
	if err != nil {
		return err
	}
	return deployPod(ctx, on, called(on.name), mounting(on.platform, mount("share", "D:")), corev1.VolumeArgs{
		Name:                  pulumi.String("share"),
		PersistentVolumeClaim: corev1.PersistentVolumeClaimVolumeSourceArgs{ClaimName: claim.Metadata.Name().Elem()},
	})
}
