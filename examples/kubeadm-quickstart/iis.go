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

// iis deploys Internet Information Services behind the load balancer of the pools, which probes the port of each node.
func iis(ctx *pulumi.Context, cluster *kubeadm.Cluster) error {
	labels := pulumi.StringMap{"app": pulumi.String("iis")}
	image := pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022")
	limits := corev1.ResourceRequirementsArgs{Limits: pulumi.StringMap{"memory": pulumi.String("800Mi")}}
	container := corev1.ContainerArgs{Name: pulumi.String("iis"), Image: image, Resources: limits}
	pods := corev1.PodSpecArgs{Containers: corev1.ContainerArray{container}}
	template := corev1.PodTemplateSpecArgs{Metadata: metav1.ObjectMetaArgs{Labels: labels}, Spec: pods}
	_, err := workload.NewDeployment(ctx, "iis", &workload.DeploymentArgs{
		Platform: platform.WindowsServer2022, Topology: cluster.Topology, Scheduling: workload.BySelector,
		Spec: appsv1.DeploymentSpecArgs{Selector: metav1.LabelSelectorArgs{MatchLabels: labels}, Template: template},
	}, pulumi.Provider(cluster.Provider))
	if err != nil {
		return err
	}
	ports := corev1.ServicePortArray{corev1.ServicePortArgs{Port: pulumi.Int(80), NodePort: pulumi.Int(30080)}}
	service := corev1.ServiceSpecArgs{Type: pulumi.String("NodePort"), Selector: labels, Ports: ports}
	_, err = corev1.NewService(ctx, "iis", &corev1.ServiceArgs{Spec: service}, pulumi.Provider(cluster.Provider))
	return err
}
