// Command secret gives a Windows pod a Secret, as environment variables and as files.
// Read your own value with config.RequireSecret.
package main

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	data := pulumi.StringMap{"username": pulumi.String("admin"), "password": pulumi.String("1f2d1e2e67df")}
	secret, err := corev1.NewSecret(ctx, "mysecret",
		&corev1.SecretArgs{Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("mysecret")}, StringData: data})
	if err != nil {
		return err
	}
	variable := func(name, key string) corev1.EnvVarArgs {
		from := corev1.SecretKeySelectorArgs{Name: secret.Metadata.Name(), Key: pulumi.String(key)}
		return corev1.EnvVarArgs{Name: pulumi.String(name), ValueFrom: corev1.EnvVarSourceArgs{SecretKeyRef: from}}
	}
	volume := corev1.VolumeArgs{
		Name:   pulumi.String("mysecret"),
		Secret: corev1.SecretVolumeSourceArgs{SecretName: secret.Metadata.Name()},
	}
	container := corev1.ContainerArgs{
		Name: pulumi.String("mypod-secret"), Image: pulumi.String("mcr.microsoft.com/windows/nanoserver:ltsc2022"),
		Command: pulumi.ToStringArray([]string{"cmd", "/c", `dir C:\mysecret & ping -t localhost > nul`}),
		Env:     corev1.EnvVarArray{variable("USERNAME", "username"), variable("PASSWORD", "password")},
		VolumeMounts: corev1.VolumeMountArray{corev1.VolumeMountArgs{
			Name: volume.Name, MountPath: pulumi.String(`C:\mysecret`), ReadOnly: pulumi.Bool(true),
		}},
	}
	_, err = workload.NewPod(ctx, "mypod-secret", &workload.PodArgs{
		Platform: platform.WindowsServer2022, Scheduling: workload.BySelector,
		Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{container}, Volumes: corev1.VolumeArray{volume}},
		// MK520: the disks of the nodes are encrypted.
		Metadata: metav1.ObjectMetaArgs{
			Name:        pulumi.String("mypod-secret"),
			Annotations: pulumi.StringMap{preflight.IgnoreAnnotation: pulumi.String("MK520")},
		},
	})
	return err
}
