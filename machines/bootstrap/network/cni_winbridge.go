package network

import "net/netip"

// winBridge is the configuration of win-bridge. It finds the HNS network by the name of
// the list, takes the second address of the range for the gateway whatever IPAM says, and gives the
// endpoint a default route only.
type winBridge struct {
	Type string `json:"type"`
	// APIVersion 2 is that of HCN, which containerd needs.
	APIVersion   int          `json:"apiVersion"`
	Capabilities capabilities `json:"capabilities"`
	IPAM         hostLocal    `json:"ipam"`
	// DNS is for pods that the kubelet says nothing about; what it says comes through
	// the capability.
	DNS      cniDNS   `json:"dns"`
	Policies []policy `json:"policies"`
}

type cniDNS struct {
	Nameservers []netip.Addr `json:"nameservers"`
}

// policy is one of an HNS endpoint. The plugins look for some of the names below in
// exactly this spelling, and drop a policy that they do not understand.
type policy struct {
	Name  string      `json:"name"`
	Value policyValue `json:"value"`
}

type policyValue struct {
	Type     string
	Settings any
}

type outBoundNAT struct {
	Exceptions []netip.Prefix
}

type sdnRoute struct {
	DestinationPrefix netip.Prefix
	NeedEncap         bool
}

// noNAT keeps the pods' own addresses towards some ranges.
func noNAT(ranges []netip.Prefix) policy {
	return policy{"EndpointPolicy", policyValue{"OutBoundNAT", outBoundNAT{ranges}}}
}

// throughHost takes what goes to a range out of the pod's network to its node, where the
// rules of kube-proxy are.
func throughHost(p netip.Prefix) policy {
	return policy{"EndpointPolicy", policyValue{"SDNRoute", sdnRoute{p, true}}}
}

func (n Defaulted) windowsBridge(p NodePlan) conflist {
	return conflist{CNIVersion: cniVersion, Name: HNSNetwork, Plugins: []any{winBridge{
		Type:         "win-bridge",
		APIVersion:   2,
		Capabilities: capabilities{PortMappings: true, DNS: true},
		IPAM:         pods(p),
		DNS:          cniDNS{[]netip.Addr{n.DNSServiceIP}},
		Policies: append([]policy{
			noNAT(p.Direct),
			throughHost(n.ServiceCIDR),
			// On an L2Bridge the node shares its card with the pods' switch, which would
			// look for the node on the link.
			throughHost(netip.PrefixFrom(p.Address, p.Address.BitLen())),
		}, n.windowsACLs()...),
	}}}
}
