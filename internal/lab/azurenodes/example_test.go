package azurenodes_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/lab/azurenodes"
)

// Nodes have the names that Azure gives them.
func ExampleNodes() {
	shop := topology.Topology{Pools: []topology.Pool{
		{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
	}}.WithDefaults()
	for _, node := range azurenodes.Nodes(shop, nil, "v1.36.3") {
		fmt.Println(node.Name, node.Labels["kubernetes.io/os"])
	}
	// Output:
	// akswin22000000 windows
	// akswin22000001 windows
}
