package podnetwork

import (
	"net/netip"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// planned returns the plan of three nodes, of which one was given its range.
func planned(t *testing.T, kind network.Kind) (network.Defaulted, network.Plan) {
	t.Helper()
	n := network.Network{Kind: kind, NodeCIDR: netip.MustParsePrefix("10.0.0.0/24")}.WithDefaults()
	nodes := []network.Node{
		{Name: "cp", Address: netip.MustParseAddr("10.0.0.4"), Platform: platform.Linux},
		{Name: "win", Address: netip.MustParseAddr("10.0.0.5"), Platform: platform.WindowsServer2022},
		{Name: "linux", Address: netip.MustParseAddr("10.0.0.200"), Platform: platform.Linux},
	}
	if kind.Planned() {
		nodes[2].PodCIDR = netip.MustParsePrefix("10.244.128.0/20")
	}
	p, err := n.Plan(nodes)
	if err != nil {
		t.Fatal(err)
	}
	return n, p
}
