package plan

import (
	"encoding/binary"
	"net/netip"
)

// The names of the subnets.
const (
	ControlPlaneSubnet = "control-plane"
	NodeSubnet         = "nodes"
)

const (
	// controlPlaneShare and nodeShare are how much longer the prefixes of the subnets are
	// than that of all nodes: the first eighth, and the second half. What is between them
	// is free.
	controlPlaneShare, nodeShare = 3, 1
	// reserved are the addresses of a subnet that Azure keeps, the first four and the
	// last
	// (https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq#are-there-any-restrictions-on-using-ip-addresses-within-these-subnets).
	reservedFirst, reserved = 4, 5
	// longestNodePrefix leaves the control plane 16 addresses.
	longestNodePrefix = 25
)

// Subnets are the ranges of the control plane and of the other nodes. The range of all
// nodes has to be valid.
func (c Defaulted) Subnets() (controlPlane, nodes netip.Prefix) {
	all := c.Network.NodeCIDR.Masked()
	controlPlane = netip.PrefixFrom(all.Addr(), all.Bits()+controlPlaneShare)
	half := uint32(1) << (32 - all.Bits() - nodeShare)
	nodes = netip.PrefixFrom(nth(all, half), all.Bits()+nodeShare)
	return controlPlane, nodes
}

// EndpointAddress is the address of the load balancer before the API servers: the first
// that Azure gives in the subnet of the control plane.
func (c Defaulted) EndpointAddress() netip.Addr {
	controlPlane, _ := c.Subnets()
	return nth(controlPlane, reservedFirst)
}

// Endpoint is where the nodes reach the API server.
func (c Defaulted) Endpoint() string {
	return netip.AddrPortFrom(c.EndpointAddress(), APIServerPort).String()
}

func (c Defaulted) controlPlaneAddress(i int) netip.Addr {
	controlPlane, _ := c.Subnets()
	return nth(controlPlane, reservedFirst+1+uint32(i))
}

// room is how many machines a subnet has addresses for.
func room(subnet netip.Prefix) int { return max(0, 1<<(32-subnet.Bits())-reserved) }

// nth is the n-th address of a range, counted from 0.
func nth(p netip.Prefix, n uint32) netip.Addr {
	b := p.Masked().Addr().As4()
	var a [4]byte
	binary.BigEndian.PutUint32(a[:], binary.BigEndian.Uint32(b[:])+n)
	return netip.AddrFrom4(a)
}
