// Package program has the program of the command arguments, for tests.
package program

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

var cluster = topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
	{Name: "sys", Platform: platform.Linux}, {Name: "win22", Platform: platform.WindowsServer2022},
}}

// Program enforces the guard and registers everything.
func Program(ctx *pulumi.Context) error {
	if err := guard.Enforce(ctx, guard.Args{Topology: cluster}); err != nil {
		return err
	}
	return Register(ctx)
}

// Register registers five components with a wrong argument each, and uses their outputs; then a pod that a rule reports.
func Register(ctx *pulumi.Context) error {
	classes, err := runtimeclass.NewSet(ctx, "classes", &runtimeclass.SetArgs{
		Topology: cluster, Keep: []platform.Platform{platform.Linux},
	})
	if err != nil {
		return err
	}
	account, err := gmsa.NewCredentialSpec(ctx, "account", nil)
	if err != nil {
		return err
	}
	front, err := front(ctx, account, classes.Ready(platform.WindowsServer2022))
	if err != nil {
		return err
	}
	agent, err := hostprocess.NewDaemonSet(ctx, "agent", &hostprocess.DaemonSetArgs{
		User: `shop\agent`, Pods: corev1.PodSpecArgs{Containers: containers("nanoserver:ltsc2022")},
	}, pulumi.DependsOn([]pulumi.Resource{front.Deployment}))
	if err != nil {
		return err
	}
	if _, err := hostprocess.NewNodeLogs(ctx, "logs", nil, pulumi.DependsOn([]pulumi.Resource{agent})); err != nil {
		return err
	}
	ctx.Export("front", front.Deployment.Metadata.Name())
	ctx.Export("agent", agent.Name)
	_, err = corev1.NewPod(ctx, "first", &corev1.PodArgs{Spec: corev1.PodSpecArgs{
		NodeSelector: pulumi.StringMap{"kubernetes.io/os": pulumi.String("linux")}, Containers: containers("nanoserver"),
	}})
	return err
}

func front(
	ctx *pulumi.Context, account *gmsa.CredentialSpec, after []pulumi.Resource,
) (*workload.Deployment, error) {
	labels := pulumi.StringMap{"app": pulumi.String("front")}
	return workload.NewDeployment(ctx, "front", &workload.DeploymentArgs{
		Platform: "windows-2023", CredentialSpec: account,
		Spec: appsv1.DeploymentSpecArgs{
			Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
			Template: corev1.PodTemplateSpecArgs{
				Metadata: metav1.ObjectMetaArgs{Labels: labels},
				Spec:     corev1.PodSpecArgs{Containers: containers("servercore:ltsc2022")},
			},
		},
	}, pulumi.DependsOn(after))
}

func containers(image string) corev1.ContainerArray {
	return corev1.ContainerArray{corev1.ContainerArgs{
		Name: pulumi.String("main"), Image: pulumi.String("mcr.microsoft.com/windows/" + image),
	}}
}
