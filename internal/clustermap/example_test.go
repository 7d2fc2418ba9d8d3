package clustermap_test

import (
	"fmt"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/clustermap"
)

// A map has the pools of a cluster and the workloads, and is drawn as a picture or as a page.
func Example() {
	m := clustermap.New(clustermap.Source{
		Title: "shop", From: "cluster.yaml and deploy/",
		Options: preflight.Options{Topology: topology.Topology{Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux, Count: 3},
			{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
		}}},
		Objects: []map[string]any{{
			"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "web"},
			"spec": map[string]any{
				"nodeSelector": map[string]any{"kubernetes.io/os": "linux"},
				"containers":   []any{map[string]any{"name": "web", "image": "shop.example.com/web:1.4"}},
			},
		}},
	})
	for _, workload := range m.Workloads {
		fmt.Println(workload.Name)
	}
	var picture strings.Builder
	err := m.SVG(&picture)
	fmt.Println(strings.HasPrefix(picture.String(), "<svg "), err)
	// Output:
	// web
	// true <nil>
}
