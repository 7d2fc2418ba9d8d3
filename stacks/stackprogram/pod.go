package stackprogram

import (
	"strings"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/workload"
)

// idle is what a container does that only shows how it is set up.
const idle = "while ($true) { Start-Sleep -Seconds 3600 }"

// idler is a container of a Windows platform that does nothing.
func idler(p platform.Platform) corev1.ContainerArgs {
	return corev1.ContainerArgs{
		Name:    pulumi.String("idle"),
		Image:   pulumi.String("mcr.microsoft.com/windows/servercore:" + imageTag(p)),
		Command: containerCommand(idle),
	}
}

// upTo are resources of a container that may take so much memory, and gets it.
func upTo(memory string) corev1.ResourceRequirementsArgs {
	return corev1.ResourceRequirementsArgs{Limits: pulumi.StringMap{"memory": pulumi.String(memory)}}
}

// template has one container in its pods.
func template(name string, container corev1.ContainerArgs, volumes ...corev1.VolumeInput) corev1.PodTemplateSpecArgs {
	return corev1.PodTemplateSpecArgs{
		Metadata: metav1.ObjectMetaArgs{Labels: labelled(name)},
		Spec: corev1.PodSpecArgs{
			Containers: corev1.ContainerArray{container},
			Volumes:    corev1.VolumeArray(volumes),
		},
	}
}

// labelled are the labels of a workload's pods.
func labelled(name string) pulumi.StringMap { return pulumi.StringMap{"app": pulumi.String(name)} }

// called is the metadata of a workload with its pods' labels. IDs are of findings that it
// is meant to have.
func called(name string, ignored ...string) metav1.ObjectMetaArgs {
	metadata := metav1.ObjectMetaArgs{Name: pulumi.String(name), Labels: labelled(name)}
	if len(ignored) > 0 {
		metadata.Annotations = pulumi.StringMap{preflight.IgnoreAnnotation: pulumi.String(strings.Join(ignored, ","))}
	}
	return metadata
}

// deployPod deploys a Pod with one container.
func deployPod(
	ctx *pulumi.Context, on windows, metadata metav1.ObjectMetaArgs, container corev1.ContainerArgs,
	volumes ...corev1.VolumeInput,
) error {
	_, err := workload.NewPod(ctx, on.name, &workload.PodArgs{
		Platform: on.platform,
		Metadata: metadata,
		Spec: corev1.PodSpecArgs{
			Containers: corev1.ContainerArray{container},
			Volumes:    corev1.VolumeArray(volumes),
		},
	}, on.options...)
	return err
}
