package sources_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/cli/sources"
)

// The nodes that kubectl prints describe the topology of the cluster.
func Example() {
	contents, problems := sources.ReadJSON([]byte(`{"apiVersion": "v1", "kind": "List", "items": [
		{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a", "labels": {"kubernetes.io/os": "linux"}},
			"status": {"nodeInfo": {"kubeletVersion": "v1.36.2"}}},
		{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "b", "labels": {"kubernetes.io/os": "windows",
			"node.kubernetes.io/windows-build": "10.0.20348"}},
			"status": {"nodeInfo": {"kubeletVersion": "v1.36.2"}}}]}`), "nodes.json")
	nodes, more := sources.Nodes(contents.Objects)
	fmt.Println(len(nodes), "nodes", problems, more)
	cluster, _, err := sources.Source{}.Describe(nodes)
	for _, pool := range cluster.Pools {
		fmt.Println(pool.Name, pool.Platform, pool.Count)
	}
	fmt.Println(err)
	// Output:
	// 2 nodes [] []
	// linux linux 1
	// windows windows-2022 1
	// <nil>
}
