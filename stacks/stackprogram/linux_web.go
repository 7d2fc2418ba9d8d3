package stackprogram

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// deployLinuxWeb deploys a typical existing workload: a Deployment that does not name
// a platform. The taints of the Windows pools keep it on Linux.
func deployLinuxWeb(ctx *pulumi.Context, name string, in target) ([]string, error) {
	labels := pulumi.StringMap{"app": pulumi.String(name)}
	_, err := appsv1.NewDeployment(ctx, name, &appsv1.DeploymentArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(name), Labels: labels},
		Spec: appsv1.DeploymentSpecArgs{
			Replicas: pulumi.Int(2),
			Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
			Template: corev1.PodTemplateSpecArgs{
				Metadata: metav1.ObjectMetaArgs{Labels: labels},
				Spec: corev1.PodSpecArgs{
					Containers: corev1.ContainerArray{corev1.ContainerArgs{
						Name:  pulumi.String("web"),
						Image: pulumi.String("nginx:1.28-alpine"),
					}},
				},
			},
		},
	}, in.Options...)
	return []string{name}, err
}
