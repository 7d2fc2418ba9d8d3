package network_test

import (
	"fmt"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

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
	const (
		node    = "nodeCIDR: Invalid value: "
		pod     = "podCIDR: Invalid value: "
		service = "serviceCIDR: Invalid value: "
		mask    = "nodeMaskSize: Invalid value: "
		dns     = "dnsServiceIP: Invalid value: "
		apart   = ": use a range apart from it, as nodes, pods and Services each need their own"
		kinds   = "(use upstream-l3, host-gateway, flannel-vxlan, calico-vxlan, calico-bgp or antrea)"
	)
	tests := []struct {
		name   string
		kind   network.Kind
		change func(*network.Network)
		want   []string
	}{
		{"a range of nodes is enough", "", nil, nil},
		{"each kind 1", network.UpstreamL3, nil, nil},
		{"each kind 2", network.HostGateway, nil, nil},
		{"each kind 3", network.FlannelVXLAN, nil, nil},
		{"each kind 4", network.CalicoVXLAN, nil, nil},
		{"each kind 5", network.CalicoBGP, nil, nil},
		{"each kind 6", network.Antrea, nil, nil},
		{"an unknown kind", "weave", nil, []string{`kind: Invalid value: "weave": unknown kind ` + kinds}},
		{
			"a kind misspelled", "flanel-vxlan", nil,
			[]string{`kind: Invalid value: "flanel-vxlan": unknown kind: did you mean "flannel-vxlan"? ` + kinds},
		},

		{
			"no range of nodes", "", func(n *network.Network) { n.NodeCIDR = netip.Prefix{} },
			[]string{"nodeCIDR: Required value: the range of the nodes' own addresses, 10.0.0.0/24 for example"},
		},
		{
			"an invalid range", "",
			func(n *network.Network) { n.NodeCIDR = netip.PrefixFrom(addr("10.0.0.0"), 33) },
			[]string{node + `"invalid Prefix": is not a valid range of addresses: use one such as 10.0.0.0/16`},
		},
		{
			"IPv6 everywhere", "", func(n *network.Network) {
				n.NodeCIDR, n.PodCIDR, n.ServiceCIDR = prefix("fd00::/64"), prefix("fd01::/64"), prefix("fd02::/108")
			},
			[]string{
				node + `"fd00::/64": ` + ipv6InOverlays + `use an IPv4 range`,
				pod + `"fd01::/64": ` + ipv6InOverlays + `use an IPv4 range`,
				service + `"fd02::/108": ` + ipv6InOverlays + `use an IPv4 range`,
			},
		},
		{
			"IPv4 within IPv6", "",
			func(n *network.Network) { n.NodeCIDR = netip.PrefixFrom(addr("::ffff:10.0.0.0"), 120) },
			[]string{node + `"::ffff:10.0.0.0/120": ` + ipv6InOverlays + `use an IPv4 range`},
		},
		{"the first address of a range", "", func(n *network.Network) { n.PodCIDR = prefix("10.32.0.0/11") }, nil},
		{
			"an address in a range", "", func(n *network.Network) { n.PodCIDR = prefix("10.33.0.0/11") },
			[]string{pod + `"10.33.0.0/11": has an address inside a range, not its first: use 10.32.0.0/11`},
		},
		{"a range beside a special one", "", func(n *network.Network) { n.PodCIDR = prefix("169.255.0.0/16") }, nil},
		{
			"a special range", "", func(n *network.Network) { n.PodCIDR = prefix("169.254.0.0/16") },
			[]string{
				pod + `"169.254.0.0/16": overlaps 169.254.0.0/16, which no router passes on: use a private range, ` +
					`such as one of 10.0.0.0/8`,
			},
		},
		{
			"a range around a special one", "", func(n *network.Network) { n.PodCIDR = prefix("126.0.0.0/7") },
			[]string{
				pod + `"126.0.0.0/7": overlaps 127.0.0.0/8, where each machine reaches itself: use a private range, ` +
					`such as one of 10.0.0.0/8`,
			},
		},
		{
			"further special ranges", "", func(n *network.Network) {
				n.NodeCIDR, n.PodCIDR, n.ServiceCIDR = prefix("0.0.0.0/8"), prefix("239.0.0.0/16"),
					prefix("240.0.0.0/16")
			},
			[]string{
				node + `"0.0.0.0/8": overlaps 0.0.0.0/8, which stands for this network: use a private range, such as ` +
					`one of 10.0.0.0/8`,
				pod + `"239.0.0.0/16": overlaps 224.0.0.0/4, which is for multicast: use a private range, such as ` +
					`one of 10.0.0.0/8`,
				service + `"240.0.0.0/16": overlaps 240.0.0.0/4, which is reserved: use a private range, such as one ` +
					`of 10.0.0.0/8`,
			},
		},
		{
			"the smallest ranges", "", func(n *network.Network) {
				n.NodeCIDR, n.PodCIDR, n.ServiceCIDR, n.NodeMaskSize = prefix("10.0.0.1/32"), prefix("10.1.0.0/28"),
					prefix("10.2.0.0/28"), 28
			}, nil,
		},
		{
			"ranges that are too small", "", func(n *network.Network) {
				n.PodCIDR, n.ServiceCIDR, n.NodeMaskSize = prefix("10.1.0.0/29"), prefix("10.2.0.0/29"), 29
			},
			[]string{
				pod + `"10.1.0.0/29": has 8 addresses, and kubeadm asks for more: use a range of /28 or larger`,
				service + `"10.2.0.0/29": has 8 addresses, and kubeadm asks for more: use a range of /28 or larger`,
			},
		},

		{"ranges side by side", "", func(n *network.Network) {
			n.PodCIDR, n.ServiceCIDR, n.NodeMaskSize = prefix("10.0.1.0/24"), prefix("10.0.2.0/24"), 26
		}, nil},
		{
			"pods in the nodes' range", "", func(n *network.Network) { n.NodeCIDR = prefix("10.240.0.0/12") },
			[]string{pod + `"10.244.0.0/16": is inside nodeCIDR 10.240.0.0/12` + apart},
		},
		{
			"pods around the nodes' range, and the Services' too", "",
			func(n *network.Network) { n.PodCIDR = prefix("10.0.0.0/8") },
			[]string{
				pod + `"10.0.0.0/8": contains nodeCIDR 10.0.0.0/24` + apart,
				service + `"10.96.0.0/12": is inside podCIDR 10.0.0.0/8` + apart,
			},
		},
		{
			"one range for all", "", func(n *network.Network) {
				n.NodeCIDR, n.PodCIDR, n.ServiceCIDR = prefix("10.1.0.0/16"), prefix("10.1.0.0/16"),
					prefix("10.1.0.0/16")
			},
			[]string{
				pod + `"10.1.0.0/16": is the same as nodeCIDR 10.1.0.0/16` + apart,
				service + `"10.1.0.0/16": is the same as nodeCIDR 10.1.0.0/16` + apart,
				service + `"10.1.0.0/16": is the same as podCIDR 10.1.0.0/16` + apart,
			},
		},
		{
			"a range that is wrong is compared with none", "", func(n *network.Network) {
				n.NodeCIDR, n.PodCIDR = prefix("10.244.0.1/16"), prefix("10.244.0.0/16")
			},
			[]string{node + `"10.244.0.1/16": has an address inside a range, not its first: use 10.244.0.0/16`},
		},

		{"the largest ranges of nodes", network.Antrea, func(n *network.Network) { n.NodeMaskSize = 16 }, nil},
		{"the smallest ranges of nodes", network.Antrea, func(n *network.Network) { n.NodeMaskSize = 29 }, nil},
		{
			"too large a range of a node", network.Antrea, func(n *network.Network) { n.NodeMaskSize = 15 },
			[]string{mask + "15: must be between 16 and 29: podCIDR is /16, a Windows node uses four addresses itself"},
		},
		{
			"too small a range of a node", network.HostGateway, func(n *network.Network) { n.NodeMaskSize = 30 },
			[]string{mask + "30: must be between 16 and 29: podCIDR is /16, a Windows node uses four addresses itself"},
		},
		{
			"the default is too large for the pods", network.UpstreamL3,
			func(n *network.Network) { n.PodCIDR = prefix("10.1.0.0/25") },
			[]string{mask + "24: must be between 25 and 29: podCIDR is /25, a Windows node uses four addresses itself"},
		},
		{
			"a negative length", "", func(n *network.Network) { n.NodeMaskSize = -1 },
			[]string{mask + "-1: must be between 16 and 29: podCIDR is /16, a Windows node uses four addresses itself"},
		},
		{"the largest blocks of Calico", network.CalicoVXLAN, func(n *network.Network) { n.NodeMaskSize = 20 }, nil},
		{"the smallest blocks of Calico", network.CalicoBGP, func(n *network.Network) { n.NodeMaskSize = 29 }, nil},
		{
			"too large a block of Calico", network.CalicoVXLAN, func(n *network.Network) { n.NodeMaskSize = 19 },
			[]string{
				mask + "19: must be between 20 and 29: podCIDR is /16, Calico allocates blocks of /20 to /32, on " +
					"Windows four addresses of each are reserved",
			},
		},
		{
			"too small a block of Calico", network.CalicoBGP, func(n *network.Network) { n.NodeMaskSize = 30 },
			[]string{
				mask + "30: must be between 20 and 29: podCIDR is /16, Calico allocates blocks of /20 to /32, on " +
					"Windows four addresses of each are reserved",
			},
		},
		{
			"a block of Calico larger than its pool", network.CalicoVXLAN,
			func(n *network.Network) { n.PodCIDR, n.NodeMaskSize = prefix("10.1.0.0/24"), 23 },
			[]string{
				mask + "23: must be between 24 and 29: podCIDR is /24, Calico allocates blocks of /20 to /32, on " +
					"Windows four addresses of each are reserved",
			},
		},

		{"the second address for the DNS", "", func(n *network.Network) { n.DNSServiceIP = addr("10.96.0.2") }, nil},
		{"the last but one for the DNS", "", func(n *network.Network) { n.DNSServiceIP = addr("10.111.255.254") }, nil},
		{
			"the DNS outside of the Services", "", func(n *network.Network) { n.DNSServiceIP = addr("10.112.0.10") },
			[]string{dns + `"10.112.0.10": is outside serviceCIDR 10.96.0.0/12: use 10.96.0.10, or leave it out`},
		},
		{
			"an IPv6 address for the DNS", "", func(n *network.Network) { n.DNSServiceIP = addr("fd00::a") },
			[]string{dns + `"fd00::a": is outside serviceCIDR 10.96.0.0/12: use 10.96.0.10, or leave it out`},
		},
		{
			"the API server's address for the DNS", "", func(n *network.Network) { n.DNSServiceIP = addr("10.96.0.1") },
			[]string{
				dns + `"10.96.0.1": is the first address of serviceCIDR, which the Service of the API server has: ` +
					`use 10.96.0.10, or leave it out`,
			},
		},
		{
			"the begin of the Services for the DNS", "",
			func(n *network.Network) { n.DNSServiceIP = addr("10.96.0.0") },
			[]string{
				dns + `"10.96.0.0": is at an end of serviceCIDR 10.96.0.0/12, which no Service has: use 10.96.0.10, ` +
					`or leave it out`,
			},
		},
		{
			"the end of the Services for the DNS", "",
			func(n *network.Network) { n.DNSServiceIP = addr("10.111.255.255") },
			[]string{
				dns + `"10.111.255.255": is at an end of serviceCIDR 10.96.0.0/12, which no Service has: use ` +
					`10.96.0.10, or leave it out`,
			},
		},
		{
			"the DNS is not compared with a range that is wrong", "",
			func(n *network.Network) { n.ServiceCIDR, n.DNSServiceIP = prefix("10.96.0.1/12"), addr("1.1.1.1") },
			[]string{service + `"10.96.0.1/12": has an address inside a range, not its first: use 10.96.0.0/12`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in := good(tt.kind, tt.change)
			wantErrors(t, in.Validate(nil), tt.want...)
			// Defaults that are already set make no difference.
			wantErrors(t, in.WithDefaults().Validate(nil), tt.want...)
		})
	}
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
