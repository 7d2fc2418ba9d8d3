package stackprogram

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
)

// deployIIS deploys Internet Information Services behind a LoadBalancer Service, or a
// NodePort one where nothing gives those an address.
func deployIIS(ctx *pulumi.Context, on windows) error {
	labels := labelled(on.name)
	metadata := called(on.name)
	_, err := workload.NewDeployment(ctx, on.name, &workload.DeploymentArgs{
		Platform: on.platform,
		Metadata: metadata,
		Spec: appsv1.DeploymentSpecArgs{
			Replicas: pulumi.Int(1),
			Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
			Template: corev1.PodTemplateSpecArgs{
				Metadata: metav1.ObjectMetaArgs{Labels: labels},
				Spec: corev1.PodSpecArgs{
					Containers: corev1.ContainerArray{corev1.ContainerArgs{
						Name: pulumi.String("iis"),
						Image: pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-" +
							imageTag(on.platform)),
						// Those of the Kubernetes guide: what IIS needs at rest, and a limit for its peaks.
						Resources: corev1.ResourceRequirementsArgs{
							Limits:   pulumi.StringMap{"cpu": pulumi.String("1"), "memory": pulumi.String("800Mi")},
							Requests: pulumi.StringMap{"cpu": pulumi.String("0.1"), "memory": pulumi.String("300Mi")},
						},
						Ports: corev1.ContainerPortArray{corev1.ContainerPortArgs{ContainerPort: pulumi.Int(80)}},
					}},
				},
			},
		},
	}, on.options...)
	if err != nil {
		return err
	}
	_, err = corev1.NewService(ctx, on.name, &corev1.ServiceArgs{
		Metadata: metadata,
		Spec: corev1.ServiceSpecArgs{
			Type: on.exposed,
			Ports: corev1.ServicePortArray{corev1.ServicePortArgs{
				Protocol: pulumi.String("TCP"),
				Port:     pulumi.Int(80), NodePort: on.nodePort,
			}},
			Selector: labels,
		},
	}, on.cluster...)
	return err
}
