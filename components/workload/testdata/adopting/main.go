// Command adopting takes over a Deployment that kubectl or Helm has made. docs/moving.md explains it.
package main

import (
	"fmt"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

var (
	labels = pulumi.StringMap{"app": pulumi.String("legacy")}
	// legacy is what the Deployment is for. The component adds the rest of the node selector.
	legacy = appsv1.DeploymentSpecArgs{
		Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
		Template: corev1.PodTemplateSpecArgs{
			Metadata: metav1.ObjectMetaArgs{Labels: labels},
			Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
				Name: pulumi.String("web"), Image: pulumi.String("mcr.microsoft.com/windows/nanoserver:ltsc2022"),
			}}},
		},
	}
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		switch step := config.Require(ctx, "adopting:step"); step {
		case "imported":
			return deployment(ctx, metav1.ObjectMetaArgs{Name: pulumi.String("legacy")},
				pulumi.Import(pulumi.ID("default/legacy")))
		case "forced":
			return forced(ctx)
		case "owned":
			return deployment(ctx, metav1.ObjectMetaArgs{Name: pulumi.String("legacy")})
		default:
			return fmt.Errorf("there is no step %q: choose imported, forced or owned", step)
		}
	})
}

func forced(ctx *pulumi.Context) error {
	_, err := workload.NewDeployment(ctx, "legacy", &workload.DeploymentArgs{
		Platform: platform.WindowsServer2022, Scheduling: workload.BySelector, Spec: legacy,
		Metadata: metav1.ObjectMetaArgs{
			Name:        pulumi.String("legacy"),
			Annotations: pulumi.StringMap{"pulumi.com/patchForce": pulumi.String("true")},
		},
	}, pulumi.Import(pulumi.ID("default/legacy")))
	return err
}

func deployment(ctx *pulumi.Context, metadata metav1.ObjectMetaArgs, opts ...pulumi.ResourceOption) error {
	_, err := workload.NewDeployment(ctx, "legacy", &workload.DeploymentArgs{
		Platform: platform.WindowsServer2022, Scheduling: workload.BySelector, Spec: legacy, Metadata: metadata,
	}, opts...)
	return err
}
