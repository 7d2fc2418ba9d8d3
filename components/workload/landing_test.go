package workload_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestAPreviewReportsWhereThePodsCanLand(t *testing.T) {
	t.Parallel()
	cluster := topology.Topology{Pools: []topology.Pool{
		{Name: "linux", Platform: platform.Linux},
		{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
	}}
	named := func(name, namespace string) metav1.ObjectMetaArgs {
		return metav1.ObjectMetaArgs{Name: pulumi.String(name), Namespace: pulumi.String(namespace)}
	}
	pods := corev1.PodSpecArgs{Containers: containers}
	args := &workload.DeploymentArgs{
		Platform: platform.WindowsServer2022, Metadata: named("web", "shop"), Spec: withPods(pods), Topology: cluster,
	}
	unnamed, alone := *args, *args
	unnamed.Metadata = nil
	alone.Topology = topology.Topology{}
	// The engine knows the component when it is logged.
	const urn = "urn:pulumi:stack::project::mixedkube:workload:Deployment::web"
	logged := func(text string, urn resource.URN) []mocktest.Log {
		return []mocktest.Log{{Severity: "info", Message: "where the pods can land:\n  " + text, URN: urn}}
	}
	preview := mocktest.Preview()
	for name, tt := range map[string]struct {
		program pulumi.RunFunc
		option  mocktest.Option
		want    []mocktest.Log
	}{
		"of an object with a name": {deploy(args), preview, logged("shop/web → win22 (2 nodes)", urn)},
		"of one that Pulumi names": {deploy(&unnamed), preview, logged("web-deployment → win22 (2 nodes)", urn)},
		"the guard says it": {
			underGuard(cluster, deploy(args)), preview, logged("shop/web → win22 (2 nodes)", ""),
		},
		"not without a topology":     {deploy(&alone), preview, nil},
		"and an update does not":     {deploy(args), mocktest.All(), nil},
		"nor one that has the guard": {underGuard(cluster, deploy(args)), mocktest.All(), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, tt.program, tt.option)
			// Guard logs more.
			logs := slices.DeleteFunc(graph.Logs(), func(l mocktest.Log) bool {
				return !strings.HasPrefix(l.Message, "where ")
			})
			if diff := cmp.Diff(tt.want, logs, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("log (-want +got):\n%s", diff)
			}
		})
	}
}
