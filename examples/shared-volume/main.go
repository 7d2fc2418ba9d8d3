// Command shared-volume runs two containers in one Windows pod: one writes a page, the other serves it.
package main

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	pages := corev1.VolumeArgs{Name: pulumi.String("pages"), EmptyDir: corev1.EmptyDirVolumeSourceArgs{}}
	web := corev1.ContainerArgs{
		Name:  pulumi.String("web"),
		Image: pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"),
		Ports: corev1.ContainerPortArray{corev1.ContainerPortArgs{ContainerPort: pulumi.Int(80)}},
		VolumeMounts: corev1.VolumeMountArray{corev1.VolumeMountArgs{
			Name:      pages.Name,
			MountPath: pulumi.String("C:/inetpub/wwwroot"),
		}},
	}
	// The containers of a pod share a network: this one reads its own page from localhost.
	script := `for /l %i in () do (time /t > C:\pages\index.html & curl.exe -s http://localhost/ & ping -n 10 ` +
		`127.0.0.1 > nul)`
	writer := corev1.ContainerArgs{
		Name:    pulumi.String("writer"),
		Image:   pulumi.String("mcr.microsoft.com/windows/nanoserver:ltsc2022"),
		Command: pulumi.ToStringArray([]string{"cmd", "/c", script}),
		VolumeMounts: corev1.VolumeMountArray{corev1.VolumeMountArgs{
			Name:      pages.Name,
			MountPath: pulumi.String("C:/pages"),
		}},
	}
	_, err := workload.NewPod(ctx, "shared-volume", &workload.PodArgs{
		Platform:   platform.WindowsServer2022,
		Scheduling: workload.BySelector,
		Spec: corev1.PodSpecArgs{
			Containers: corev1.ContainerArray{web, writer},
			Volumes:    corev1.VolumeArray{pages},
		},
	})
	return err
}
