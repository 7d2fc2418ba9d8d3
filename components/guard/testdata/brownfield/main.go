// Command brownfield is a program that was there before the guard: 100 Deployments, and a Job with
// a mistake. The configuration known=FILE lets it adopt the guard, with a file of what is known;
// place=true completes the pods, new=true adds a Job with the same mistake, and clusters=true deploys
// to two clusters.
package main

import (
	"fmt"

	kubernetes "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

var cluster = topology.Topology{Pools: []topology.Pool{
	{Name: "linux", Platform: platform.Linux, Count: 2},
	{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
}}

// development is another cluster, without Windows Server 2022.
var development = topology.Topology{Pools: []topology.Pool{
	{Name: "linux", Platform: platform.Linux, Count: 1},
	{Name: "win19", Platform: platform.WindowsServer2019, Count: 1},
}}

func main() { guard.Run(program) } // was pulumi.Run

func program(ctx *pulumi.Context) error {
	given := config.New(ctx, "")
	if given.Get("known") != "" || given.GetBool("clusters") {
		if err := guard.Enforce(ctx, args(given)); err != nil {
			return err
		}
	}
	if given.GetBool("clusters") {
		return twoClusters(ctx)
	}
	for i := range 100 {
		image := "nginx:1.28-alpine"
		if i%40 == 0 {
			image = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"
		}
		if err := deployment(ctx, fmt.Sprintf("web-%02d", i), image); err != nil {
			return err
		}
	}
	if given.GetBool("new") {
		if err := job(ctx, "new"); err != nil {
			return err
		}
	}
	return job(ctx, "migrate")
}

func args(given *config.Config) guard.Args {
	if given.GetBool("clusters") {
		return guard.Args{Clusters: []guard.Cluster{
			{Provider: "dev", Topology: development},
			{Provider: "prod", Topology: cluster},
		}}
	}
	return guard.Args{
		Ignore:   []guard.Ignore{{Rules: []string{"MK105", "MK514"}, Resources: []string{"web-*"}, Reason: "later"}},
		Topology: cluster, Baseline: given.Get("known"),
		Place: given.GetBool("place"), AssumeLinux: given.GetBool("place"),
	}
}

func twoClusters(ctx *pulumi.Context) error {
	for _, name := range []string{"dev", "prod"} {
		// Both are the one of the environment's kubeconfig.
		provider, err := kubernetes.NewProvider(ctx, name, nil)
		if err != nil {
			return err
		}
		const image = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"
		if err := deployment(ctx, "in-"+name, image, pulumi.Provider(provider)); err != nil {
			return err
		}
	}
	return nil
}

func deployment(ctx *pulumi.Context, name, image string, opts ...pulumi.ResourceOption) error {
	labels := pulumi.StringMap{"app": pulumi.String(name)}
	pods := corev1.PodSpecArgs{
		Containers: corev1.ContainerArray{
			corev1.ContainerArgs{Name: pulumi.String("web"), Image: pulumi.String(image)},
		},
	}
	if image != "nginx:1.28-alpine" {
		pods.NodeSelector = pulumi.ToStringMap(topology.NodeSelector(platform.WindowsServer2022))
		pods.Tolerations = corev1.TolerationArray{corev1.TolerationArgs{
			Key: pulumi.String("os"), Value: pulumi.String("windows"), Effect: pulumi.String("NoSchedule"),
		}}
	}
	_, err := appsv1.NewDeployment(ctx, name, &appsv1.DeploymentArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(name)},
		Spec: appsv1.DeploymentSpecArgs{
			// So that they are no load for the test's machine.
			Replicas: pulumi.Int(0),
			Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
			Template: corev1.PodTemplateSpecArgs{Metadata: metav1.ObjectMetaArgs{Labels: labels}, Spec: pods},
		},
	}, opts...)
	return err
}

// job has the shell of Linux in an image for Windows.
func job(ctx *pulumi.Context, name string) error {
	_, err := batchv1.NewJob(ctx, name, &batchv1.JobArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(name)},
		Spec: batchv1.JobSpecArgs{Template: corev1.PodTemplateSpecArgs{Spec: corev1.PodSpecArgs{
			RestartPolicy: pulumi.String("Never"),
			NodeSelector:  pulumi.ToStringMap(topology.NodeSelector(platform.WindowsServer2022)),
			Tolerations: corev1.TolerationArray{corev1.TolerationArgs{
				Key: pulumi.String("os"), Value: pulumi.String("windows"), Effect: pulumi.String("NoSchedule"),
			}},
			Containers: corev1.ContainerArray{corev1.ContainerArgs{
				Name: pulumi.String("main"), Image: pulumi.String("mcr.microsoft.com/windows/servercore:ltsc2022"),
				Command: pulumi.ToStringArray([]string{"/bin/sh", "-c", "./migrate"}),
			}},
		}}},
	})
	return err
}
