// Command host-process runs a script on each Windows node, outside of a container: it synchronizes the clock.
package main

import (
	_ "embed"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/hostprocess"
)

//go:embed clock.ps1
var script string

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	config, err := corev1.NewConfigMap(ctx, "clock", &corev1.ConfigMapArgs{
		Metadata: metav1.ObjectMetaArgs{Namespace: pulumi.String("kube-system")},
		Data:     pulumi.StringMap{"clock.ps1": pulumi.String(script)},
	})
	if err != nil {
		return err
	}
	scripts := corev1.VolumeArgs{
		Name:      pulumi.String("scripts"),
		ConfigMap: corev1.ConfigMapVolumeSourceArgs{Name: config.Metadata.Name()},
	}
	clock := corev1.ContainerArgs{
		Name:  pulumi.String("clock"),
		Image: pulumi.String(hostprocess.DefaultImage), // an empty image: powershell.exe is on the node
		Command: pulumi.ToStringArray([]string{
			"powershell.exe", "-NoProfile", "-File",
			hostprocess.Containerd17.Path("/scripts/clock.ps1"),
		}),
		VolumeMounts: corev1.VolumeMountArray{corev1.VolumeMountArgs{
			Name:      scripts.Name,
			MountPath: pulumi.String("/scripts"),
		}},
	}
	_, err = hostprocess.NewDaemonSet(ctx, "clock", &hostprocess.DaemonSetArgs{
		User: hostprocess.System, // this user may set the clock
		Pods: corev1.PodSpecArgs{Containers: corev1.ContainerArray{clock}, Volumes: corev1.VolumeArray{scripts}},
	})
	return err
}
