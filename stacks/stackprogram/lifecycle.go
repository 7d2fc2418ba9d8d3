package stackprogram

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	autoscalingv2 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/autoscaling/v2"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
)

// deployGracePeriod deploys a Pod that has two minutes to end, and a hook that uses them.
func deployGracePeriod(ctx *pulumi.Context, on windows) error {
	container := idler(on.platform)
	container.Lifecycle = corev1.LifecycleArgs{PreStop: corev1.LifecycleHandlerArgs{Exec: corev1.ExecActionArgs{
		Command: pulumi.ToStringArray([]string{"powershell.exe", "-Command", "Start-Sleep -Seconds 10"}),
	}}}
	_, err := workload.NewPod(ctx, on.name, &workload.PodArgs{
		Platform: on.platform,
		// Windows nodes have run nothing but containerd since Kubernetes 1.24.
		Metadata: called(on.name, "MK510"),
		Spec: corev1.PodSpecArgs{
			Containers: corev1.ContainerArray{container}, TerminationGracePeriodSeconds: pulumi.Int(120),
		},
	}, on.options...)
	return err
}

// deployAutoscaling deploys a Deployment that has as many pods as its processors need.
func deployAutoscaling(ctx *pulumi.Context, on windows) error {
	container := idler(on.platform)
	resources := pulumi.StringMap{"cpu": pulumi.String("500m"), "memory": pulumi.String("300Mi")}
	container.Resources = corev1.ResourceRequirementsArgs{Requests: resources, Limits: resources}
	deployment, err := workload.NewDeployment(ctx, on.name, &workload.DeploymentArgs{
		Platform: on.platform,
		Metadata: called(on.name),
		Spec:     appsv1.DeploymentSpecArgs{Selector: selecting(on.name), Template: template(on.name, container)},
	}, on.options...)
	if err != nil {
		return err
	}
	_, err = autoscalingv2.NewHorizontalPodAutoscaler(ctx, on.name, &autoscalingv2.HorizontalPodAutoscalerArgs{
		Metadata: called(on.name),
		Spec: autoscalingv2.HorizontalPodAutoscalerSpecArgs{
			MaxReplicas: pulumi.Int(4),
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReferenceArgs{
				ApiVersion: pulumi.String("apps/v1"), Kind: pulumi.String("Deployment"), Name: deployment.Name.Elem(),
			},
			Metrics: autoscalingv2.MetricSpecArray{autoscalingv2.MetricSpecArgs{
				Type: pulumi.String("Resource"),
				Resource: autoscalingv2.ResourceMetricSourceArgs{
					Name: pulumi.String("cpu"),
					Target: autoscalingv2.MetricTargetArgs{
						Type:               pulumi.String("Utilization"),
						AverageUtilization: pulumi.Int(70),
					},
				},
			}},
		},
	}, on.cluster...)
	return err
}

func selecting(name string) metav1.LabelSelectorArgs {
	return metav1.LabelSelectorArgs{MatchLabels: labelled(name)}
}
