package arm

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// link is a property with which bodies of a kind refer to another resource: an object whose ID alone is used.
type link struct {
	// list is the list of parts that have it, empty for the resource itself.
	list string
	// name is the name of the property, or the path to it. many is true if the property is a list.
	name string
	many bool
	// kind is the type of the other resource.
	kind string
}

// The parts that can be referred to, and types that the cloud does not have.
const (
	kindFrontend       = kindLoadBalancer + "/frontendIPConfigurations"
	kindBackendPool    = kindLoadBalancer + "/backendAddressPools"
	kindProbe          = kindLoadBalancer + "/probes"
	kindInboundNatRule = kindLoadBalancer + "/inboundNatRules"

	kindAppGroup      = "Microsoft.Network/applicationSecurityGroups"
	kindAddressPrefix = "Microsoft.Network/publicIPPrefixes"
	kindPrivateLink   = "Microsoft.Network/privateLinkServices"
	kindTap           = "Microsoft.Network/virtualNetworkTaps"
	kindGatewayPool   = "Microsoft.Network/applicationGateways/backendAddressPools"
)

var links = map[string][]link{
	kindSubnet: {
		{name: "networkSecurityGroup", kind: kindSecurityGroup},
		{name: "routeTable", kind: kindRouteTable},
		{name: "natGateway", kind: kindNatGateway},
	},
	kindNIC: {
		{name: "networkSecurityGroup", kind: kindSecurityGroup},
		{name: "privateLinkService", kind: kindPrivateLink},
		{list: "ipConfigurations", name: "subnet", kind: kindSubnet},
		{list: "ipConfigurations", name: "publicIPAddress", kind: kindAddress},
		{list: "ipConfigurations", name: "loadBalancerBackendAddressPools", many: true, kind: kindBackendPool},
		{list: "ipConfigurations", name: "loadBalancerInboundNatRules", many: true, kind: kindInboundNatRule},
		{list: "ipConfigurations", name: "applicationSecurityGroups", many: true, kind: kindAppGroup},
		{list: "ipConfigurations", name: "applicationGatewayBackendAddressPools", many: true, kind: kindGatewayPool},
		{list: "ipConfigurations", name: "gatewayLoadBalancer", kind: kindFrontend},
		{list: "ipConfigurations", name: "virtualNetworkTaps", many: true, kind: kindTap},
	},
	kindSecurityGroup: {
		{list: "securityRules", name: "sourceApplicationSecurityGroups", many: true, kind: kindAppGroup},
		{list: "securityRules", name: "destinationApplicationSecurityGroups", many: true, kind: kindAppGroup},
	},
	kindNatGateway: {
		{name: "publicIpAddresses", many: true, kind: kindAddress},
		{name: "publicIpAddressesV6", many: true, kind: kindAddress},
		{name: "publicIpPrefixes", many: true, kind: kindAddressPrefix},
		{name: "publicIpPrefixesV6", many: true, kind: kindAddressPrefix},
		{name: "sourceVirtualNetwork", kind: kindNetwork},
	},
	kindLoadBalancer: {
		{list: "frontendIPConfigurations", name: "subnet", kind: kindSubnet},
		{list: "frontendIPConfigurations", name: "publicIPAddress", kind: kindAddress},
		{list: "frontendIPConfigurations", name: "publicIPPrefix", kind: kindAddressPrefix},
		{list: "frontendIPConfigurations", name: "gatewayLoadBalancer", kind: kindFrontend},
		{list: "backendAddressPools", name: "virtualNetwork", kind: kindNetwork},
		{list: "loadBalancingRules", name: "frontendIPConfiguration", kind: kindFrontend},
		{list: "loadBalancingRules", name: "backendAddressPool", kind: kindBackendPool},
		{list: "loadBalancingRules", name: "backendAddressPools", many: true, kind: kindBackendPool},
		{list: "loadBalancingRules", name: "probe", kind: kindProbe},
		{list: "outboundRules", name: "frontendIPConfigurations", many: true, kind: kindFrontend},
		{list: "outboundRules", name: "backendAddressPool", kind: kindBackendPool},
		{list: "inboundNatRules", name: "frontendIPConfiguration", kind: kindFrontend},
		{list: "inboundNatRules", name: "backendAddressPool", kind: kindBackendPool},
		{list: "inboundNatPools", name: "frontendIPConfiguration", kind: kindFrontend},
	},
	kindMachine: {
		{name: "networkProfile.networkInterfaces", many: true, kind: kindNIC},
		{name: "virtualMachineScaleSet", kind: kindScaleSet},
	},
}

// reference is a reference from a resource, or from a part of one, to another.
type reference struct {
	by, to string
	// kind is the required type of to, and path is the place in the body.
	kind, path string
}

// visitLinks calls visit with each object of a body that refers to another resource.
func visitLinks(id, kind string, body Body, visit func(by, path string, l link, object any)) {
	for _, l := range links[kind] {
		owners, paths := []Body{body}, []string{"properties." + l.name}
		ids := []string{id}
		if l.list != "" {
			owners, paths, ids = parts(body, l.list), nil, nil
			for i, part := range owners {
				paths = append(paths, fmt.Sprintf("properties.%s[%d].properties.%s", l.list, i, l.name))
				ids = append(ids, partID(id, l.list, part))
			}
		}
		for i, owner := range owners {
			value := at(owner, "properties."+l.name)
			if list, ok := value.([]any); ok && l.many {
				for j, object := range list {
					visit(ids[i], fmt.Sprintf("%s[%d]", paths[i], j), l, object)
				}
			} else if value != nil {
				visit(ids[i], paths[i], l, value)
			}
		}
	}
}

// references returns the references in the body of an existing resource or of a request.
func references(id, kind string, body Body) []reference {
	var found []reference
	visitLinks(id, kind, body, func(by, path string, l link, object any) {
		named, _ := object.(Body)
		found = append(found, reference{by: by, to: textAt(named, "id"), kind: l.kind, path: path})
	})
	return found
}

// takeLinks checks the references in a body, and removes everything from them except the ID.
func (r *request) takeLinks(body Body) error {
	visitLinks(r.id.text, r.id.kind, body, func(_, _ string, _ link, object any) {
		if named, ok := object.(Body); ok {
			for key := range named {
				if key != "id" {
					delete(named, key)
				}
			}
		}
	})
	refs := references(r.id.text, r.id.kind, body)
	for _, ref := range refs {
		if err := r.checkLink(ref, body); err != nil {
			return err
		}
	}
	return r.checkAddressUse(refs)
}

func (r *request) checkLink(ref reference, body Body) error {
	if ref.to == "" {
		return badFormat("Value for reference id is missing. Path %s.", ref.path)
	}
	if !strings.HasPrefix(strings.ToLower(ref.to), "/subscriptions/") {
		return refused("LinkedInvalidPropertyId", ref.path,
			"Property id '%s' at path '%s.id' is invalid. Expect fully qualified resource Id that start with "+
				"'/subscriptions/{subscriptionId}' or '/providers/{resourceProviderNamespace}/'.", ref.to, ref.path)
	}
	if !strings.EqualFold(typeOf(ref.to), ref.kind) {
		return badFormat(
			"Reference Id %s is referencing resource of a wrong type. The Id is expected to reference resources of "+
				"types %s. Path %s.", ref.to, ref.kind, ref.path,
		)
	}
	by := ref.by
	if keyOf(ownerOf(ref.to)) == r.id.key() {
		// The reference is to a part of the same resource: the parts of the new body count, not the old ones.
		own := &state{Resources: map[string]*resource{r.id.key(): {Body: body}}}
		if own.part(ref.to) != nil {
			return nil
		}
	} else {
		by = r.id.text
		if exists := r.state.get(ref.to) != nil || r.state.part(ref.to) != nil; exists &&
			r.state.location(ref.to) == r.location(body) {
			return nil
		}
	}
	return notReferenced(ref.path, ref.to, by)
}

func notReferenced(target, reference, by string) *Error {
	return refused("InvalidResourceReference", target,
		"Resource %s referenced by resource %s was not found. Please make sure that the referenced resource exists, "+
			"and that both resources are in the same region.", reference, by)
}

// location returns the location of the request's resource. A part has the location of its parent.
func (r *request) location(body Body) string {
	if location := textAt(body, "location"); location != "" {
		return location
	}
	return r.state.location(r.id.parent)
}

// location returns the location of a resource, or of the resource that it is a part of.
func (s *state) location(id string) string {
	for ; id != ""; id = ownerOf(id) {
		if found := s.get(id); found != nil {
			if location := textAt(found.Body, "location"); location != "" {
				return location
			}
		}
	}
	return ""
}

// typeOf returns the type that an ID contains, whether the cloud has it or not.
func typeOf(id string) string {
	segments := strings.Split(id, "/")
	at := len(segments) - 1
	for at >= 0 && !strings.EqualFold(segments[at], "providers") {
		at--
	}
	if at < 0 || at+1 >= len(segments) {
		return ""
	}
	types := []string{segments[at+1]}
	for i := at + 2; i < len(segments); i += 2 {
		types = append(types, segments[i])
	}
	return strings.Join(types, "/")
}

// users returns the references to a resource or to a part of one, in the order of their creation.
func (s *state) users(id string) []reference {
	var found []reference
	for _, r := range s.all(slices.Collect(maps.Keys(links))...) {
		for _, ref := range references(r.ID, r.Kind, r.Body) {
			if keyOf(ref.to) == keyOf(id) {
				found = append(found, ref)
			}
		}
	}
	return found
}

// usersOf returns the IDs of the users, once each, as objects of the API.
func usersOf(refs []reference) []any {
	var ids []any
	seen := map[string]bool{}
	for _, ref := range refs {
		if !seen[keyOf(ref.by)] {
			seen[keyOf(ref.by)] = true
			ids = append(ids, Body{"id": ref.by})
		}
	}
	return ids
}

// showUsers adds a list of the users whose ID has a type.
func (s *state) showUsers(body Body, path, id, kind string) {
	refs := slices.DeleteFunc(s.users(id), func(ref reference) bool { return !strings.EqualFold(typeOf(ref.by), kind) })
	if ids := usersOf(refs); len(ids) > 0 {
		setAt(body, path, ids)
	}
}
