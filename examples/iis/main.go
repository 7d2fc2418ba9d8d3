// Command iis runs Internet Information Services on the Windows nodes of a mixed cluster.
package main

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	cluster := topology.Topology{Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux}, {Name: "win22", Platform: platform.WindowsServer2022},
	}}
	classes, err := runtimeclass.NewSet(ctx, "windows", &runtimeclass.SetArgs{Topology: cluster})
	if err != nil {
		return err
	}
	labels := pulumi.StringMap{"app": pulumi.String("iis")}
	metadata := metav1.ObjectMetaArgs{Name: pulumi.String("iis"), Labels: labels}
	ports := corev1.ServicePortArray{corev1.ServicePortArgs{Protocol: pulumi.String("TCP"), Port: pulumi.Int(80)}}
	spec := corev1.ServiceSpecArgs{Type: pulumi.String("LoadBalancer"), Selector: labels, Ports: ports}
	service, err := corev1.NewService(ctx, "iis", &corev1.ServiceArgs{Metadata: metadata, Spec: spec})
	if err != nil {
		return err
	}
	ctx.Export("ingress", service.Status.LoadBalancer().Ingress())
	limits := pulumi.StringMap{"cpu": pulumi.String("1"), "memory": pulumi.String("800Mi")}
	requests := pulumi.StringMap{"cpu": pulumi.String("0.1"), "memory": pulumi.String("300Mi")}
	pods := corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
		Name:      pulumi.String("iis"),
		Image:     pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"),
		Resources: corev1.ResourceRequirementsArgs{Limits: limits, Requests: requests},
		Ports:     corev1.ContainerPortArray{corev1.ContainerPortArgs{ContainerPort: pulumi.Int(80)}},
	}}}
	template := corev1.PodTemplateSpecArgs{Metadata: metav1.ObjectMetaArgs{Labels: labels}, Spec: pods}
	selector := metav1.LabelSelectorArgs{MatchLabels: labels}
	_, err = workload.NewDeployment(ctx, "iis", &workload.DeploymentArgs{
		Platform: platform.WindowsServer2022, Metadata: metadata,
		Spec: appsv1.DeploymentSpecArgs{Replicas: pulumi.Int(1), Selector: selector, Template: template},
	}, pulumi.DependsOn(classes.Ready(platform.WindowsServer2022)))
	return err
}
