// Command split is two programs: that of the stack infrastructure exports the topology of a cluster,
// that of other stacks reads it, and deploys to the cluster under the guard.
package main

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/stackoutput"
	"github.com/mixedkube/mixedkube/core/topology"
)

func main() { guard.Run(program) }

const infrastructureStack = "infrastructure"

func program(ctx *pulumi.Context) error {
	if ctx.Stack() == infrastructureStack {
		return infrastructure(ctx)
	}
	return apps(ctx)
}

// infrastructure stands for a program that makes the cluster of its configuration.
func infrastructure(ctx *pulumi.Context) error {
	var document any
	config.New(ctx, "").RequireObject("cluster", &document)
	cluster, errs := topology.Decode(document, nil)
	if err := errs.ToAggregate(); err != nil {
		return err
	}
	ctx.Export("topology", stackoutput.Topology(cluster))
	return nil
}

func apps(ctx *pulumi.Context) error {
	made, err := pulumi.NewStackReference(ctx, "organization/split/"+infrastructureStack, nil)
	if err != nil {
		return err
	}
	cluster, err := stackoutput.ReadTopology(made, "topology")
	if err != nil {
		return err
	}
	if err := guard.Enforce(ctx, guard.Args{Topology: cluster, Place: true}); err != nil {
		return err
	}
	labels := pulumi.StringMap{"app": pulumi.String("iis")}
	_, err = appsv1.NewDeployment(ctx, "iis", &appsv1.DeploymentArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("iis"), Namespace: pulumi.String("default")},
		Spec: appsv1.DeploymentSpecArgs{
			Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
			Template: corev1.PodTemplateSpecArgs{
				Metadata: metav1.ObjectMetaArgs{Labels: labels},
				Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
					Name:  pulumi.String("iis"),
					Image: pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"),
				}}},
			},
		},
	})
	return err
}
