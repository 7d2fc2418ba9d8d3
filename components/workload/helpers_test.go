package workload_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
)

const deploymentType = "kubernetes:apps/v1:Deployment"

// deploy returns a program with the Deployment "web".
func deploy(args *workload.DeploymentArgs, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := workload.NewDeployment(ctx, "web", args, opts...)
		return err
	}
}

// withPods completes the spec of a Deployment around the spec of its pods.
func withPods(pods corev1.PodSpecPtrInput) appsv1.DeploymentSpecArgs {
	return appsv1.DeploymentSpecArgs{
		Selector: metav1.LabelSelectorArgs{MatchLabels: pulumi.StringMap{"app": pulumi.String("web")}},
		Template: corev1.PodTemplateSpecArgs{
			Metadata: metav1.ObjectMetaArgs{Labels: pulumi.StringMap{"app": pulumi.String("web")}},
			Spec:     pods,
		},
	}
}

// diffPods compares the recorded pod spec with a container that all tests share and the other fields that the test
// expects.
func diffPods(t *testing.T, graph *mocktest.Graph, want map[string]any) {
	t.Helper()
	deployment, err := graph.Get(deploymentType, "web-deployment")
	if err != nil {
		t.Fatal(err)
	}
	want = maps.Clone(want)
	want["containers"] = []any{map[string]any{"name": "web"}}
	template := deployment.Plain()["spec"].(map[string]any)["template"].(map[string]any)
	if diff := cmp.Diff(want, template["spec"]); diff != "" {
		t.Errorf("the pod spec (-want +got):\n%s", diff)
	}
}

var containers = corev1.ContainerArray{corev1.ContainerArgs{Name: pulumi.String("web")}}

func selector(build string) map[string]any {
	return map[string]any{
		"kubernetes.io/os": "windows", "kubernetes.io/arch": "amd64", "node.kubernetes.io/windows-build": build,
	}
}

func windowsToleration() map[string]any {
	return map[string]any{"key": "os", "operator": "Equal", "value": "windows", "effect": "NoSchedule"}
}
