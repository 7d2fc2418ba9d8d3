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
	// controlPlaneShare and nodeShare are how much longer the prefixes of the subnets are than the
	// prefix of the whole range: the first eighth, and the second half. The range between them is
	// free.
	controlPlaneShare, nodeShare = 3, 1
	// reserved is the number of addresses that Azure reserves in a subnet: reservedFirst at its
	// beginning, and the last one
	// (https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq#are-there-any-restrictions-on-using-ip-addresses-within-these-subnets).
	reservedFirst, reserved = 4, 5
	// longestNodePrefix leaves the control plane 16 addresses.
	longestNodePrefix = 25
)

// Subnets returns the ranges of the control plane and of the other nodes. The range of all nodes
// must be valid.
func (c Defaulted) Subnets() (controlPlane, nodes netip.Prefix) {
	all := c.Network.NodeCIDR.Masked()
	controlPlane = netip.PrefixFrom(all.Addr(), all.Bits()+controlPlaneShare)
	middle := uint32(1) << (32 - all.Bits() - nodeShare)
	nodes = netip.PrefixFrom(nth(all, middle), all.Bits()+nodeShare)
	return controlPlane, nodes
}

// EndpointAddress returns the address of the load balancer in front of the API servers: the first
// that Azure assigns in the subnet of the control plane.
func (c Defaulted) EndpointAddress() netip.Addr {
	controlPlane, _ := c.Subnets()
	return nth(controlPlane, reservedFirst)
}

// Endpoint returns the address at which the nodes reach the API server, host:port.
func (c Defaulted) Endpoint() string {
	return netip.AddrPortFrom(c.EndpointAddress(), APIServerPort).String()
}

func (c Defaulted) controlPlaneAddress(i int) netip.Addr {
	controlPlane, _ := c.Subnets()
	return nth(controlPlane, reservedFirst+1+uint32(i))
}

// room returns how many machines a subnet has addresses for.
func room(subnet netip.Prefix) int { return max(0, 1<<(32-subnet.Bits())-reserved) }

// nth returns the n-th address of a range, counted from 0.
func nth(p netip.Prefix, n uint32) netip.Addr {
	b := p.Masked().Addr().As4()
	var a [4]byte
	binary.BigEndian.PutUint32(a[:], binary.BigEndian.Uint32(b[:])+n)
	return netip.AddrFrom4(a)
}
