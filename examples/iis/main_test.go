package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

func TestIISPreviewsAndLandsOnWindowsServer2022(t *testing.T) {
	t.Parallel()
	graph, err := mocktest.Run(program, mocktest.Preview())
	if err != nil {
		t.Fatal(err)
	}
	deployment, err := graph.Get("kubernetes:apps/v1:Deployment", "iis-deployment")
	if err != nil {
		t.Fatal(err)
	}
	spec := deployment.Plain()["spec"].(map[string]any)
	template := spec["template"].(map[string]any)
	want := map[string]any{
		"os":               map[string]any{"name": "windows"},
		"runtimeClassName": "windows-2022",
		"containers": []any{map[string]any{
			"name":  "iis",
			"image": "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
			"ports": []any{map[string]any{"containerPort": 80}},
			"resources": map[string]any{
				"limits":   map[string]any{"cpu": "1", "memory": "800Mi"},
				"requests": map[string]any{"cpu": "0.1", "memory": "300Mi"},
			},
		}},
	}
	if diff := cmp.Diff(want, template["spec"]); diff != "" {
		t.Errorf("the pods of IIS (-want +got):\n%s", diff)
	}
}
