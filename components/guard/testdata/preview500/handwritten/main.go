// Command handwritten makes the Deployments of command components without it.
package main

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard/testdata/preview500/shop"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	for _, name := range shop.Names(ctx) {
		if _, err := appsv1.NewDeployment(ctx, name+"-deployment", &appsv1.DeploymentArgs{
			Metadata: shop.Metadata(name),
			Spec: shop.Spec(name, corev1.PodSpecArgs{
				Os: corev1.PodOSArgs{Name: pulumi.String("windows")},
				NodeSelector: pulumi.StringMap{
					"kubernetes.io/os":                 pulumi.String("windows"),
					"node.kubernetes.io/windows-build": pulumi.String("10.0.20348"),
				},
				Tolerations: corev1.TolerationArray{corev1.TolerationArgs{
					Key: pulumi.String("os"), Operator: pulumi.String("Equal"), Value: pulumi.String("windows"),
					Effect: pulumi.String("NoSchedule"),
				}},
			}),
		}); err != nil {
			return err
		}
	}
	return nil
}
