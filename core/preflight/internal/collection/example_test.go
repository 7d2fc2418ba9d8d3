package collection_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// A collection knows the objects that others name.
func Example() {
	cluster := &subject.Cluster{Context: pods.NewContext(topology.Topology{}.WithDefaults(), "", nil)}
	all := collection.New()
	for _, object := range []map[string]any{
		{"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": map[string]any{"name": "iis"}},
		{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "shop"}},
	} {
		facts, needed := collection.Read(pods.ReadObject(object), cluster)
		fmt.Println(object["kind"], needed)
		if needed {
			all.Add(&facts)
		}
	}
	fmt.Println(all.HasClass("iis"), all.HasClass("web"))
	// Output:
	// RuntimeClass true
	// Deployment false
	// true false
}
