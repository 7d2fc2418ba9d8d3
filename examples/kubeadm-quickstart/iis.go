package main

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/workload"
)

// iis is Internet Information Services behind the load balancer of the pools, which asks
// each node for the Service's port.
func iis(ctx *pulumi.Context, cluster *kubeadm.Cluster) error {
	labels := pulumi.StringMap{"app": pulumi.String("iis")}
	image := pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022")
	limits := corev1.ResourceRequirementsArgs{Limits: pulumi.StringMap{"memory": pulumi.String("800Mi")}}
	pods := corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
		Name:  pulumi.String("iis"),
		Image: image, Resources: limits,
	}}}
	_, err := workload.NewDeployment(ctx, "iis", &workload.DeploymentArgs{
		Platform: platform.WindowsServer2022, Topology: cluster.Topology, Scheduling: workload.BySelector,
		Spec: appsv1.DeploymentSpecArgs{
			Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
			Template: corev1.PodTemplateSpecArgs{Metadata: metav1.ObjectMetaArgs{Labels: labels}, Spec: pods},
		},
	}, pulumi.Provider(cluster.Provider))
	if err != nil {
		return err
	}
	port := corev1.ServicePortArgs{Port: pulumi.Int(80), NodePort: pulumi.Int(30080)}
	_, err = corev1.NewService(ctx, "iis", &corev1.ServiceArgs{
		Spec: corev1.ServiceSpecArgs{
			Type: pulumi.String("NodePort"), Selector: labels,
			Ports: corev1.ServicePortArray{port},
		},
	}, pulumi.Provider(cluster.Provider))
	return err
}
