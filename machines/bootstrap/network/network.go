package network

import "net/netip"

// Network is the pod network of a cluster. All ranges are IPv4: of the kinds, Windows nodes can have IPv6 only in
// [UpstreamL3] and [HostGateway], in addition to IPv4, and mixedkube does not configure it.
type Network struct {
	// Kind is how the pods of different nodes reach each other. The default is [FlannelVXLAN].
	Kind Kind `json:"kind" pulumi:"kind,optional"`
	// NodeCIDR is the range of the nodes' own addresses. Required, except for a cluster of package
	// kubeadm, which has a default.
	NodeCIDR netip.Prefix `json:"nodeCIDR" pulumi:"nodeCIDR,optional"`
	// PodCIDR is the range of all pods, 10.244.0.0/16 by default; /28 at the smallest.
	PodCIDR netip.Prefix `json:"podCIDR" pulumi:"podCIDR,optional"`
	// ServiceCIDR is the range of the Services, 10.96.0.0/12 by default; /28 at the
	// smallest.
	ServiceCIDR netip.Prefix `json:"serviceCIDR" pulumi:"serviceCIDR,optional"`
	// NodeMaskSize is the length of the prefix of a node's pods, 24 by default, which
	// is 254 addresses; from that of PodCIDR to 29. For Calico it is the length of a
	// block, 26 by default and from 20 to 29: a Linux node takes further blocks when it
	// needs them, a Windows node has one.
	NodeMaskSize int `json:"nodeMaskSize" pulumi:"nodeMaskSize,optional"`
	// DNSServiceIP is the address of the cluster's DNS, the tenth of ServiceCIDR by
	// default, as kubeadm chooses it.
	DNSServiceIP netip.Addr `json:"dnsServiceIP" pulumi:"dnsServiceIP,optional"`
	// BlockedEgress are destinations outside the cluster that pods do not reach, none by
	// default: the services of a cloud that tell a machine its secrets, for example. The
	// machines themselves reach them, and so do pods of the host's network and
	// host-process containers. See the package's documentation for how they are kept from
	// pods, and for what is not covered. Package kubeadm adds those of Azure.
	BlockedEgress []Destination `json:"blockedEgress" pulumi:"blockedEgress,optional"`
	// WithoutWindowsACLs leaves the policies for BlockedEgress out of the CNI
	// configurations of Windows nodes, whose pods then reach these destinations. It is for
	// a release of Windows on which the policies do harm.
	WithoutWindowsACLs bool `json:"withoutWindowsACLs" pulumi:"withoutWindowsACLs,optional"`
}

// Route leads to a range of addresses.
type Route struct {
	Destination netip.Prefix
	NextHop     netip.Addr
}

const (
	// dnsNumber is kubeadm's (cmd/kubeadm/app/constants: GetDNSIP).
	dnsNumber = 10
	// defaultMask is the kube-controller-manager's --node-cidr-mask-size.
	defaultMask = 24
	// defaultBlock is Calico's blockSize
	// (https://docs.tigera.io/calico/latest/reference/resources/ippool).
	defaultBlock = 26
	// smallestRange holds the ten Services and fourteen pods that kubeadm asks for at
	// least (cmd/kubeadm/app/constants: MinimumAddressesIn…Subnet).
	smallestRange = 28
	// smallestNode leaves a Windows node, where the first three addresses and the last
	// are taken, four pods.
	smallestNode = 29
	// largestBlock is the shortest prefix of a block of Calico's IPAM, as in the page
	// about ippool.
	largestBlock = 20
)

var (
	defaultPods     = netip.MustParsePrefix("10.244.0.0/16")
	defaultServices = netip.MustParsePrefix("10.96.0.0/12")
)

// Defaulted is a network in which everything that was left out has its default: it is what
// [Network.WithDefaults] returns, and what plans and configurations are derived from.
type Defaulted struct{ Network }

// WithDefaults returns the network with its defaults.
func (n Network) WithDefaults() Defaulted {
	if n.Kind == "" {
		n.Kind = FlannelVXLAN
	}
	if n.PodCIDR == (netip.Prefix{}) {
		n.PodCIDR = defaultPods
	}
	if n.ServiceCIDR == (netip.Prefix{}) {
		n.ServiceCIDR = defaultServices
	}
	if n.NodeMaskSize == 0 {
		n.NodeMaskSize = defaultMask
		if n.Kind.IsCalico() {
			n.NodeMaskSize = defaultBlock
		}
	}
	if s := n.ServiceCIDR; n.DNSServiceIP == (netip.Addr{}) && isIPv4(s) && s.Bits() <= smallestRange {
		n.DNSServiceIP = nth(s, dnsNumber)
	}
	return Defaulted{n}
}

// direct returns the ranges that pods reach with their own addresses. In an overlay the
// nodes are not among them: they know no way back to a pod of another node.
func (n Defaulted) direct() []netip.Prefix {
	ranges := []netip.Prefix{n.ServiceCIDR, n.PodCIDR}
	if n.Kind.Planned() {
		ranges = append(ranges, n.NodeCIDR)
	}
	return ranges
}
