package network_test

import (
	"fmt"
	"net/netip"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// A network is described once. Validate reports everything that its kind or Windows does not allow.
func Example() {
	n := network.Network{
		Kind:         network.UpstreamL3,
		NodeCIDR:     netip.MustParsePrefix("10.240.0.0/24"), // of the nodes; has a default only in Azure
		PodCIDR:      netip.MustParsePrefix("10.244.0.0/16"), // the default
		ServiceCIDR:  netip.MustParsePrefix("10.96.0.0/12"),  // the default
		NodeMaskSize: 24,                                     // the default; for Calico the size of a block, 26
	}
	n.BlockedEgress = []network.Destination{
		{CIDR: netip.MustParsePrefix("169.254.169.254/32")},                       // everything
		{CIDR: netip.MustParsePrefix("203.0.113.0/24"), TCPPorts: []int{80, 443}}, // two ports
	}
	fmt.Println(n.Validate(field.NewPath("network")))

	n.NodeMaskSize = 30
	fmt.Println(n.Validate(field.NewPath("network")))
	// Output:
	// []
	// [network.nodeMaskSize: Invalid value: 30: must be between 16 and 29: podCIDR is /16, a Windows node uses four addresses itself]
}

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
