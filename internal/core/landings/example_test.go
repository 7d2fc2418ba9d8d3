package landings_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/landings"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// A preview says in a table where the pods of each workload can land.
func Example() {
	checker := preflight.New(preflight.Options{Topology: topology.Topology{Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux, Count: 3},
		{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
	}}})
	pod := func(name, system string) landings.Object {
		return landings.Object{Resource: name, Object: pods.ReadObject(map[string]any{
			"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": name},
			"spec": map[string]any{
				"nodeSelector": map[string]any{"kubernetes.io/os": system},
				"tolerations":  []any{map[string]any{"key": "os", "operator": "Exists"}},
				"containers":   []any{map[string]any{"name": name, "image": "shop.example.com/" + name}},
			},
		})}
	}
	var lines []landings.Line
	for _, l := range landings.Of(checker, []landings.Object{pod("web", "windows"), pod("database", "linux")}, nil) {
		lines = append(lines, landings.Line{Workload: l.Workload, Text: l.Text})
	}
	fmt.Print(landings.Table(lines))
	// Output:
	// database → sys (3 nodes)
	//   web      → win22 (2 nodes)
}
