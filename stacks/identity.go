package main

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
)

// deployRunAsUser deploys a Pod whose containers have few rights in it.
func deployRunAsUser(ctx *pulumi.Context, on windows) error {
	_, err := workload.NewPod(ctx, on.name, &workload.PodArgs{
		Platform: on.platform,
		Metadata: called(on.name),
		User:     workload.ContainerUser,
		Spec:     corev1.PodSpecArgs{Containers: corev1.ContainerArray{idler(on.platform)}},
	}, on.options...)
	return err
}
