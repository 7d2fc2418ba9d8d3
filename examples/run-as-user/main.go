// Command run-as-user runs the containers of a Windows pod as other users than their image does.
package main

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	// The image runs as ContainerAdministrator unless the pod sets another user.
	app := corev1.ContainerArgs{
		Name:    pulumi.String("app"),
		Image:   pulumi.String("mcr.microsoft.com/windows/servercore:ltsc2022"),
		Command: pulumi.ToStringArray([]string{"cmd", "/c", "whoami & ping -t localhost > nul"}),
	}
	// The user of a container overrides the user of the pod.
	admin := app
	admin.Name = pulumi.String("admin")
	admin.SecurityContext = corev1.SecurityContextArgs{WindowsOptions: corev1.WindowsSecurityContextOptionsArgs{
		RunAsUserName: pulumi.String(workload.ContainerAdministrator),
	}}
	_, err := workload.NewPod(ctx, "run-as-username-pod-demo", &workload.PodArgs{
		Platform:   platform.WindowsServer2022,
		Scheduling: workload.BySelector,
		User:       workload.ContainerUser,
		Metadata:   metav1.ObjectMetaArgs{Name: pulumi.String("run-as-username-pod-demo")},
		Spec:       corev1.PodSpecArgs{Containers: corev1.ContainerArray{app, admin}},
	})
	return err
}
