package network_test

import (
	"fmt"
	"net/netip"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

func TestValidateNodes(t *testing.T) {
	t.Parallel()
	const (
		address = "nodes[1].address: Invalid value: "
		range1  = "nodes[1].podCIDR: Invalid value: "
		range2  = "nodes[2].podCIDR: Invalid value: "
		apart   = ": use a range apart from it"
	)
	tests := []struct {
		name   string
		kind   network.Kind
		change func(*network.Network)
		nodes  []network.Node
		want   []string
	}{
		{"good nodes, planned", network.UpstreamL3, nil, someNodes(nil), nil},
		{"good nodes, by controllers", network.CalicoVXLAN, nil, someNodes(nil), nil},
		{"no nodes", network.HostGateway, nil, nil, nil},
		{
			"no address", "", nil, someNodes(func(n []network.Node) { n[1].Address = netip.Addr{} }),
			[]string{"nodes[1].address: Required value: the node's own address, in nodeCIDR"},
		},
		{
			"two without an address have none in common", network.UpstreamL3, nil,
			someNodes(func(n []network.Node) { n[1].Address, n[2].Address = netip.Addr{}, netip.Addr{} }),
			[]string{
				"nodes[1].address: Required value: the node's own address, in nodeCIDR",
				"nodes[2].address: Required value: the node's own address, in nodeCIDR",
			},
		},
		{
			"an IPv6 address", network.UpstreamL3, nil,
			someNodes(func(n []network.Node) { n[1].Address = addr("fd00::5") }),
			[]string{
				address + `"fd00::5": ` + fmt.Sprintf(ipv6InRouted, network.UpstreamL3) + `use the node's IPv4 address`,
			},
		},
		{
			"the last address that a node can have", "", nil,
			someNodes(func(n []network.Node) { n[1].Address = addr("10.0.0.254") }), nil,
		},
		{
			"an address outside", network.UpstreamL3, nil,
			someNodes(func(n []network.Node) { n[1].Address = addr("10.0.1.5") }),
			[]string{
				address + `"10.0.1.5": is outside nodeCIDR 10.0.0.0/24: use an address inside it, or a larger nodeCIDR`,
			},
		},
		{
			"the network address", network.UpstreamL3, nil,
			someNodes(func(n []network.Node) { n[1].Address = addr("10.0.0.0") }),
			[]string{
				address + `"10.0.0.0": is the network address of nodeCIDR 10.0.0.0/24, which no node can have: use ` +
					`another`,
			},
		},
		{
			"the broadcast address", network.UpstreamL3, nil,
			someNodes(func(n []network.Node) { n[1].Address = addr("10.0.0.255") }),
			[]string{
				address + `"10.0.0.255": is the broadcast address of nodeCIDR 10.0.0.0/24, which no node can have: ` +
					`use another`,
			},
		},
		{
			"a link of two has neither", network.UpstreamL3,
			func(n *network.Network) { n.NodeCIDR = prefix("10.0.0.4/31") }, someNodes(nil)[:2], nil,
		},
		{
			"two with one name", "", nil, someNodes(func(n []network.Node) { n[2].Name = "cp" }),
			[]string{
				`nodes[2].name: Duplicate value: "cp": nodes[0] has this name already: ` +
					`give each node a name of its own`,
			},
		},
		{
			"two without a name are for the topology", "", nil,
			someNodes(func(n []network.Node) { n[1].Name, n[2].Name = "", "" }), nil,
		},
		{
			"two with one address", network.UpstreamL3, nil,
			someNodes(func(n []network.Node) { n[2].Address = addr("10.0.0.4") }),
			[]string{
				`nodes[2].address: Duplicate value: "10.0.0.4": nodes[0] has this address already: give each node an ` +
					`address of its own`,
			},
		},
		{
			"addresses are not compared with a range that is wrong", network.UpstreamL3,
			func(n *network.Network) { n.NodeCIDR = prefix("10.0.0.1/24") },
			someNodes(func(n []network.Node) { n[1].Address = addr("10.0.1.5") }), nil,
		},

		{
			"Windows Server 2025 with Calico, once", network.CalicoBGP, nil,
			someNodes(func(n []network.Node) {
				n[1].Platform, n[2].Platform = platform.WindowsServer2025, platform.WindowsServer2025
			}),
			[]string{
				`nodes[1].platform: Invalid value: "windows-2025": Calico supports Windows Server 2019 and 2022, not ` +
					`2025 yet: use flannel-vxlan, or another platform`,
			},
		},
		{
			"Windows Server 2019 with Calico", network.CalicoBGP, nil,
			someNodes(func(n []network.Node) { n[1].Platform = platform.WindowsServer2019 }), nil,
		},
		{
			"Windows Server 2025 with flannel", network.FlannelVXLAN, nil,
			someNodes(func(n []network.Node) { n[1].Platform = platform.WindowsServer2025 }), nil,
		},

		{
			"as many nodes as ranges", network.FlannelVXLAN,
			func(n *network.Network) { n.PodCIDR = prefix("10.244.0.0/23") }, someNodes(nil)[:2], nil,
		},
		{
			"more nodes than ranges", network.FlannelVXLAN,
			func(n *network.Network) { n.PodCIDR = prefix("10.244.0.0/23") }, someNodes(nil),
			[]string{
				"nodes: Invalid value: 3: more nodes than podCIDR 10.244.0.0/23 has ranges of /24, which is 2: use a " +
					"larger podCIDR, or a larger nodeMaskSize",
			},
		},
		{
			"ranges that are wrong are not counted", network.FlannelVXLAN,
			func(n *network.Network) { n.PodCIDR = prefix("10.244.0.0/31") },
			someNodes(nil), nil,
		},
		{
			"a range where controllers choose", network.CalicoVXLAN, nil,
			someNodes(func(n []network.Node) { n[1].PodCIDR = prefix("10.244.9.0/24") }),
			[]string{
				range1 + `"10.244.9.0/24": the controllers of calico-vxlan choose it: leave it out, or use ` +
					`upstream-l3 or host-gateway`,
			},
		},

		{
			"the last address with a range", network.UpstreamL3, func(n *network.Network) { n.NodeMaskSize = 19 },
			someNodes(nil), nil,
		},
		{
			"an address without a range", network.UpstreamL3, func(n *network.Network) { n.NodeMaskSize = 18 },
			someNodes(nil),
			[]string{
				`nodes[0].address: Invalid value: "10.0.0.4": is address 4 of nodeCIDR 10.0.0.0/24, and podCIDR ` +
					`10.244.0.0/16 has ranges of /18 for 0 to 3 only: ` +
					"give the node a podCIDR, or the network a larger podCIDR or nodeMaskSize",
				`nodes[1].address: Invalid value: "10.0.0.5": is address 5 of nodeCIDR 10.0.0.0/24, and podCIDR ` +
					`10.244.0.0/16 has ranges of /18 for 0 to 3 only: ` +
					"give the node a podCIDR, or the network a larger podCIDR or nodeMaskSize",
				`nodes[2].address: Invalid value: "10.0.0.7": is address 7 of nodeCIDR 10.0.0.0/24, and podCIDR ` +
					`10.244.0.0/16 has ranges of /18 for 0 to 3 only: ` +
					"give the node a podCIDR, or the network a larger podCIDR or nodeMaskSize",
			},
		},
		{
			"unless it is given one", network.UpstreamL3, func(n *network.Network) { n.NodeMaskSize = 18 },
			someNodes(func(n []network.Node) { n[1].PodCIDR = prefix("10.244.0.0/18") })[1:2], nil,
		},
		{
			"a range of its own, of another size", network.HostGateway, nil,
			someNodes(func(n []network.Node) { n[1].PodCIDR = prefix("10.244.16.0/20") }), nil,
		},
		{
			"the smallest range of its own", network.HostGateway, nil,
			someNodes(func(n []network.Node) { n[1].PodCIDR = prefix("10.244.5.0/29") }), nil,
		},
		{
			"too small a range of its own", network.HostGateway, nil,
			someNodes(func(n []network.Node) { n[1].PodCIDR = prefix("10.244.5.0/30") }),
			[]string{
				range1 + `"10.244.5.0/30": has too few addresses, as a Windows node uses four itself: use a range of ` +
					`/29 or larger`,
			},
		},
		{
			"an address in a range of its own", network.HostGateway, nil,
			someNodes(func(n []network.Node) { n[1].PodCIDR = prefix("10.244.5.1/24") }),
			[]string{range1 + `"10.244.5.1/24": has an address inside a range, not its first: use 10.244.5.0/24`},
		},
		{
			"an IPv6 range", network.HostGateway, nil,
			someNodes(func(n []network.Node) { n[1].PodCIDR = prefix("fd00::/64") }),
			[]string{range1 + `"fd00::/64": ` + fmt.Sprintf(ipv6InRouted, network.HostGateway) + "use an IPv4 range"},
		},
		{
			"a range outside", network.HostGateway, nil,
			someNodes(func(n []network.Node) { n[1].PodCIDR = prefix("10.245.5.0/24") }),
			[]string{
				range1 + `"10.245.5.0/24": is outside podCIDR 10.244.0.0/16: ` +
					`use a range inside it, or a larger podCIDR`,
			},
		},
		{
			"a range around", network.HostGateway, nil,
			someNodes(func(n []network.Node) { n[1].PodCIDR = prefix("10.244.0.0/15") }),
			[]string{
				range1 + `"10.244.0.0/15": is outside podCIDR 10.244.0.0/16: ` +
					`use a range inside it, or a larger podCIDR`,
			},
		},
		{
			"the range of another's address", network.UpstreamL3, nil,
			someNodes(func(n []network.Node) { n[1].PodCIDR = prefix("10.244.7.0/24") }),
			[]string{
				range1 + `"10.244.7.0/24": is the same as 10.244.7.0/24 (the range of nodes[2], which follows from ` +
					`its address)` + apart,
			},
		},
		{
			"a part of it", network.UpstreamL3, nil,
			someNodes(func(n []network.Node) { n[2].PodCIDR = prefix("10.244.5.128/25") }),
			[]string{
				range2 + `"10.244.5.128/25": is inside 10.244.5.0/24 (the range of nodes[1], which follows from its ` +
					`address)` + apart,
			},
		},
		{
			"a range around those of others", network.UpstreamL3, nil,
			someNodes(func(n []network.Node) { n[2].PodCIDR = prefix("10.244.4.0/22") }),
			[]string{
				range2 + `"10.244.4.0/22": contains 10.244.4.0/24 (the range of nodes[0], which follows from its ` +
					`address)` + apart,
				range2 + `"10.244.4.0/22": contains 10.244.5.0/24 (the range of nodes[1], which follows from its ` +
					`address)` + apart,
			},
		},
		{
			"the range of one's own address", network.UpstreamL3, nil,
			someNodes(func(n []network.Node) { n[1].PodCIDR = prefix("10.244.5.0/24") }), nil,
		},
		{
			"two ranges that were given", network.UpstreamL3, nil,
			someNodes(func(n []network.Node) {
				n[1].PodCIDR, n[2].PodCIDR = prefix("10.244.9.0/24"),
					prefix("10.244.8.0/23")
			}),
			[]string{range2 + `"10.244.8.0/23": contains 10.244.9.0/24 (the range of nodes[1])` + apart},
		},
		{
			"side by side", network.UpstreamL3, nil,
			someNodes(func(n []network.Node) {
				n[1].PodCIDR, n[2].PodCIDR = prefix("10.244.10.0/24"),
					prefix("10.244.8.0/23")
			}), nil,
		},
		{
			"ranges are not compared with a network that is wrong", network.UpstreamL3,
			func(n *network.Network) { n.NodeMaskSize = 31 },
			someNodes(func(n []network.Node) { n[1].PodCIDR = prefix("10.245.5.0/24") }), nil,
		},
		{
			"an unknown kind says nothing of ranges", "weave", nil,
			someNodes(func(n []network.Node) { n[1].PodCIDR = prefix("10.245.5.0/24") }), nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			n := good(tt.kind, tt.change).WithDefaults()
			wantErrors(t, n.ValidateNodes(tt.nodes, field.NewPath("nodes")), tt.want...)
		})
	}
}

func TestPlanReportsEverything(t *testing.T) {
	t.Parallel()
	n := network.Network{Kind: network.CalicoVXLAN, NodeCIDR: prefix("10.244.0.0/24")}
	_, err := n.WithDefaults().Plan([]network.Node{
		{Name: "a", Address: addr("10.244.0.4")},
		{Name: "a", Address: addr("10.244.0.4"), Platform: platform.WindowsServer2025},
	})
	want := `plan:
  network.podCIDR: Invalid value: "10.244.0.0/16": contains nodeCIDR 10.244.0.0/24: ` +
		`use a range apart from it, as nodes, pods and Services each need their own
  nodes[0].platform: Required value: a pool runs linux, windows-2019, windows-2022 or windows-2025
  nodes[1].address: Duplicate value: "10.244.0.4": nodes[0] has this address already: ` +
		`give each node an address of its own
  nodes[1].name: Duplicate value: "a": nodes[0] has this name already: give each node a name of its own
  nodes[1].platform: Invalid value: "windows-2025": Calico supports Windows Server 2019 and 2022, not 2025 yet: ` +
		`use flannel-vxlan, or another platform`
	if err == nil {
		t.Fatal("no error")
	}
	wantText(t, err.Error(), want)
}
