package collection_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

func Example() {
	cluster := &subject.Cluster{Context: pods.NewContext(topology.Topology{}.WithDefaults(), "", nil)}
	all := collection.New()
	for _, object := range []map[string]any{
		{
			"kind": "Deployment", "spec": map[string]any{"replicas": 3, "template": map[string]any{
				"metadata": map[string]any{"labels": map[string]any{"app": "shop"}},
				"spec":     map[string]any{"os": map[string]any{"name": "windows"}},
			}},
		},
		{"kind": "RuntimeClass", "metadata": map[string]any{"name": "iis"}},
	} {
		facts, _ := collection.Read(pods.ReadObject(object), cluster)
		facts.Compact()
		all.Add(&facts)
	}
	service := pods.ReadObject(map[string]any{"kind": "Service", "spec": map[string]any{
		"selector": map[string]any{"app": "shop"},
	}})
	selected := all.Object(service, cluster).Selected()
	fmt.Println("For Windows:", selected.Windows, "- pods:", selected.Replicas)
	fmt.Println("The class iis exists:", all.HasClass("iis"))
	// Output:
	// For Windows: true - pods: 3
	// The class iis exists: true
}
