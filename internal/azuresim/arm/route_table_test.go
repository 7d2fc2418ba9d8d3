package arm

import (
	"fmt"
	"testing"
)

func routeID(name string) string { return tableID + "/routes/" + name }

func TestRoutesAreInTheTableAndOnTheirOwn(t *testing.T) {
	t.Parallel()
	cloud := wired(t)
	body := located(Body{"routes": []any{
		route("pods", "10.244.1.0/24", "VirtualAppliance", "10.1.0.4"),
		route("out", "0.0.0.0/0", "Internet", ""),
	}})
	mustPut(t, cloud, tableID, body)
	wantAt(t, mustGet(t, cloud, routeID("pods")), map[string]any{
		"id": routeID("pods"), "name": "pods", "type": kindRoute, "properties.addressPrefix": "10.244.1.0/24",
		"properties.nextHopIpAddress": "10.1.0.4", "properties.provisioningState": "Succeeded",
	})
	more := route("more", "10.244.2.0/24", "VirtualAppliance", "10.1.0.5")
	mustPut(t, cloud, routeID("more"), more)
	names := func() (names []string) {
		for _, r := range parts(mustGet(t, cloud, tableID), "routes") {
			names = append(names, textAt(r, "name"))
		}
		return names
	}
	if got := fmt.Sprint(names()); got != "[pods out more]" {
		t.Errorf("routes %s", got)
	}
	// A list replaces all routes. Without a list they stay. A prefix can move from one route to another.
	body = located(Body{"routes": []any{route("other", "10.244.1.0/24", "None", "")}})
	mustPut(t, cloud, tableID, body)
	answer := mustPut(t, cloud, tableID, located(Body{"disableBgpRoutePropagation": true}))
	if got := fmt.Sprint(names()); got != "[other]" {
		t.Errorf("routes %s", got)
	}
	wantAt(t, answer, map[string]any{"properties.disableBgpRoutePropagation": true, "properties.subnets": nil})
	if again := mustPut(t, cloud, tableID, answer); !same(again, answer) {
		t.Errorf("it was\n%v, and is\n%v", answer, again)
	}
}

func TestRoutesThatAzureRefuses(t *testing.T) {
	t.Parallel()
	table := []any{tableID, located(Body{"routes": []any{route("one", "10.244.0.0/24", "None", "")}})}
	single := func(prefix, kind, next string) Body {
		body := route("", prefix, kind, next)
		delete(body, "name")
		return body
	}
	many := []any{}
	for i := range maxRoutes {
		many = append(many, route(fmt.Sprintf("r%d", i), fmt.Sprintf("10.%d.%d.0/24", i/200, i%200), "None", ""))
	}
	two := routeID("two")
	wantRefusals(t, map[string]refusal{
		"no table": {id: two, body: single("10.0.0.0/8", "None", ""), want: &Error{
			Status: 404, Code: "ParentResourceNotFound",
			Message: "Failed to perform 'write' on resource(s) of type 'routeTables/routes', because the parent " +
				"resource '" + tableID + "' could not be found.",
		}},
		"no next hop": {
			before: table, id: two, body: Body{"properties": Body{"addressPrefix": "10.0.0.0/8"}},
			want: unreadableRequest("Required property 'nextHopType' not found in JSON. Path 'properties'."),
		},
		"another next hop": {
			before: table, id: two, body: single("10.0.0.0/8", "Nat", ""),
			want: notOf("properties.nextHopType", "Nat",
				"Internet, None, VirtualAppliance, VirtualNetworkGateway, VnetLocal"),
		},
		"no prefix": {before: table, id: two, body: single("ten", "None", ""), want: badAddress("ten", two)},
		"a prefix too long": {
			before: table, id: two, body: single("10.0.0.1/8", "None", ""),
			want: bad400("InvalidCIDRNotation", "",
				"The address prefix 10.0.0.1/8 in resource "+two+
					" has an invalid CIDR notation. For the given prefix length, the address prefix should be "+
					"10.0.0.0/8."),
		},
		"a prefix in use": {
			before: table, id: two, body: single("10.244.0.0/24", "None", ""),
			want: routeConflict("one", "two"),
		},
		"an appliance": {
			before: table, id: two, body: single("10.0.0.0/8", "VirtualAppliance", ""),
			want: bad400("InvalidNextHopIpAddress", "",
				"Route two has the next hop type VirtualAppliance and needs a next hop IP address. "+
					"Value provided: ''."),
		},
		"an appliance's name": {
			before: table, id: two, body: single("10.0.0.0/8", "VirtualAppliance", "fw"),
			want: bad400("InvalidNextHopIpAddress", "",
				"Route two has the next hop type VirtualAppliance and needs a next hop IP address. "+
					"Value provided: 'fw'."),
		},
		"no appliance": {
			before: table, id: two, body: single("10.0.0.0/8", "Internet", "10.1.0.4"),
			want: bad400("NextHopIpAddressNotAllowed", "",
				"Route two has the next hop type Internet and must not have a next hop IP address."),
		},
		"one too many": {
			before: []any{tableID, located(Body{"routes": many})}, id: two,
			body: single("11.0.0.0/8", "None", ""),
			want: bad400("RouteCountLimitReached", "", "Cannot create more than 400 routes in route table table."),
		},
		"a prefix twice": {
			id: tableID,
			body: located(Body{"routes": []any{
				route("a", "10.0.0.0/8", "None", ""),
				route("b", "10.0.0.0/8", "Internet", ""),
			}}), want: routeConflict("a", "b"),
		},
		"a name twice": {
			id: tableID,
			body: located(Body{"routes": []any{
				route("a", "10.0.0.0/8", "None", ""),
				route("A", "11.0.0.0/8", "None", ""),
			}}),
			want: unreadableRequest("Resource " + tableID + " has two child resources with the same name (A)."),
		},
		"inline, no prefix": {
			id: tableID, body: located(Body{"routes": []any{route("a", "", "None", "")}}),
			want: badAddress("", routeID("a")),
		},
		"no location": {
			id: tableID, body: Body{},
			want: bad400("LocationRequired", "", "The location property is required for this definition."),
		},
	})
}

func routeConflict(one, other string) *Error {
	return bad400("RouteConflict", "",
		"Route: "+one+" conflicts with Route: "+other+". Routes cannot have the same AddressPrefix.")
}

func TestATableOrAGatewayInUseStays(t *testing.T) {
	t.Parallel()
	cloud := wired(t)
	putAll(t, cloud, tableID, located(Body{}), addressID, addressBody(), natID, natBody(addressID),
		subnetID, Body{"properties": Body{
			"addressPrefix": "10.1.0.0/24", "routeTable": ref(tableID),
			"natGateway": ref(natID),
		}})
	for _, id := range []string{tableID, natID} {
		wantAt(t, mustGet(t, cloud, id), map[string]any{"properties.subnets": refs(subnetID)})
	}
	wantError(t, cloud.Delete(t.Context(), tableID),
		bad400("InUseRouteTableCannotBeDeleted", "", "Route table table is in use and cannot be deleted."))
	wantError(t, cloud.Delete(t.Context(), natID),
		bad400("CannotDeleteNatGatewayAssociatedToSubnet", "",
			"NAT Gateway "+natID+" is still configured on 1 subnets. Remove NAT Gateway from all referenced subnets "+
				"and then delete NAT Gateway."))
	mustPut(t, cloud, subnetID, Body{"properties": Body{"addressPrefix": "10.1.0.0/24"}})
	mustDelete(t, cloud, tableID)
	mustDelete(t, cloud, natID)
	mustDelete(t, cloud, addressID)
}

// inZones adds zones to a body.
func inZones(body Body, zones ...any) Body {
	body["zones"] = zones
	return body
}

func TestSubnetsAndGatewaysThatAzureRefuses(t *testing.T) {
	t.Parallel()
	const other = inNetworkProvider + "virtualNetworks/other"
	subnet := func(name, to string) Body {
		return Body{"properties": Body{"addressPrefix": "10.1.0.0/24", name: ref(to)}}
	}
	wantRefusals(t, map[string]refusal{
		"no group": {
			id: subnetID, body: subnet("networkSecurityGroup", groupNSGID),
			want: dangling(groupNSGID, subnetID, "properties.networkSecurityGroup"),
		},
		"no table": {
			id: subnetID, body: subnet("routeTable", tableID),
			want: dangling(tableID, subnetID, "properties.routeTable"),
		},
		"no gateway": {
			id: subnetID, body: subnet("natGateway", natID),
			want: dangling(natID, subnetID, "properties.natGateway"),
		},
		"a gateway in two zones": {
			before: []any{addressID, addressBody()}, id: natID, body: inZones(natBody(addressID), "1", "2"),
			want: bad400("ResourceNotSupportZones", "zones", "NAT gateway "+natID+" can have at most one zone."),
		},
		"a table elsewhere": {
			before: []any{tableID, Body{"location": "northeurope"}}, id: subnetID,
			body: subnet("routeTable", tableID), want: dangling(tableID, subnetID, "properties.routeTable"),
		},
		"a group in the network's list": {id: networkID, body: located(Body{
			"addressSpace": Body{"addressPrefixes": []any{"10.1.0.0/16"}},
			"subnets": []any{Body{
				"name":       "nodes",
				"properties": subnet("networkSecurityGroup", groupNSGID)["properties"],
			}},
		}), want: dangling(groupNSGID, subnetID, "properties.networkSecurityGroup")},
		"a gateway of another network": {
			before: []any{
				natID, natBody(), subnetID, subnet("natGateway", natID), other,
				located(Body{"addressSpace": Body{"addressPrefixes": []any{"10.1.0.0/16"}}}),
			},
			id: other + "/subnets/s", body: subnet("natGateway", natID),
			want: bad400("NatGatewayCannotBeUsedBySubnetsBelongingToDifferentVirtualNetworks", "",
				"NAT gateway "+natID+" cannot be used by subnet "+other+"/subnets/s: it is used by subnet "+subnetID+
					" of another virtual network."),
		},
		"a gateway without SKU": {
			id: natID, body: located(Body{}),
			want: bad400("InvalidNatGatewaySku", "sku.name",
				"NAT gateway "+natID+" must have the SKU Standard or StandardV2. Value provided: ''."),
		},
		"a gateway's idle time": {
			id: natID, body: Body{
				"location": "westeurope", "sku": Body{"name": "Standard"},
				"properties": Body{"idleTimeoutInMinutes": 3},
			},
			want: bad400("InvalidParameter", "idleTimeoutInMinutes",
				"The value of idleTimeoutInMinutes of "+natID+" is 3. It must be between 4 and 120."),
		},
		"a gateway's address": {
			id: natID, body: natBody(addressID),
			want: dangling(addressID, natID, "properties.publicIpAddresses[0]"),
		},
		"a gateway's address of another SKU": {
			before: []any{addressID, addressOfSKU("StandardV2")}, id: natID, body: natBody(addressID),
			want: bad400("NatGatewayPublicIpAddressMustBeStandard", "",
				"NAT gateway "+natID+" cannot use public IP address "+addressID+": it must have the SKU Standard."),
		},
		"an address of the SKU Standard": {
			before: []any{addressID, addressBody()}, id: natID, body: natOfV2(addressID),
			want: bad400("NatGatewayPublicIpAddressMustBeStandard", "",
				"NAT gateway "+natID+" cannot use public IP address "+addressID+": it must have the SKU StandardV2."),
		},
		"a gateway's address in use": {
			before: []any{addressID, addressBody(), natID + "2", natBody(addressID)},
			id:     natID, body: natBody(addressID), want: addressInUse(natID, addressID, natID+"2"),
		},
		"an address twice": {
			before: []any{addressID, addressBody()}, id: natID,
			body: natBody(addressID, addressID), want: addressInUse(natID, addressID, natID),
		},
	})
}

func TestAGatewayOfStandardV2(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{})
	mustPut(t, cloud, addressID, addressOfSKU("StandardV2"))
	wantAt(t, mustPut(t, cloud, natID, natOfV2(addressID)), map[string]any{"sku.name": "StandardV2"})
}

func TestAPublicAddressInUseStays(t *testing.T) {
	t.Parallel()
	cloud := wired(t)
	putAll(t, cloud, addressID, addressBody())
	for name, user := range map[string]struct {
		id, by, shown string
		body          Body
	}{
		"network interface": {
			nicID, nicID + "/ipConfigurations/main", "ipConfiguration",
			nicBody(map[string]any{"publicIPAddress": ref(addressID)}),
		},
		"load balancer": {balancerID, frontID, "ipConfiguration", publicBody(nil)},
		"NAT gateway":   {natID, natID, "natGateway", natBody(addressID)},
	} {
		t.Log(name)
		mustPut(t, cloud, user.id, user.body)
		mustPut(t, cloud, user.id, user.body)
		wantAt(t, mustGet(t, cloud, addressID), map[string]any{"properties." + user.shown: ref(user.by)})
		wantError(t, cloud.Delete(t.Context(), addressID),
			bad400("PublicIPAddressCannotBeDeleted", "",
				"Public IP address "+addressID+" can not be deleted since it is still allocated to resource "+user.by+
					". In order to delete the public IP, disassociate/detach the Public IP address from the "+
					"resource.  To "+
					"learn how to do this, see aka.ms/deletepublicip."))
		mustDelete(t, cloud, user.id)
	}
	mustDelete(t, cloud, addressID)
}

func TestPublicAddressesAreUniqueUntilExhausted(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{})
	r := &request{cloud: cloud, state: &state{Resources: map[string]*resource{}}}
	seen := map[string]bool{}
	for i := range 254 {
		r.id, _ = parseID(fmt.Sprintf("%s%d", addressID, i))
		address, err := r.freePublicAddress()
		if err != nil || seen[address] {
			t.Fatalf("address %d is %s: %v", i, address, err)
		}
		seen[address] = true
		// The serials of other resources are in between.
		r.state.put(r.id, Body{"properties": Body{"ipAddress": address}})
		r.state.Serial += i % 7
	}
	r.id, _ = parseID(addressID)
	_, err := r.freePublicAddress()
	wantError(t, err, bad400("PublicIPCountLimitReached", "",
		"Cannot create more than 254 public IP addresses for this subscription in this region."))
}
