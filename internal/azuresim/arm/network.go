package arm

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

var subnetReadOnly = []string{
	"id", "type", "etag", "properties.provisioningState", "properties.purpose", "properties.ipConfigurations",
	"properties.ipConfigurationProfiles", "properties.privateEndpoints", "properties.resourceNavigationLinks",
	"properties.serviceAssociationLinks",
}

func (r *request) putNetwork(body Body) (*resource, error) {
	if err := r.placed(body); err != nil {
		return nil, err
	}
	prefixes, _ := at(body, "properties.addressSpace.addressPrefixes").([]any)
	if len(prefixes) == 0 {
		return nil, refused("InvalidRequestFormat", "",
			"Cannot parse the request: the address space of the virtual network %s is missing.", r.id.name())
	}
	var spaces []netip.Prefix
	for _, prefix := range prefixes {
		space, err := netip.ParsePrefix(fmt.Sprint(prefix))
		if err != nil {
			return nil, badPrefix(prefix, r.id.text)
		}
		for _, reserved := range facts.VNetReserved {
			if space.Overlaps(reserved) {
				return nil, refused("ReservedAddressPrefix", "",
					"Address prefix %s of virtual network %s overlaps %s, which Azure reserves.", space, r.id.name(),
					reserved)
			}
		}
		spaces = append(spaces, space)
	}
	subnets, listed := at(body, "properties.subnets").([]any)
	removeAt(body, "properties.subnets")
	defaultAt(body, "properties.enableDdosProtection", false)
	defaultAt(body, "properties.privateEndpointVNetPolicies", "Disabled")
	defaultAt(body, "properties.virtualNetworkPeerings", []any{})
	network := r.putNetworking(body)
	if !listed {
		return network, r.keepSubnets(spaces)
	}
	return network, r.putSubnets(subnets)
}

// keepSubnets refuses an address space without the ranges of the network's subnets.
func (r *request) keepSubnets(spaces []netip.Prefix) error {
	for _, subnet := range r.state.below(r.id.text, kindSubnet) {
		for _, prefix := range prefixesOf(subnet) {
			if !slices.ContainsFunc(spaces, func(space netip.Prefix) bool { return isInside(prefix, space) }) {
				return outsideNetwork(nameOf(subnet.ID), r.id.name())
			}
		}
	}
	return nil
}

func isInside(prefix, space netip.Prefix) bool {
	return space.Bits() <= prefix.Bits() && space.Contains(prefix.Addr())
}

func outsideNetwork(subnet, network string) *Error {
	return refused("NetcfgSubnetRangeOutsideVnet", "",
		"Subnet '%s' is not valid because its IP address range is outside the IP address range of virtual network "+
			"'%s'.",
		subnet, network)
}

// putSubnets reconciles the subnets of the network with a list.
func (r *request) putSubnets(subnets []any) error {
	listed := map[string]bool{}
	for _, s := range subnets {
		subnet := s.(Body)
		name := textAt(subnet, "name")
		if name == "" {
			return refused("InvalidRequestFormat", "", "Cannot parse the request: a subnet of %s has no name.",
				r.id.name())
		}
		id, err := parseID(r.id.text + "/subnets/" + name)
		if err != nil {
			return err
		}
		listed[id.key()] = true
		for _, path := range subnetReadOnly {
			removeAt(subnet, path)
		}
		one := *r
		one.id = id
		if _, err := one.putSubnet(subnet); err != nil {
			return err
		}
	}
	for _, old := range r.state.below(r.id.text, kindSubnet) {
		if listed[keyOf(old.ID)] {
			continue
		}
		if err := r.removeNetwork(old); err != nil {
			return err
		}
		r.state.remove(old.ID)
	}
	return nil
}

func (r *request) putSubnet(body Body) (*resource, error) {
	delete(body, "name")
	prefixes, _ := at(body, "properties.addressPrefixes").([]any)
	if prefix := at(body, "properties.addressPrefix"); prefix != nil {
		prefixes = append(prefixes, prefix)
	}
	if len(prefixes) == 0 {
		return nil, refused("NoAddressPrefixOrPoolProvided", "",
			"No address prefix or IpamPool has been provided for Resource %s.", r.id.text)
	}
	for _, prefix := range prefixes {
		if err := r.checkSubnetPrefix(prefix); err != nil {
			return nil, err
		}
	}
	if err := r.takeLinks(body); err != nil {
		return nil, err
	}
	if err := r.checkNatGateway(body); err != nil {
		return nil, err
	}
	if err := r.keepUsedPrefixes(body); err != nil {
		return nil, err
	}
	defaultAt(body, "properties.delegations", []any{})
	defaultAt(body, "properties.privateEndpointNetworkPolicies", "Disabled")
	defaultAt(body, "properties.privateLinkServiceNetworkPolicies", "Enabled")
	setAt(body, "properties.provisioningState", "Succeeded")
	return r.state.put(r.id, body), nil
}

// keepUsedPrefixes refuses to change a range in which addresses are in use, even to a larger one.
func (r *request) keepUsedPrefixes(body Body) error {
	old := r.state.get(r.id.text)
	if old == nil {
		return nil
	}
	now := prefixesOf(&resource{Body: body})
	for _, prefix := range prefixesOf(old) {
		if slices.Contains(now, prefix) {
			continue
		}
		for _, h := range r.state.holders() {
			if keyOf(h.subnet) == r.id.key() && prefix.Contains(h.address) {
				return refused("InUsePrefixCannotBeDeleted", "",
					"IpPrefix %s on Subnet %s has active allocations and cannot be deleted.", prefix, r.id.name())
			}
		}
	}
	return nil
}

func (r *request) checkSubnetPrefix(prefix any) error {
	desired, err := netip.ParsePrefix(fmt.Sprint(prefix))
	if err != nil {
		return badPrefix(prefix, r.id.text)
	}
	inside := slices.ContainsFunc(r.state.spacesOf(r.id.text), func(space netip.Prefix) bool {
		return isInside(desired, space)
	})
	network := nameOf(r.id.parent)
	if !inside {
		return outsideNetwork(r.id.name(), network)
	}
	for _, other := range r.state.below(r.id.parent, kindSubnet) {
		overlaps := slices.ContainsFunc(prefixesOf(other), desired.Overlaps)
		if keyOf(other.ID) != r.id.key() && overlaps {
			return refused("NetcfgSubnetRangesOverlap", "",
				"Subnet '%s' is not valid because its IP address range overlaps with that of an existing subnet in "+
					"virtual network '%s'.", r.id.name(), network)
		}
	}
	return nil
}

func badPrefix(prefix any, id string) *Error {
	return refused("InvalidAddressPrefixFormat", "",
		"Address prefix %v of resource %s is not formatted correctly. It should follow CIDR notation, for example "+
			"10.0.0.0/24.", prefix, id)
}

// removeNetwork refuses to delete a network or subnet with nodes, or with a resource that has an address there.
func (r *request) removeNetwork(found *resource) error {
	for _, h := range r.state.holders() {
		if strings.HasPrefix(keyOf(h.subnet)+"/", keyOf(found.ID)+"/") {
			return subnetInUse(nameOf(h.subnet), h.id)
		}
	}
	for _, pool := range r.state.all(kindPool) {
		for _, path := range []string{"properties.vnetSubnetID", "properties.podSubnetID"} {
			if used := textAt(pool.Body, path); strings.HasPrefix(keyOf(used)+"/", keyOf(found.ID)+"/") {
				return subnetInUse(nameOf(used), pool.ID)
			}
		}
	}
	return nil
}

func subnetInUse(name, by string) error {
	return refused("InUseSubnetCannotBeDeleted", "",
		"Subnet %s is in use by %s and cannot be deleted. In order to delete the subnet, delete all the resources "+
			"within the subnet. See aka.ms/deletesubnet.", name, by)
}

// viewNetwork adds the subnets, which have IDs of their own.
func viewNetwork(s *state, network *resource, body Body) {
	viewEtag(s, network, body)
	subnets := []any{}
	for _, subnet := range s.below(network.ID, kindSubnet) {
		one := clone(subnet.Body)
		one["id"], one["name"], one["type"] = subnet.ID, nameOf(subnet.ID), subnet.Kind
		viewSubnet(s, subnet, one)
		subnets = append(subnets, one)
	}
	setAt(body, "properties.subnets", subnets)
}

// viewSubnet adds the resources that have an address in the subnet.
func viewSubnet(s *state, subnet *resource, body Body) {
	viewEtag(s, subnet, body)
	var ids []any
	for _, h := range s.holders() {
		if keyOf(h.subnet) == keyOf(subnet.ID) {
			ids = append(ids, Body{"id": h.id})
		}
	}
	if len(ids) > 0 {
		setAt(body, "properties.ipConfigurations", ids)
	}
}

func viewEtag(_ *state, r *resource, body Body) {
	body["etag"] = fmt.Sprintf("W/%q", etagOf(r))
}

// etagOf changes with each change of the resource.
func etagOf(r *resource) string { return uuidOf("etag", keyOf(r.ID), r.Changed) }
