package workload_test

import (
	"fmt"
	"testing"
	"time"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/workload"
)

// BenchmarkPreview compares a preview of 100 Deployments made by the component
// with one of 100 that are written by hand, side by side: the ratio is what the
// component costs.
func BenchmarkPreview(b *testing.B) {
	const count = 100
	labels := pulumi.StringMap{"app": pulumi.String("web")}
	spec := appsv1.DeploymentSpecArgs{
		Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
		Template: corev1.PodTemplateSpecArgs{
			Metadata: metav1.ObjectMetaArgs{Labels: labels},
			Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
				Name:  pulumi.String("iis"),
				Image: pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"),
			}}},
		},
	}
	byHand := func(ctx *pulumi.Context, name string) error {
		_, err := appsv1.NewDeployment(ctx, name, &appsv1.DeploymentArgs{Spec: spec})
		return err
	}
	byComponent := func(ctx *pulumi.Context, name string) error {
		_, err := workload.NewDeployment(ctx, name,
			&workload.DeploymentArgs{Platform: platform.WindowsServer2022, Spec: spec})
		return err
	}
	preview := func(deploy func(*pulumi.Context, string) error) time.Duration {
		started := time.Now()
		mocktest.MustRun(b, func(ctx *pulumi.Context) error {
			for i := range count {
				if err := deploy(ctx, fmt.Sprintf("web-%d", i)); err != nil {
					return err
				}
			}
			return nil
		}, mocktest.Preview())
		return time.Since(started)
	}
	var hand, component time.Duration
	for b.Loop() {
		hand += preview(byHand)
		component += preview(byComponent)
	}
	b.ReportMetric(float64(component)/float64(hand), "component/hand")
	b.ReportMetric(float64(component.Milliseconds())/float64(b.N), "ms/component")
	b.ReportMetric(float64(hand.Milliseconds())/float64(b.N), "ms/hand")
}
