package arm

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// packet is the first packet of a connection.
type packet struct {
	// nic is the network interface that it leaves from, nil for a packet from the internet.
	nic *resource
	// from is its source address: the address of the network interface, or an address behind it, of a pod for example.
	from netip.Addr
	to   netip.AddrPort
	// protocol is Tcp or Udp, as in rules.
	protocol string
}

func (p packet) String() string {
	return fmt.Sprintf("%s from %s to %s", strings.ToUpper(p.protocol), p.from, p.to)
}

// hostAddress is the source address of load balancers' probes.
var hostAddress = netip.MustParseAddr("168.63.129.16")

// Reach returns the IDs of the network interfaces that a TCP packet arrives at. from is the address of a network
// interface or an address on the internet. Behind a load balancer the packet may arrive at any of several. The list is
// empty, without an error, if the packet leaves for the internet.
func (c *Cloud) Reach(ctx context.Context, from netip.Addr, to netip.AddrPort) ([]string, error) {
	var ids []string
	err := c.look(ctx, func(s *state) error {
		nic, err := s.sender(from)
		if err != nil {
			return err
		}
		nics, err := s.flow(packet{nic: nic, from: from, to: to, protocol: "Tcp"})
		for _, nic := range nics {
			ids = append(ids, nic.ID)
		}
		return err
	})
	return ids, err
}

// sender returns the network interface with an address, nil for an address on the internet.
func (s *state) sender(from netip.Addr) (*resource, error) {
	var found *resource
	for _, h := range s.holders() {
		if h.address != from || h.owner.Kind != kindNIC {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("%s is the address of two network interfaces: %s and %s", from, found.ID, h.owner.ID)
		}
		found = h.owner
	}
	if found == nil && !isPublic(from) {
		return nil, fmt.Errorf("nothing has the address %s", from)
	}
	return found, nil
}

// isPublic reports whether an address can be on the internet.
func isPublic(address netip.Addr) bool {
	shared := netip.MustParsePrefix("100.64.0.0/10")
	return address.IsGlobalUnicast() && !address.IsPrivate() && !shared.Contains(address)
}

// flow returns the network interfaces that a packet arrives at: one, or any of those behind a load balancer. The error
// tells what drops it.
func (s *state) flow(p packet) ([]*resource, error) {
	if p.nic == nil {
		return s.fromInternet(p)
	}
	for _, h := range holdersOf(p.nic) {
		if h.address == p.to.Addr() {
			return []*resource{p.nic}, nil // it does not leave the machine
		}
	}
	if !hasAddress(p.nic, p.from) && !forwards(p.nic) {
		return nil, fmt.Errorf("%s is dropped: the network interface %s has no IP forwarding, and another address", p,
			nameOf(p.nic.ID))
	}
	if err := s.leaves(p); err != nil {
		return nil, err
	}
	hop, err := s.nextHop(p)
	if err != nil {
		return nil, err
	}
	switch hop.kind {
	case "VnetLocal":
		return s.inNetwork(p)
	case "Internet":
		public, err := s.outbound(p.nic)
		if err != nil {
			return nil, fmt.Errorf("%s is dropped: %w", p, err)
		}
		return s.fromInternet(packet{from: public, to: p.to, protocol: p.protocol})
	default:
		return s.viaAppliance(p, hop)
	}
}

// viaAppliance returns the network interface that a route sends a packet to. The machine there decides how the packet
// continues.
func (s *state) viaAppliance(p packet, next hop) ([]*resource, error) {
	for _, h := range s.holders() {
		if h.address != next.address || networkOf(h.subnet) != s.networkOfNIC(p.nic) {
			continue
		}
		if h.owner == p.nic {
			return []*resource{p.nic}, nil // its destination is behind this machine
		}
		if h.owner.Kind != kindNIC {
			return nil, fmt.Errorf(
				"%s is dropped: %s goes to the load balancer %s, and the simulated Azure forwards nothing from there",
				p, next, nameOf(h.owner.ID),
			)
		}
		if !forwards(h.owner) {
			return nil, fmt.Errorf("%s is dropped: %s goes to the network interface %s, which has no IP forwarding", p,
				next, nameOf(h.owner.ID))
		}
		return s.arrives(p, h, false)
	}
	return nil, fmt.Errorf("%s is dropped: %s goes to %s, and nothing has that address", p, next, next.address)
}

// arrives returns the network interface of an IP configuration, if its groups let the packet in.
func (s *state) arrives(p packet, h holder, public bool) ([]*resource, error) {
	if err := s.enters(p, h, public); err != nil {
		return nil, err
	}
	return []*resource{h.owner}, nil
}

func forwards(nic *resource) bool { return at(nic.Body, "properties.enableIPForwarding") == true }

func hasAddress(nic *resource, address netip.Addr) bool {
	return slices.ContainsFunc(holdersOf(nic), func(h holder) bool { return h.address == address })
}

// inNetwork handles a packet to an address in its own network.
func (s *state) inNetwork(p packet) ([]*resource, error) {
	for _, h := range s.holders() {
		if h.address != p.to.Addr() || networkOf(h.subnet) != s.networkOfNIC(p.nic) {
			continue
		}
		if h.owner.Kind == kindLoadBalancer {
			return s.balanced(p, h.owner, h.id)
		}
		return s.arrives(p, h, false)
	}
	return nil, fmt.Errorf("%s is dropped: nothing in the virtual network %s has that address", p,
		nameOf(ownerOf(primaryOf(p.nic).subnet)))
}

// fromInternet handles a packet to a public address.
func (s *state) fromInternet(p packet) ([]*resource, error) {
	if !isPublic(p.to.Addr()) {
		return nil, fmt.Errorf("%s is dropped: the address is not on the internet", p)
	}
	for _, address := range s.all(kindAddress) {
		if textAt(address.Body, "properties.ipAddress") != p.to.Addr().String() {
			continue
		}
		return s.toPublic(p, address)
	}
	if p.nic == nil && s.isOwnAddress(p.from) {
		return nil, nil // it left the cloud
	}
	return nil, fmt.Errorf("%s is dropped: the cloud has no such public address", p)
}

// toPublic handles a packet to a public address of the cloud.
func (s *state) toPublic(p packet, address *resource) ([]*resource, error) {
	users := s.users(address.ID)
	if len(users) == 0 {
		return nil, fmt.Errorf("%s is dropped: nothing uses the public address %s", p, nameOf(address.ID))
	}
	by := users[0].by // an address has one use
	switch owner := s.get(ownerOf(by)); {
	case owner == nil: // a NAT gateway uses the whole address
		return nil, fmt.Errorf("%s is dropped: the NAT gateway %s takes no connections", p, nameOf(by))
	case owner.Kind == kindLoadBalancer:
		return s.balanced(p, owner, by)
	default:
		return s.toPublicNIC(p, owner, by)
	}
}

func (s *state) isOwnAddress(address netip.Addr) bool {
	return slices.ContainsFunc(s.all(kindAddress), func(r *resource) bool {
		return textAt(r.Body, "properties.ipAddress") == address.String()
	})
}

// toPublicNIC handles a packet to the public address of a network interface. It arrives with the private address.
func (s *state) toPublicNIC(p packet, nic *resource, configuration string) ([]*resource, error) {
	for _, h := range holdersOf(nic) {
		if keyOf(h.id) == keyOf(configuration) {
			p.to = netip.AddrPortFrom(h.address, p.to.Port())
			return s.arrives(p, h, true)
		}
	}
	return nil, fmt.Errorf("%s is dropped: %s has no private address", p, configuration)
}

// balanced returns the network interfaces behind a frontend of a load balancer that accept the packet.
func (s *state) balanced(p packet, balancer *resource, frontend string) ([]*resource, error) {
	rule := ruleFor(balancer, frontend, p)
	if rule == nil {
		return s.natted(p, balancer, frontend)
	}
	var members []member
	for _, pool := range idsAt(rule, "properties."+backendPools) {
		members = append(members, s.members(pool)...)
	}
	if len(members) == 0 {
		return nil, fmt.Errorf("%s is dropped: no network interface is behind the load balancer %s", p,
			nameOf(balancer.ID))
	}
	healthy, why := s.healthy(rule, members)
	var nics []*resource
	for _, m := range healthy {
		err := s.toMember(p, balancer, rule, m)
		if err == nil && !slices.Contains(nics, m.owner) {
			nics = append(nics, m.owner)
		}
		why = append(why, err)
	}
	if len(nics) == 0 {
		return nil, errors.Join(why...)
	}
	return nics, nil
}

// member is an IP configuration that is in a backend pool.
type member = holder

func (s *state) members(pool string) []member {
	var found []member
	for _, h := range s.holders() {
		for _, id := range idsAt(h.part, "properties.loadBalancerBackendAddressPools") {
			if h.owner.Kind == kindNIC && keyOf(id) == keyOf(pool) {
				found = append(found, h)
			}
		}
	}
	return found
}

// ruleFor returns the load balancer's rule for a packet, nil if there is none.
func ruleFor(balancer *resource, frontend string, p packet) Body {
	for _, rule := range parts(balancer.Body, balancingRules) {
		port, _ := at(rule, "properties.frontendPort").(float64)
		protocol := textAt(rule, "properties.protocol")
		if keyOf(textAt(rule, "properties.frontendIPConfiguration.id")) == keyOf(frontend) &&
			(protocol == "All" || strings.EqualFold(protocol, p.protocol) && port == float64(p.to.Port())) {
			return rule
		}
	}
	return nil
}

// healthy returns the members that the probe of a rule reaches, and why the reasons for the others. Whether a process
// listens there is not checked.
func (s *state) healthy(rule Body, members []member) (healthy []member, why []error) {
	probe := s.part(textAt(rule, "properties.probe.id"))
	if probe == nil {
		return members, nil
	}
	port, _ := at(probe, "properties.port").(float64)
	for _, m := range members {
		p := packet{from: hostAddress, to: netip.AddrPortFrom(m.address, uint16(port)), protocol: "Tcp"}
		if err := s.enters(p, m, false); err != nil {
			why = append(why, fmt.Errorf("the probe %s fails: %w", textAt(probe, "name"), err))
			continue
		}
		healthy = append(healthy, m)
	}
	if len(healthy) == 0 && textAt(probe, "properties.noHealthyBackendsBehavior") == "AllProbedUp" {
		return members, nil
	}
	return healthy, why
}

// toMember returns what drops a packet that a load balancer sends to a member.
func (s *state) toMember(p packet, balancer *resource, rule Body, m member) error {
	public := len(internalFrontends(balancer)) == 0
	if !public && p.nic == m.owner {
		return fmt.Errorf(
			"%s is dropped: the load balancer %s would send it back to the network interface %s that it comes from", p,
			nameOf(balancer.ID), nameOf(m.owner.ID),
		)
	}
	port := p.to.Port()
	if back, _ := at(rule, "properties.backendPort").(float64); back != 0 {
		port = uint16(back)
	}
	// With a floating IP the machine sees the original destination.
	if at(rule, "properties.enableFloatingIP") != true {
		p.to = netip.AddrPortFrom(m.address, port)
	}
	return s.enters(p, m, public)
}

// natted handles a packet to a frontend without a rule: an inbound NAT rule may accept it.
func (s *state) natted(p packet, balancer *resource, frontend string) ([]*resource, error) {
	for _, rule := range parts(balancer.Body, natRules) {
		port, _ := at(rule, "properties.frontendPort").(float64)
		if keyOf(textAt(rule, "properties.frontendIPConfiguration.id")) != keyOf(frontend) ||
			port != float64(p.to.Port()) ||
			!strings.EqualFold(textAt(rule, "properties.protocol"), p.protocol) {
			continue
		}
		id := partID(balancer.ID, natRules, rule)
		for _, h := range s.holders() {
			if slices.ContainsFunc(idsAt(h.part, "properties.loadBalancerInboundNatRules"),
				func(used string) bool { return keyOf(used) == keyOf(id) }) {
				if err := s.toMember(p, balancer, rule, h); err != nil {
					return nil, err
				}
				return []*resource{h.owner}, nil
			}
		}
	}
	return nil, fmt.Errorf("%s is dropped: the load balancer %s has no rule for that port", p, nameOf(balancer.ID))
}
