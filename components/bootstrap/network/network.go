package network

import "net/netip"

// Kind is the way in which pods of different nodes reach each other.
type Kind string

// The kinds of pod networks.
const (
	// UpstreamL3 routes: each node bridges its pods, and a router that all nodes use
	// has one route for each node (in Azure a route table, elsewhere the top-of-rack
	// switch).
	UpstreamL3 Kind = "upstream-l3"
	// HostGateway routes without a router: each node has a route to the pods of each
	// other node. The nodes must be on one link.
	HostGateway Kind = "host-gateway"
	// FlannelVXLAN is flannel's overlay, the default: it asks nothing of the network
	// but UDP port 4789.
	FlannelVXLAN Kind = "flannel-vxlan"
	// CalicoVXLAN is Calico's overlay, with network policies.
	CalicoVXLAN Kind = "calico-vxlan"
	// CalicoBGP is Calico without an overlay: the nodes tell each other their routes.
	CalicoBGP Kind = "calico-bgp"
	// Antrea is an overlay of Open vSwitch.
	Antrea Kind = "antrea"
)

// Network is the pod network of a cluster. IPv4 only, as Windows overlays are.
type Network struct {
	// Kind is FlannelVXLAN unless it says otherwise.
	Kind Kind
	// NodeCIDR is the range of the nodes' own addresses. Required.
	NodeCIDR netip.Prefix
	// PodCIDR is the range of all pods, 10.244.0.0/16 by default.
	PodCIDR netip.Prefix
	// ServiceCIDR is the range of the Services, 10.96.0.0/12 by default.
	ServiceCIDR netip.Prefix
	// NodeMaskSize is the length of the prefix of a node's pods, 24 by default, which
	// is 254 addresses; 26 by default for Calico, which gives a node several blocks.
	NodeMaskSize int
	// DNSServiceIP is the address of the cluster's DNS, the tenth of ServiceCIDR by
	// default, as kubeadm chooses it.
	DNSServiceIP netip.Addr
}

// Route leads to a range of addresses.
type Route struct {
	Destination netip.Prefix
	NextHop     netip.Addr
}
