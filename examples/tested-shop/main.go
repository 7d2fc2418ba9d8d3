// Command tested-shop runs a web shop on Windows nodes. docs/testing.md describes its tests.
package main

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

func main() { guard.Run(program) }

func program(ctx *pulumi.Context) error { return shop(ctx, 2) }

func shop(ctx *pulumi.Context, replicas int) error {
	if err := guard.Enforce(ctx, guard.Args{TopologyFile: "cluster.yaml"}); err != nil {
		return err
	}
	labels := pulumi.StringMap{"app": pulumi.String("shop")}
	web, err := workload.NewDeployment(ctx, "web", &workload.DeploymentArgs{
		Platform: platform.WindowsServer2022, Scheduling: workload.BySelector,
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("shop")},
		Spec: appsv1.DeploymentSpecArgs{
			Replicas: pulumi.Int(replicas),
			Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
			Template: corev1.PodTemplateSpecArgs{
				Metadata: metav1.ObjectMetaArgs{Labels: labels},
				Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
					Name:  pulumi.String("web"),
					Image: pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"),
				}}},
			},
		},
	})
	if err != nil {
		return err
	}
	ctx.Export("name", web.Deployment.Metadata.Name())
	return nil
}
