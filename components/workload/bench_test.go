package workload_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

// BenchmarkPreview compares previews of 500 Deployments, in turn: created by the component, by a bare component with
// the Deployment as its child, and by hand. The goal is that the component takes at most 1.15 times what the bare one
// does. Run at least ten rounds (-benchtime 10x).
func BenchmarkPreview(b *testing.B) {
	const count = 500
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
	byHand := func(ctx *pulumi.Context, name string, opts ...pulumi.ResourceOption) error {
		_, err := appsv1.NewDeployment(ctx, name, &appsv1.DeploymentArgs{Spec: spec}, opts...)
		return err
	}
	byBare := func(ctx *pulumi.Context, name string, _ ...pulumi.ResourceOption) error {
		bare := &pulumi.ResourceState{}
		if err := ctx.RegisterComponentResource("bench:index:Bare", name, bare); err != nil {
			return err
		}
		if err := byHand(ctx, name, pulumi.Parent(bare)); err != nil {
			return err
		}
		return ctx.RegisterResourceOutputs(bare, pulumi.Map{})
	}
	byComponent := func(ctx *pulumi.Context, name string, _ ...pulumi.ResourceOption) error {
		_, err := workload.NewDeployment(ctx, name,
			&workload.DeploymentArgs{Platform: platform.WindowsServer2022, Spec: spec})
		return err
	}
	ways := []func(*pulumi.Context, string, ...pulumi.ResourceOption) error{byHand, byBare, byComponent}
	took := make([][]float64, len(ways))
	for round := 0; b.Loop(); round++ {
		for i := range ways {
			way := (round + i) % len(ways) // no way always comes after the same one
			runtime.GC()                   // no way pays for the garbage of another one
			started := time.Now()
			mocktest.MustRun(b, func(ctx *pulumi.Context) error {
				for i := range count {
					if err := ways[way](ctx, fmt.Sprintf("web-%d", i)); err != nil {
						return err
					}
				}
				return nil
			}, mocktest.Preview())
			took[way] = append(took[way], time.Since(started).Seconds())
		}
	}
	hand, bare, component := took[0], took[1], took[2]
	b.ReportMetric(medianRatio(component, bare), "component/bare")
	b.ReportMetric(medianRatio(component, hand), "component/hand")
	b.ReportMetric(medianRatio(bare, hand), "bare/hand")
	b.ReportMetric(1000*median(component), "ms/component")
}

// medianRatio returns the median of the ratios of rounds: if the machine has another load in some of them, both sides
// change.
func medianRatio(ways, baseline []float64) float64 {
	ratios := make([]float64, len(ways))
	for i := range ways {
		ratios[i] = ways[i] / baseline[i]
	}
	return median(ratios)
}

func median(of []float64) float64 {
	return slices.Sorted(slices.Values(of))[len(of)/2]
}
