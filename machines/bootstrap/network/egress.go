package network

import (
	"net/netip"
	"slices"
)

// Destination is where packets go: a range of addresses outside the cluster, and TCP ports.
type Destination struct {
	// CIDR is the range, IPv4: 192.0.2.1/32 for one address. Required.
	CIDR netip.Prefix `json:"cidr" pulumi:"cidr"`
	// TCPPorts are the ports, from 1 to 65535. Empty means everything: all ports, and all
	// protocols.
	TCPPorts []int `json:"tcpPorts" pulumi:"tcpPorts,optional"`
}

// Block returns the network with further destinations in BlockedEgress. The ports of a range
// that is already blocked are added to it.
func (n Network) Block(more ...Destination) Network {
	all := slices.Clone(n.BlockedEgress)
	for _, d := range more {
		i := slices.IndexFunc(all, func(existing Destination) bool { return existing.CIDR == d.CIDR })
		switch {
		case i < 0:
			all = append(all, d)
		case len(all[i].TCPPorts) == 0 || len(d.TCPPorts) == 0:
			all[i].TCPPorts = nil
		default:
			all[i].TCPPorts = union(all[i].TCPPorts, d.TCPPorts)
		}
	}
	n.BlockedEgress = all
	return n
}

// union returns a new list.
func union(ports, more []int) []int {
	ports = slices.Clone(ports)
	for _, p := range more {
		if !slices.Contains(ports, p) {
			ports = append(ports, p)
		}
	}
	return ports
}

// Reaches reports whether a TCP connection to a port of an address goes to the destination.
func (d Destination) Reaches(to netip.AddrPort) bool {
	return d.CIDR.Contains(to.Addr()) &&
		(len(d.TCPPorts) == 0 || slices.Contains(d.TCPPorts, int(to.Port())))
}

// EgressPolicies keep pods from BlockedEgress in a network that has policies of its own: objects
// of Calico, release 3.29 or newer, or of Antrea, in the order in which they are applied, once
// it runs. On Windows nodes of these kinds nothing else does; on Linux nodes the files of
// package bootstrap do, too. None for the other kinds, and without BlockedEgress.
func (n Defaulted) EgressPolicies() []map[string]any {
	switch {
	case len(n.BlockedEgress) == 0:
		return nil
	case n.Kind.IsCalico():
		return n.calicoPolicies()
	case n.Kind == Antrea:
		return n.antreaPolicies()
	default:
		return nil
	}
}
