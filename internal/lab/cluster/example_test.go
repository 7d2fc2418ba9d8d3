package cluster_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
)

// A node of the lab is like one that the kubelet of such a machine registers.
func ExampleNode() {
	pool := topology.Pool{Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5"}
	shop := topology.Topology{Pools: []topology.Pool{pool}}.WithDefaults()
	node := cluster.Node(shop.Pools[0], "win22-0", "v1.36.3")
	fmt.Println(node.Name, node.Labels["node.kubernetes.io/windows-build"], node.Spec.Taints[0].ToString())
	fmt.Println(node.Status.Capacity.Cpu(), "CPUs")
	// Output:
	// win22-0 10.0.20348 os=windows:NoSchedule
	// 4 CPUs
}
