package stackprogram

import (
	"slices"
	"strings"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// deployIIS deploys Internet Information Services onto each Windows platform, named after
// it, as in iis-2019.
func deployIIS(ctx *pulumi.Context, name string, in target) ([]string, error) {
	var deployed []string
	for _, p := range in.Topology.Platforms() {
		if !p.IsWindows() {
			continue
		}
		var nodePort pulumi.IntPtrInput // nil lets Kubernetes choose one
		if i := len(deployed); i < len(in.NodePorts) {
			nodePort = pulumi.Int(in.NodePorts[i])
		}
		name := name + "-" + strings.TrimPrefix(p.String(), "windows-")
		if err := deployIISOn(ctx, name, p, nodePort, in); err != nil {
			return nil, err
		}
		deployed = append(deployed, name)
	}
	return deployed, nil
}

// deployIISOn deploys it behind a LoadBalancer Service, or a NodePort Service if the cluster
// lacks load balancers.
func deployIISOn(
	ctx *pulumi.Context, name string, p platform.Platform, nodePort pulumi.IntPtrInput, in target,
) error {
	labels := pulumi.StringMap{"app": pulumi.String(name)}
	metadata := metav1.ObjectMetaArgs{Name: pulumi.String(name), Labels: labels}
	release, _ := p.Release()
	_, err := workload.NewDeployment(ctx, name, &workload.DeploymentArgs{
		Platform: p,
		Metadata: metadata,
		Spec: appsv1.DeploymentSpecArgs{
			Replicas: pulumi.Int(2),
			Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
			Template: corev1.PodTemplateSpecArgs{
				Metadata: metav1.ObjectMetaArgs{Labels: labels},
				Spec: corev1.PodSpecArgs{
					Containers: corev1.ContainerArray{corev1.ContainerArgs{
						Name: pulumi.String("iis"),
						Image: pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-" +
							release.Tags[0]),
						// The values of the Kubernetes guide: what IIS needs when idle, and a limit for its peaks.
						Resources: corev1.ResourceRequirementsArgs{
							Limits:   pulumi.StringMap{"cpu": pulumi.String("1"), "memory": pulumi.String("800Mi")},
							Requests: pulumi.StringMap{"cpu": pulumi.String("0.1"), "memory": pulumi.String("300Mi")},
						},
						Ports: corev1.ContainerPortArray{corev1.ContainerPortArgs{ContainerPort: pulumi.Int(80)}},
					}},
				},
			},
		},
	}, append(slices.Clone(in.Options), pulumi.DependsOn(in.classes.Ready(p)))...)
	if err != nil {
		return err
	}
	exposed := pulumi.String("NodePort")
	if in.Topology.Has(topology.LoadBalancers) {
		exposed = "LoadBalancer"
	}
	_, err = corev1.NewService(ctx, name, &corev1.ServiceArgs{
		Metadata: metadata,
		Spec: corev1.ServiceSpecArgs{
			Type: exposed,
			Ports: corev1.ServicePortArray{corev1.ServicePortArgs{
				Protocol: pulumi.String("TCP"),
				Port:     pulumi.Int(80), NodePort: nodePort,
			}},
			Selector: labels,
		},
	}, in.Options...)
	return err
}
