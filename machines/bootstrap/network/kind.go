package network

import "slices"

// Kind is the way in which pods of different nodes reach each other.
type Kind string

// The kinds of pod networks.
const (
	// UpstreamL3 routes: each node bridges its pods, and a router that all nodes use
	// has one route for each node (in Azure a route table, elsewhere the top-of-rack
	// switch).
	UpstreamL3 Kind = "upstream-l3"
	// HostGateway routes without a router: each node has a route to the pods of each
	// other node. The nodes must be on one link, which no cloud's network is.
	HostGateway Kind = "host-gateway"
	// FlannelVXLAN is flannel's overlay, the default: it requires only UDP port 4789 of the
	// network.
	FlannelVXLAN Kind = "flannel-vxlan"
	// CalicoVXLAN is Calico's overlay, with network policies. You install Calico yourself:
	// see [Kind.UserInstalled]. The same is true of the next two.
	CalicoVXLAN Kind = "calico-vxlan"
	// CalicoBGP is Calico without an overlay: the nodes tell each other their routes.
	CalicoBGP Kind = "calico-bgp"
	// Antrea is an overlay of Open vSwitch, with network policies. See OPEN_VSWITCH.md
	// for what it asks of Windows nodes.
	Antrea Kind = "antrea"
)

// Kinds returns every kind. The slice is the caller's own.
func Kinds() []Kind {
	return []Kind{UpstreamL3, HostGateway, FlannelVXLAN, CalicoVXLAN, CalicoBGP, Antrea}
}

// Valid reports whether k is one of the constants of this package.
func (k Kind) Valid() bool { return slices.Contains(Kinds(), k) }

// Planned reports whether the ranges of the nodes are those of a [Plan]. For the
// other kinds controllers in the cluster choose them.
func (k Kind) Planned() bool { return k == UpstreamL3 || k == HostGateway }

// OverlayPort returns the UDP port on which nodes receive frames of pods from each other: 4789 with
// VXLAN, 6081 with Geneve, 0 without an overlay. Neither protocol authenticates its frames (see
// the security considerations of RFC 7348 and RFC 8926): anyone who reaches the port can send
// frames to the pods of the node.
func (k Kind) OverlayPort() int {
	switch k {
	case FlannelVXLAN, CalicoVXLAN:
		return vxlanPort
	case Antrea:
		return genevePort
	default:
		return 0
	}
}

const (
	// vxlanPort is the port that IANA has assigned, and the only one that Windows accepts; the
	// default on Linux is another (flannel, pkg/backend/vxlan).
	vxlanPort  = 4789
	genevePort = 6081
)

// Allocated reports whether the kube-controller-manager gives each node its range
// (--allocate-node-cidrs, with the network's NodeMaskSize as --node-cidr-mask-size-ipv4,
// the one of the flags for it that kubeadm compares with the range of the pods). For the
// kinds that do not use these it should be switched off, so that spec.podCIDR
// of a node does not name a range that its pods are not in.
func (k Kind) Allocated() bool { return k == FlannelVXLAN || k == Antrea }

// UserInstalled names the software that you install yourself for a network of this kind, for which this
// library provides only the plan and the data; "" if its components install all of it. No node
// becomes Ready before that.
func (k Kind) UserInstalled() string {
	switch {
	case k.IsCalico():
		return "Calico's operator, and what CalicoObjects and EgressPolicies return"
	case k == Antrea:
		return "Antrea's manifests, with the settings of AntreaConfig, and what EgressPolicies returns"
	}
	return ""
}

// MapsWindowsHostPorts reports whether the CNI plugin on Windows nodes leads ports of the
// node to containers (hostPort). That of flannel, win-overlay, does not
// (https://github.com/containernetworking/plugins, plugins/main/windows/win-overlay).
func (k Kind) MapsWindowsHostPorts() bool { return k != FlannelVXLAN }

// EnforcesWindowsPolicies reports whether the network enforces NetworkPolicies on Windows nodes:
// Calico and Antrea do (https://docs.tigera.io/calico/latest/getting-started/kubernetes/windows-calico/,
// https://antrea.io/docs/main/docs/windows/).
func (k Kind) EnforcesWindowsPolicies() bool { return k.IsCalico() || k == Antrea }

// IsCalico reports whether Calico's IPAM gives the nodes blocks of addresses.
func (k Kind) IsCalico() bool { return k == CalicoVXLAN || k == CalicoBGP }
