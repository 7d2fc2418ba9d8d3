// Command place has workloads that say nothing about the system of their pods. The
// configuration place=true lets the guard complete them; image is that of the Job plain,
// and more=true adds a Job.
package main

import (
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
	{Name: "linux", Platform: platform.Linux},
	{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
}}

func main() { guard.Run(program) }

func program(ctx *pulumi.Context) error {
	given := config.New(ctx, "")
	if given.GetBool("place") {
		if err := guard.Enforce(ctx, guard.Args{Topology: cluster, Place: true}); err != nil {
			return err
		}
	}
	jobs := map[string]corev1.PodSpecArgs{
		"plain": {Containers: containers(given.Require("image"))},
		"own": {
			Containers:   containers(windowsImage),
			NodeSelector: pulumi.StringMap{"kubernetes.io/arch": pulumi.String("amd64")},
			Tolerations: corev1.TolerationArray{corev1.TolerationArgs{
				Key:      pulumi.String("gpu"),
				Operator: pulumi.String("Exists"),
			}},
		},
	}
	if given.GetBool("more") {
		jobs["new"] = corev1.PodSpecArgs{Containers: containers(windowsImage)}
	}
	for name, pods := range jobs {
		pods.RestartPolicy = pulumi.String("Never")
		metadata := metav1.ObjectMetaArgs{Name: pulumi.String(name)}
		spec := batchv1.JobSpecArgs{Template: corev1.PodTemplateSpecArgs{Spec: pods}}
		if _, err := batchv1.NewJob(ctx, name, &batchv1.JobArgs{Metadata: metadata, Spec: spec},
			pulumi.DeleteBeforeReplace(true)); err != nil {
			return err
		}
	}
	pod := &corev1.PodArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("pod")},
		Spec:     corev1.PodSpecArgs{Containers: containers(windowsImage)},
	}
	if _, err := corev1.NewPod(ctx, "pod", pod); err != nil {
		return err
	}
	labels := pulumi.StringMap{"app": pulumi.String("web")}
	_, err := appsv1.NewDeployment(ctx, "web", &appsv1.DeploymentArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("web")},
		Spec: appsv1.DeploymentSpecArgs{
			Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
			Template: corev1.PodTemplateSpecArgs{
				Metadata: metav1.ObjectMetaArgs{Labels: labels},
				Spec:     corev1.PodSpecArgs{Containers: containers("alpine:3.22")},
			},
		},
	})
	return err
}

const windowsImage = "mcr.microsoft.com/windows/servercore:ltsc2022"

func containers(image string) corev1.ContainerArray {
	return corev1.ContainerArray{corev1.ContainerArgs{Name: pulumi.String("main"), Image: pulumi.String(image)}}
}
