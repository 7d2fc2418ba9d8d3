// Command eks-existing deploys on an existing Amazon EKS cluster. docs/other-clouds.md describes the requirements.
package main

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

var cluster = topology.Topology{KubernetesVersion: "1.36", Cloud: topology.EKS, Pools: []topology.Pool{
	{Name: "linux", Platform: platform.Linux}, {Name: "win22", Platform: platform.WindowsServer2022, Size: "m5.xlarge"},
}} // a short form of the output of `kubectl get nodes -o json | mixedkube topology`

func main() { guard.Run(program) }

func program(ctx *pulumi.Context) error {
	if err := guard.Enforce(ctx, guard.Args{Topology: cluster, Place: true, AssumeLinux: true}); err != nil {
		return err
	}
	name := metav1.ObjectMetaPatchArgs{Namespace: pulumi.String("kube-system"), Name: pulumi.String("amazon-vpc-cni")}
	name.Annotations = pulumi.StringMap{"pulumi.com/patchForce": pulumi.String("true")} // the add-on owns it
	data := pulumi.StringMap{"enable-windows-ipam": pulumi.String("true")}              // for addresses of Windows pods
	ipam, err := corev1.NewConfigMapPatch(ctx, "windows-ipam", &corev1.ConfigMapPatchArgs{Metadata: name, Data: data})
	if err != nil {
		return err
	}
	if _, err := workload.NewDeployment(ctx, "web", &workload.DeploymentArgs{
		Platform: platform.WindowsServer2022, Topology: cluster, Scheduling: workload.BySelector,
		Spec: deployment("web", "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"),
	}, pulumi.DependsOn([]pulumi.Resource{ipam})); err != nil {
		return err
	}
	_, err = appsv1.NewDeployment(ctx, "proxy", &appsv1.DeploymentArgs{Spec: deployment("proxy", "nginx:1.29")})
	return err
}

func deployment(app, image string) appsv1.DeploymentSpecArgs {
	labels := pulumi.StringMap{"app": pulumi.String(app)}
	limits := corev1.ResourceRequirementsArgs{Limits: pulumi.StringMap{"memory": pulumi.String("800Mi")}}
	container := corev1.ContainerArgs{Name: pulumi.String(app), Image: pulumi.String(image), Resources: limits}
	pods := corev1.PodSpecArgs{Containers: corev1.ContainerArray{container}}
	template := corev1.PodTemplateSpecArgs{Metadata: metav1.ObjectMetaArgs{Labels: labels}, Spec: pods}
	return appsv1.DeploymentSpecArgs{Selector: metav1.LabelSelectorArgs{MatchLabels: labels}, Template: template}
}
