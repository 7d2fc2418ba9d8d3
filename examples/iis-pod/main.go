// Command iis-pod runs Internet Information Services in a single Pod, and exports the name of its node.
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
	iis := corev1.ContainerArgs{
		Name:  pulumi.String("iis"),
		Image: pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"),
		Ports: corev1.ContainerPortArray{corev1.ContainerPortArgs{ContainerPort: pulumi.Int(80)}},
	}
	pod, err := workload.NewPod(ctx, "iis", &workload.PodArgs{
		Platform:   platform.WindowsServer2022,
		Scheduling: workload.BySelector,
		Metadata: metav1.ObjectMetaArgs{
			Name:   pulumi.String("iis"),
			Labels: pulumi.StringMap{"name": pulumi.String("iis")},
		},
		Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{iis}},
	})
	if err != nil {
		return err
	}
	ctx.Export("node", pod.Pod.Spec.NodeName())
	return nil
}
