package manifest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

const pinned = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  os: {name: windows}
  nodeSelector: {kubernetes.io/os: windows, kubernetes.io/arch: amd64, node.kubernetes.io/windows-build: 10.0.20348}
  tolerations: [{key: os, operator: Equal, value: windows, effect: NoSchedule}]
  containers: [{name: web, image: "mcr.microsoft.com/windows/servercore:ltsc2022"}]
`

// A group moves what earlier versions wrote into its manifests, and leaves no mark: it decides again in each update.
func TestGroupsMovePins(t *testing.T) {
	t.Parallel()
	moved := topology.Topology{Matching: platform.Relaxed, Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux}, {Name: "win25", Platform: platform.WindowsServer2025},
	}}
	graph, err := mocktest.Run(func(ctx *pulumi.Context) error {
		_, err := manifest.NewGroup(ctx, "shop", &manifest.GroupArgs{
			YAML: pinned, Options: manifest.Options{Topology: moved, MovePins: true},
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	web, err := graph.Get("kubernetes:core/v1:Pod", "shop:web")
	if err != nil {
		t.Fatal(err)
	}
	in := web.Plain()
	want := map[string]any{"kubernetes.io/os": "windows"}
	if diff := cmp.Diff(want, in["spec"].(map[string]any)["nodeSelector"]); diff != "" {
		t.Errorf("the node selector (-want +got):\n%s", diff)
	}
	if annotations := in["metadata"].(map[string]any)["annotations"]; annotations != nil {
		t.Errorf("the annotations are %v", annotations)
	}
}
