package arm

import (
	"fmt"
	"net/netip"
)

// hop is the destination that a route sends packets to.
type hop struct {
	prefix netip.Prefix
	kind   string
	// address is the address of a virtual appliance.
	address netip.Addr
	// route is the user's route, nil for one of Azure's system routes.
	route *resource
}

func (h hop) String() string {
	if h.route == nil {
		return "the route for " + h.prefix.String() + " that Azure has by itself"
	}
	return "the route " + nameOf(h.route.ID) + " of the route table " + nameOf(ownerOf(h.route.ID))
}

// nextHop returns the hop with the longest prefix for a packet. Among equal prefixes the user's route wins.
func (s *state) nextHop(p packet) (hop, error) {
	subnet := primaryOf(p.nic).subnet
	best := hop{}
	for _, h := range append(s.userHops(subnet), s.systemHops(subnet)...) {
		if h.prefix.Contains(p.to.Addr()) && (best.kind == "" || h.prefix.Bits() > best.prefix.Bits()) {
			best = h
		}
	}
	switch best.kind {
	case "VnetLocal", "Internet", "VirtualAppliance":
		return best, nil
	case "":
		return best, fmt.Errorf("%s is dropped: there is no route", p)
	default:
		return best, fmt.Errorf("%s is dropped: %s has the next hop %s", p, best, best.kind)
	}
}

func (s *state) userHops(subnet string) []hop {
	var hops []hop
	for _, route := range s.routesOf(subnet) {
		prefix, err := netip.ParsePrefix(textAt(route.Body, "properties.addressPrefix"))
		if err != nil {
			continue // a service tag
		}
		next, _ := netip.ParseAddr(textAt(route.Body, "properties.nextHopIpAddress"))
		hops = append(hops, hop{prefix, textAt(route.Body, "properties.nextHopType"), next, route})
	}
	return hops
}

// systemHops returns the routes that each subnet has
// (https://learn.microsoft.com/azure/virtual-network/virtual-networks-udr-overview).
func (s *state) systemHops(subnet string) []hop {
	var hops []hop
	for _, space := range s.spacesOf(subnet) {
		hops = append(hops, hop{prefix: space, kind: "VnetLocal"})
	}
	for _, private := range []string{"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"} {
		hops = append(hops, hop{prefix: netip.MustParsePrefix(private), kind: "None"})
	}
	return append(hops, hop{prefix: netip.MustParsePrefix("0.0.0.0/0"), kind: "Internet"})
}

// routesOf returns the user's routes of a subnet.
func (s *state) routesOf(subnet string) []*resource {
	table := textAt(s.body(subnet), "properties.routeTable.id")
	if table == "" {
		return nil
	}
	return s.below(table, kindRoute)
}

// primaryOf returns the primary IP configuration of a network interface.
func primaryOf(nic *resource) holder {
	var first holder
	for _, h := range holdersOf(nic) {
		if first.owner == nil || at(h.part, "properties.primary") == true {
			first = h
		}
	}
	return first
}

func (s *state) networkOfNIC(nic *resource) string { return networkOf(primaryOf(nic).subnet) }

// outbound returns the public address from which the packets of a network interface leave for the internet
// (https://learn.microsoft.com/azure/virtual-network/ip-services/default-outbound-access).
func (s *state) outbound(nic *resource) (netip.Addr, error) {
	primary := primaryOf(nic)
	candidates := []string{s.natAddress(primary.subnet), textAt(primary.part, "properties.publicIPAddress.id")}
	pools := idsAt(primary.part, "properties.loadBalancerBackendAddressPools")
	for _, list := range []string{outboundRules, balancingRules} {
		for _, pool := range pools {
			candidates = append(candidates, s.sourceNAT(pool, list))
		}
	}
	for _, id := range candidates {
		if address, err := netip.ParseAddr(textAt(s.body(id), "properties.ipAddress")); err == nil {
			return address, nil
		}
	}
	return netip.Addr{},
		fmt.Errorf(
			"the network interface %s has no way to the internet: no NAT gateway, no public address and no outbound "+
				"rule of a load balancer (the simulated Azure has no default outbound access)", nameOf(nic.ID),
		)
}

// natAddress returns the ID of the first public address of a subnet's NAT gateway.
func (s *state) natAddress(subnet string) string {
	gateway := s.body(textAt(s.body(subnet), "properties.natGateway.id"))
	if ids := idsAt(gateway, "properties.publicIpAddresses"); len(ids) > 0 {
		return ids[0]
	}
	return ""
}

// sourceNAT returns the ID of the public address that the members of a pool get from outbound rules, or from rules that
// do not disable it.
func (s *state) sourceNAT(pool, list string) string {
	for _, rule := range parts(s.body(ownerOf(pool)), list) {
		if keyOf(textAt(rule, "properties.backendAddressPool.id")) != keyOf(pool) ||
			at(rule, "properties.disableOutboundSnat") == true {
			continue
		}
		used := append(idsAt(rule, "properties."+frontends), textAt(rule, "properties.frontendIPConfiguration.id"))
		for _, frontend := range used {
			if id := textAt(s.part(frontend), "properties.publicIPAddress.id"); id != "" {
				return id
			}
		}
	}
	return ""
}
