// Command autoscaling runs as many pods with Internet Information Services as their load needs.
package main

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	autoscalingv2 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/autoscaling/v2"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	labels := pulumi.StringMap{"app": pulumi.String("iis")}
	// The autoscaler compares the usage with the requests.
	// Windows does not protect overcommitted memory: the request equals the limit.
	amount := pulumi.StringMap{"cpu": pulumi.String("500m"), "memory": pulumi.String("800Mi")}
	iis := corev1.ContainerArgs{
		Name:      pulumi.String("iis"),
		Image:     pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"),
		Resources: corev1.ResourceRequirementsArgs{Requests: amount, Limits: amount},
	}
	pods := corev1.PodTemplateSpecArgs{
		Metadata: metav1.ObjectMetaArgs{Labels: labels},
		Spec:     corev1.PodSpecArgs{Containers: corev1.ContainerArray{iis}},
	}
	// Without replicas: the autoscaler sets them.
	spec := appsv1.DeploymentSpecArgs{Selector: metav1.LabelSelectorArgs{MatchLabels: labels}, Template: pods}
	deployment, err := workload.NewDeployment(ctx, "iis",
		&workload.DeploymentArgs{Platform: platform.WindowsServer2022, Scheduling: workload.BySelector, Spec: spec})
	if err != nil {
		return err
	}
	target := autoscalingv2.CrossVersionObjectReferenceArgs{
		ApiVersion: pulumi.String("apps/v1"), Kind: pulumi.String("Deployment"), Name: deployment.Name.Elem(),
	}
	busy := autoscalingv2.MetricTargetArgs{Type: pulumi.String("Utilization"), AverageUtilization: pulumi.Int(70)}
	cpu := autoscalingv2.ResourceMetricSourceArgs{Name: pulumi.String("cpu"), Target: busy}
	metric := autoscalingv2.MetricSpecArgs{Type: pulumi.String("Resource"), Resource: cpu}
	scaler := autoscalingv2.HorizontalPodAutoscalerSpecArgs{
		ScaleTargetRef: target, MaxReplicas: pulumi.Int(6), Metrics: autoscalingv2.MetricSpecArray{metric},
	}
	_, err = autoscalingv2.NewHorizontalPodAutoscaler(ctx, "iis",
		&autoscalingv2.HorizontalPodAutoscalerArgs{Spec: scaler})
	return err
}
