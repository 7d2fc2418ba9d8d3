package network_test

import (
	"fmt"
	"net/netip"

	"github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/platform"
)

// A router, in Azure a route table, gets one route for each node.
func ExampleDefaulted_Plan() {
	n := network.Network{Kind: network.UpstreamL3, NodeCIDR: netip.MustParsePrefix("10.0.0.0/24")}
	plan, err := n.WithDefaults().Plan([]network.Node{
		{Name: "cp", Address: netip.MustParseAddr("10.0.0.4"), Platform: platform.Linux},
		{Name: "win", Address: netip.MustParseAddr("10.0.0.5"), Platform: platform.WindowsServer2022},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, node := range plan.Nodes {
		fmt.Println(node.Name, "has", node.PodCIDR, "with the gateway", node.Gateway)
	}
	for _, route := range plan.Router {
		fmt.Println(route.Destination, "is behind", route.NextHop)
	}
	// Output:
	// cp has 10.244.4.0/24 with the gateway 10.244.4.1
	// win has 10.244.5.0/24 with the gateway 10.244.5.2
	// 10.244.4.0/24 is behind 10.0.0.4
	// 10.244.5.0/24 is behind 10.0.0.5
}
