package network_test

import (
	"fmt"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/testkit/casetest"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

func TestWithDefaults(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		in, want network.Network
	}{
		{
			"of everything",
			network.Network{NodeCIDR: prefix("10.0.0.0/24")},
			network.Network{
				Kind: network.FlannelVXLAN, NodeCIDR: prefix("10.0.0.0/24"), PodCIDR: prefix("10.244.0.0/16"),
				ServiceCIDR: prefix("10.96.0.0/12"), NodeMaskSize: 24, DNSServiceIP: addr("10.96.0.10"),
			},
		},
		{
			"Calico has smaller blocks, and the DNS follows the Services",
			network.Network{Kind: network.CalicoBGP, ServiceCIDR: prefix("172.16.0.0/24")},
			network.Network{
				Kind: network.CalicoBGP, PodCIDR: prefix("10.244.0.0/16"), ServiceCIDR: prefix("172.16.0.0/24"),
				NodeMaskSize: 26, DNSServiceIP: addr("172.16.0.10"),
			},
		},
		{
			"fields that are set stay",
			network.Network{
				Kind: network.UpstreamL3, PodCIDR: prefix("10.1.0.0/16"), ServiceCIDR: prefix("10.2.0.0/16"),
				NodeMaskSize: 25, DNSServiceIP: addr("10.2.3.4"),
			},
			network.Network{
				Kind: network.UpstreamL3, PodCIDR: prefix("10.1.0.0/16"), ServiceCIDR: prefix("10.2.0.0/16"),
				NodeMaskSize: 25, DNSServiceIP: addr("10.2.3.4"),
			},
		},
		{
			"an invalid range of Services has no DNS",
			network.Network{
				Kind: network.UpstreamL3, ServiceCIDR: prefix("fd00::/108"), PodCIDR: prefix("10.1.0.0/16"),
				NodeMaskSize: 24,
			},
			network.Network{
				Kind: network.UpstreamL3, ServiceCIDR: prefix("fd00::/108"), PodCIDR: prefix("10.1.0.0/16"),
				NodeMaskSize: 24,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := tt.in.WithDefaults()
			if diff := cmp.Diff(network.Defaulted{Network: tt.want}, got, byValue); diff != "" {
				t.Errorf("WithDefaults (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(got, got.WithDefaults(), byValue); diff != "" {
				t.Errorf("a second time (-first +second):\n%s", diff)
			}
		})
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	for name, tt := range casetest.Cases[struct {
		Network network.Network
		Want    string
	}](t, "testdata/networks") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := withNodeCIDR(tt.Network)
			wantErrors(t, in.Validate(nil), lines(tt.Want)...)
			// Defaults that are already set make no difference.
			wantErrors(t, in.WithDefaults().Validate(nil), lines(tt.Want)...)
		})
	}
}

func TestNetworksNeedAValidRangeOfNodes(t *testing.T) {
	t.Parallel()
	wantErrors(t, network.Network{}.Validate(nil),
		"nodeCIDR: Required value: the range of the nodes' own addresses, 10.0.0.0/24 for example")
	wantErrors(t, network.Network{NodeCIDR: netip.PrefixFrom(addr("10.0.0.0"), 33)}.Validate(nil),
		`nodeCIDR: Invalid value: "invalid Prefix": is not a valid range of addresses: use one such as 10.0.0.0/16`)
}

func TestFindingsAreBelowThePath(t *testing.T) {
	t.Parallel()
	path := field.NewPath("cluster", "network")
	in := network.Network{Kind: "antra", NodeMaskSize: 99, DNSServiceIP: addr("1.1.1.1")}
	var got []string
	for _, err := range in.Validate(path) {
		got = append(got, err.Field)
	}
	want := []string{
		"cluster.network.kind", "cluster.network.nodeCIDR", "cluster.network.nodeMaskSize",
		"cluster.network.dnsServiceIP",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
}

func TestValidateKubeadm(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		kind   network.Kind
		change func(*network.Network)
		want   []string
	}{
		{"the defaults", "", nil, nil},
		{"the largest range of Services", "", func(n *network.Network) { n.ServiceCIDR = prefix("11.16.0.0/12") }, nil},
		{
			"a larger one", "", func(n *network.Network) { n.ServiceCIDR = prefix("11.0.0.0/11") },
			[]string{
				`serviceCIDR: Invalid value: "11.0.0.0/11": is larger than kubeadm takes: ` +
					`use a range of /12 or smaller`,
			},
		},
		{
			"as many ranges as possible", network.FlannelVXLAN,
			func(n *network.Network) { n.PodCIDR, n.NodeMaskSize = prefix("12.0.0.0/8"), 24 }, nil,
		},
		{
			"more", network.FlannelVXLAN,
			func(n *network.Network) { n.PodCIDR, n.NodeMaskSize = prefix("12.0.0.0/8"), 25 },
			[]string{
				"nodeMaskSize: Invalid value: 25: divides podCIDR 12.0.0.0/8 more finely than kubeadm takes: use at " +
					"most 24, or a smaller podCIDR",
			},
		},
		{"the tenth address for the DNS", "", func(n *network.Network) { n.DNSServiceIP = addr("10.96.0.10") }, nil},
		{
			"another one", "", func(n *network.Network) { n.DNSServiceIP = addr("10.96.0.11") },
			[]string{
				`dnsServiceIP: Invalid value: "10.96.0.11": kubeadm gives the cluster's DNS the tenth address of ` +
					`serviceCIDR, and the pods would ask another one: use 10.96.0.10, or leave it out`,
			},
		},
		{
			"which says nothing of kinds that do not use them", network.UpstreamL3,
			func(n *network.Network) { n.PodCIDR, n.NodeMaskSize = prefix("12.0.0.0/8"), 25 }, nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in := good(tt.kind, tt.change)
			wantErrors(t, in.WithDefaults().ValidateKubeadm(nil), tt.want...)
			wantErrors(t, in.Validate(nil))
		})
	}
}

const (
	ipv6InOverlays = "is IPv6, and Kubernetes supports only IPv4 in overlays on Windows, such as flannel-vxlan: "
	ipv6InRouted   = "is IPv6, and mixedkube configures only IPv4 for %s, in which Windows nodes can have IPv6 in " +
		"addition to IPv4, but not alone: "
)

// The reason is about the network of the kind: most are not overlays of Windows.
func TestIPv6InEachKind(t *testing.T) {
	t.Parallel()
	reasons := map[network.Kind]string{
		network.UpstreamL3:   fmt.Sprintf(ipv6InRouted, network.UpstreamL3),
		network.HostGateway:  fmt.Sprintf(ipv6InRouted, network.HostGateway),
		network.FlannelVXLAN: ipv6InOverlays,
		network.CalicoVXLAN:  "is IPv6, and Calico supports only IPv4 on Windows: ",
		network.CalicoBGP:    "is IPv6, and Calico supports only IPv4 on Windows: ",
		network.Antrea:       "is IPv6, and Antrea supports only IPv4 on Windows: ",
	}
	for _, kind := range network.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			ranges := good(kind, func(n *network.Network) {
				n.NodeCIDR, n.PodCIDR, n.ServiceCIDR = prefix("fd00::/64"), prefix("fd01::/64"), prefix("fd02::/108")
			})
			wantErrors(t, ranges.Validate(nil),
				`nodeCIDR: Invalid value: "fd00::/64": `+reasons[kind]+"use an IPv4 range",
				`podCIDR: Invalid value: "fd01::/64": `+reasons[kind]+"use an IPv4 range",
				`serviceCIDR: Invalid value: "fd02::/108": `+reasons[kind]+"use an IPv4 range")
			nodes := someNodes(func(n []network.Node) { n[1].Address = addr("fd00::5") })
			wantErrors(t, good(kind, nil).WithDefaults().ValidateNodes(nodes, field.NewPath("nodes")),
				`nodes[1].address: Invalid value: "fd00::5": `+reasons[kind]+"use the node's IPv4 address")
		})
	}
}

func TestIPv6InAnUnknownKind(t *testing.T) {
	t.Parallel()
	n := good("weave", func(n *network.Network) { n.NodeCIDR = prefix("fd00::/64") })
	wantErrors(t, n.Validate(nil)[1:],
		`nodeCIDR: Invalid value: "fd00::/64": is IPv6, and mixedkube configures only IPv4: use an IPv4 range`)
}
