package arm

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// sourcePort is the source port of every packet: clients use any high port.
const sourcePort = 50000

// enters returns an error that names the network security group that does not let a packet in to a network interface.
// The group of the subnet comes first. Packets to a public address need a group.
func (s *state) enters(p packet, h holder, public bool) error {
	groups := s.groupsOf(h)
	slices.Reverse(groups)
	if public && len(groups) == 0 {
		return fmt.Errorf(
			"%s is dropped: the network interface %s has no network security group, and a Standard public address is "+
				"closed without one", p, nameOf(h.owner.ID),
		)
	}
	return s.passes(p, h, groups, "Inbound")
}

// leaves returns an error that names the network security group that does not let a packet out.
func (s *state) leaves(p packet) error {
	h := primaryOf(p.nic)
	return s.passes(p, h, s.groupsOf(h), "Outbound")
}

// groupsOf returns the network security groups of an IP configuration: the group of the network interface, and the
// group of the subnet.
func (s *state) groupsOf(h holder) []*resource {
	var groups []*resource
	for _, body := range []Body{h.owner.Body, s.body(h.subnet)} {
		if group := s.get(textAt(body, "properties.networkSecurityGroup.id")); group != nil {
			groups = append(groups, group)
		}
	}
	return groups
}

// passes checks groups one after the other. Each has to let the packet through.
func (s *state) passes(p packet, h holder, groups []*resource, direction string) error {
	for _, group := range groups {
		rule := s.decides(p, h, group, direction)
		if textAt(rule, "properties.access") == "Deny" {
			return fmt.Errorf("the network security group %s denies %s: rule %s (priority %v)",
				nameOf(group.ID), p, textAt(rule, "name"), at(rule, "properties.priority"))
		}
	}
	return nil
}

// decides returns the first rule of a group, by priority, that matches a packet. The last of the default rules matches
// every packet.
func (s *state) decides(p packet, h holder, group *resource, direction string) Body {
	rules := parts(group.Body, securityRules)
	for _, rule := range defaultSecurityRules() {
		rules = append(rules, rule.(Body))
	}
	slices.SortStableFunc(rules, func(a, b Body) int {
		x, _ := at(a, "properties.priority").(float64)
		y, _ := at(b, "properties.priority").(float64)
		return int(x - y)
	})
	network := s.networkRanges(h)
	for _, rule := range rules {
		protocol := textAt(rule, "properties.protocol")
		if textAt(rule, "properties.direction") == direction &&
			(protocol == "*" || strings.EqualFold(protocol, p.protocol)) &&
			isPortOf(rule, "source", sourcePort) && isPortOf(rule, "destination", p.to.Port()) &&
			isAddressOf(rule, "source", p.from, network) && isAddressOf(rule, "destination", p.to.Addr(), network) {
			return rule
		}
	}
	return nil
}

func isPortOf(rule Body, side string, port uint16) bool {
	single := textAt(rule, "properties."+side+"PortRange")
	if single == "*" {
		return true
	}
	ranges := textsAt(rule, "properties."+side+"PortRanges")
	if single != "" {
		ranges = append(ranges, single)
	}
	return slices.ContainsFunc(ranges, func(text string) bool {
		low, high, ok := portRange(text)
		return ok && low <= port && port <= high
	})
}

func isAddressOf(rule Body, side string, address netip.Addr, network []netip.Prefix) bool {
	prefixes := textsAt(rule, "properties."+side+"AddressPrefixes")
	if single := textAt(rule, "properties."+side+"AddressPrefix"); single != "" {
		prefixes = append(prefixes, single)
	}
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return isIn(prefix, address, network) })
}

// isIn reports whether an address is in a prefix. Only three service tags have addresses here.
func isIn(prefix string, address netip.Addr, network []netip.Prefix) bool {
	inNetwork := containsAddress(network, address) || address == hostAddress
	switch {
	case prefix == "*":
		return true
	case strings.EqualFold(prefix, tagNetwork):
		return inNetwork
	case strings.EqualFold(prefix, tagBalancer):
		return address == hostAddress
	case strings.EqualFold(prefix, tagInternet):
		return !inNetwork
	}
	low, high, err := addressRange(prefix)
	return err == nil && low.BitLen() == address.BitLen() && !address.Less(low) && !high.Less(address)
}

func containsAddress(prefixes []netip.Prefix, address netip.Addr) bool {
	return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(address) })
}

// networkRanges returns the ranges of the service tag VirtualNetwork for an IP configuration: the address spaces of the
// network, and the prefixes of the user's routes to machines in it
// (https://learn.microsoft.com/azure/virtual-network/service-tags-overview).
func (s *state) networkRanges(h holder) []netip.Prefix {
	ranges := s.spacesOf(h.subnet)
	for _, route := range s.routesOf(h.subnet) {
		if textAt(route.Body, "properties.nextHopType") == "VirtualAppliance" {
			ranges = append(ranges, parsePrefixes([]string{textAt(route.Body, "properties.addressPrefix")})...)
		}
	}
	return ranges
}

// spacesOf returns the address spaces of a subnet's network.
func (s *state) spacesOf(subnet string) []netip.Prefix {
	return parsePrefixes(textsAt(s.body(ownerOf(subnet)), "properties.addressSpace.addressPrefixes"))
}

// body returns the body of a resource, nil if the resource was deleted: a resource group can be deleted while other
// groups refer to its resources.
func (s *state) body(id string) Body {
	if found := s.get(id); found != nil {
		return found.Body
	}
	return nil
}
