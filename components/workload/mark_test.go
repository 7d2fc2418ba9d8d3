package workload_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	pulumicorev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

// A program may have the metadata and the spec of a manifest that mixedkube has completed.
func TestFieldsWithAMarkFollowThePlatform(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		_, err := workload.NewPod(ctx, "web", &workload.PodArgs{
			Platform: platform.WindowsServer2025, Scheduling: workload.BySelector,
			Metadata: metav1.ObjectMetaArgs{
				Name: pulumi.String("web"),
				Annotations: pulumi.StringMap{
					"team": pulumi.String("shop"),
					"mixedkube.dev/placed": pulumi.String(
						"release=windows-2022 nodeSelector=kubernetes.io/os,node.kubernetes.io/windows-build"),
				},
			},
			Spec: pulumicorev1.PodSpecArgs{
				Containers: containers,
				NodeSelector: pulumi.StringMap{
					"kubernetes.io/os":                 pulumi.String("windows"),
					"node.kubernetes.io/windows-build": pulumi.String("10.0.20348"),
					"disk":                             pulumi.String("ssd"),
				},
			},
		})
		return err
	})
	pod, err := graph.Get("kubernetes:core/v1:Pod", "web-pod")
	if err != nil {
		t.Fatal(err)
	}
	inputs := pod.Inputs.Mappable()
	metadata, spec := inputs["metadata"].(map[string]any), inputs["spec"].(map[string]any)
	wantMetadata := map[string]any{"name": "web", "annotations": map[string]any{"team": "shop"}}
	if diff := cmp.Diff(wantMetadata, metadata); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	wantSelector := selector("10.0.26100")
	wantSelector["disk"] = "ssd"
	if diff := cmp.Diff(any(wantSelector), spec["nodeSelector"]); diff != "" {
		t.Errorf("nodeSelector (-want +got):\n%s", diff)
	}
}
