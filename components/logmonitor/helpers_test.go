package logmonitor_test

import (
	"testing"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/logmonitor"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
)

const (
	configMapType  = "kubernetes:core/v1:ConfigMap"
	deploymentType = "kubernetes:apps/v1:Deployment"
	image          = "shop.example.com/shop:1.4"
)

// newConfig returns a program with a configuration, whose error is that of the run.
func newConfig(args *logmonitor.ConfigArgs, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := logmonitor.NewConfig(ctx, "shop", args, opts...)
		return err
	}
}

// deploy returns a program with a configuration, and a Deployment whose pods it is put into.
func deploy(args *logmonitor.ConfigArgs, pods corev1.PodSpecArgs, containers ...string) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		logs, err := logmonitor.NewConfig(ctx, "shop", args)
		if err != nil {
			return err
		}
		labels := pulumi.StringMap{"app": pulumi.String("shop")}
		template, err := logs.PodTemplate(corev1.PodTemplateSpecArgs{
			Metadata: metav1.ObjectMetaArgs{Labels: labels},
			Spec:     pods,
		}, containers...)
		if err != nil {
			return err
		}
		_, err = workload.NewDeployment(ctx, "shop", &workload.DeploymentArgs{
			Platform: platform.WindowsServer2022,
			Spec: appsv1.DeploymentSpecArgs{
				Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
				Template: template,
			},
		})
		return err
	}
}

// pod is one with a container of IIS.
func pod() corev1.PodSpecArgs {
	return corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
		Name: pulumi.String("shop"), Image: pulumi.String(image), Command: logmonitor.IISCommand(),
	}}}
}

func iisArgs() *logmonitor.ConfigArgs { return &logmonitor.ConfigArgs{Sources: logmonitor.IIS()} }

// podSpec returns the pod spec of the Deployment.
func podSpec(t *testing.T, graph *mocktest.Graph) map[string]any {
	t.Helper()
	spec := graph.MustGet(t, deploymentType, "shop-deployment").Plain()["spec"].(map[string]any)
	return spec["template"].(map[string]any)["spec"].(map[string]any)
}

// configName returns the name of the ConfigMap in the cluster.
func configName(t *testing.T, graph *mocktest.Graph) string {
	t.Helper()
	return graph.MustGet(t, configMapType, "shop-config").Plain()["metadata"].(map[string]any)["name"].(string)
}
