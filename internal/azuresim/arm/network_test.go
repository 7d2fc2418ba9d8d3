package arm

import "testing"

func networkBody() Body {
	return Body{"location": "westeurope", "properties": Body{
		"addressSpace": Body{"addressPrefixes": []any{"10.1.0.0/16"}},
		"subnets": []any{
			Body{"name": "nodes", "properties": Body{"addressPrefix": "10.1.0.0/24"}},
			Body{"name": "pods", "properties": Body{"addressPrefix": "10.1.4.0/22"}},
		},
	}}
}

func TestSubnetsAreInTheNetworkAndOnTheirOwn(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{})
	mustPut(t, cloud, networkID, networkBody())
	// As in the stack that azure-native recorded, upgrade-networked-vm.
	wantAt(t, mustGet(t, cloud, subnetID), map[string]any{
		"id": subnetID, "name": "nodes", "properties.addressPrefix": "10.1.0.0/24",
		"properties.delegations": []any{}, "properties.privateEndpointNetworkPolicies": "Disabled",
		"properties.privateLinkServiceNetworkPolicies": "Enabled",
	})
	wantAt(t, mustGet(t, cloud, networkID), map[string]any{
		"properties.enableDdosProtection": false, "properties.virtualNetworkPeerings": []any{},
		"properties.privateEndpointVNetPolicies": "Disabled",
	})
	mustPut(t, cloud, networkID+"/subnets/more", Body{"properties": Body{"addressPrefix": "10.1.9.0/24"}})
	names := func() (names []string) {
		for _, s := range at(mustGet(t, cloud, networkID), "properties.subnets").([]any) {
			names = append(names, textAt(s.(Body), "name"))
		}
		return names
	}
	if got := names(); len(got) != 3 || got[2] != "more" {
		t.Errorf("subnets %v", got)
	}
	// A list replaces all subnets. Without a list they stay.
	mustPut(t, cloud, networkID, networkBody())
	body := networkBody()
	removeAt(body, "properties.subnets")
	mustPut(t, cloud, networkID, body)
	if got := names(); len(got) != 2 {
		t.Errorf("subnets %v", got)
	}
}

func TestNetworksThatAzureRefuses(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{})
	mustPut(t, cloud, networkID, networkBody())
	mustPut(t, cloud, networkID+"/subnets/several",
		Body{"properties": Body{"addressPrefixes": []any{"10.1.2.0/24", "10.1.3.0/24"}}})
	other := networkID + "/subnets/other"
	for name, c := range map[string]struct {
		id   string
		body Body
		want *Error
	}{
		"no location": {
			networkID + "2",
			Body{},
			bad400("LocationRequired", "", "The location property is required for this definition."),
		},
		"a reserved range": {
			networkID + "2",
			located(Body{"addressSpace": Body{"addressPrefixes": []any{"169.254.0.0/17"}}}),
			bad400("ReservedAddressPrefix", "",
				"Address prefix 169.254.0.0/17 of virtual network net2 overlaps 169.254.0.0/16, which Azure reserves."),
		},
		"an address space without the ranges of subnets": {
			networkID,
			located(Body{"addressSpace": Body{"addressPrefixes": []any{"10.1.0.0/23"}}}),
			bad400("NetcfgSubnetRangeOutsideVnet", "",
				"Subnet 'pods' is not valid because its IP address range is outside the IP address range of virtual "+
					"network 'net'."),
		},
		"outside": {
			other,
			Body{"properties": Body{"addressPrefix": "10.2.0.0/24"}},
			bad400("NetcfgSubnetRangeOutsideVnet", "",
				"Subnet 'other' is not valid because its IP address range is outside the IP address range of virtual "+
					"network 'net'."),
		},
		"overlapping": {
			other,
			Body{"properties": Body{"addressPrefix": "10.1.0.128/25"}},
			bad400("NetcfgSubnetRangesOverlap", "",
				"Subnet 'other' is not valid because its IP address range overlaps with that of an existing subnet in "+
					"virtual network 'net'."),
		},
		"overlapping one of several": {
			other,
			Body{"properties": Body{"addressPrefix": "10.1.3.128/25"}},
			bad400("NetcfgSubnetRangesOverlap", "",
				"Subnet 'other' is not valid because its IP address range overlaps with that of an existing subnet in "+
					"virtual network 'net'."),
		},
		"no network": {networkID + "x/subnets/nodes", Body{"properties": Body{"addressPrefix": "10.1.0.0/24"}}, &Error{
			Status: 404, Code: "ParentResourceNotFound",
			Message: "Failed to perform 'write' on resource(s) of type 'virtualNetworks/subnets', because the parent " +
				"resource '" + networkID + "x' could not be found.",
		}},
		"a network elsewhere": {networkID, Body{"location": "northeurope"}, &Error{
			Status: 409, Code: "InvalidResourceLocation",
			Message: "The resource 'net' already exists in location 'westeurope' in resource group 'rg'. A resource " +
				"with the same name cannot be created in location 'northeurope'. Please select a new resource name.",
		}},
		"no range": {other, Body{"properties": Body{"addressPrefix": "ten"}}, badAddress("ten", other)},
		"no space": {
			networkID,
			Body{"location": "westeurope", "properties": Body{"addressSpace": Body{"addressPrefixes": []any{"ten"}}}},
			badAddress("ten", networkID),
		},
		"no address space": {
			networkID,
			Body{"location": "westeurope"},
			bad400("InvalidRequestFormat", "",
				"Cannot parse the request: the address space of the virtual network net is missing."),
		},
		"no prefix": {
			other,
			Body{"properties": Body{}},
			bad400("NoAddressPrefixOrPoolProvided", "",
				"No address prefix or IpamPool has been provided for Resource "+other+"."),
		},
		// https://github.com/daveprowse/tac-course/issues/5.
		"a Basic address": {
			groupID + "/providers/Microsoft.Network/publicIPAddresses/ip", addressOfSKU("basic"),
			bad400("IPv4BasicSkuPublicIpCountLimitReached", "", "Cannot create more than 0 IPv4 Basic SKU public IP "+
				"addresses for this subscription in this region."),
		},
		"a dynamic address": {
			groupID + "/providers/Microsoft.Network/publicIPAddresses/ip",
			Body{"location": "westeurope"},
			bad400("StandardAndStandardV2SkuPublicIPAddressesMustBeStatic", "",
				"Standard sku publicIp "+groupID+
					"/providers/Microsoft.Network/publicIPAddresses/ip must have AllocationMethod set to Static."),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := cloud.Put(t.Context(), c.id, c.body)
			wantError(t, err, c.want)
		})
	}
}

func badAddress(prefix, id string) *Error {
	return bad400("InvalidAddressPrefixFormat", "",
		"Address prefix "+prefix+" of resource "+id+
			" is not formatted correctly. It should follow CIDR notation, for example 10.0.0.0/24.")
}

func TestSubnetsWithNodesStay(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{})
	mustPut(t, cloud, networkID, networkBody())
	mustPut(t, cloud, clusterID,
		clusterBody(map[string]any{"agentPoolProfiles": firstPool(map[string]any{"vnetSubnetID": subnetID})}))
	want := bad400("InUseSubnetCannotBeDeleted", "",
		"Subnet nodes is in use by "+systemID+
			" and cannot be deleted. In order to delete the subnet, delete all the resources within the subnet. See "+
			"aka.ms/deletesubnet.")
	wantError(t, cloud.Delete(t.Context(), subnetID), want)
	wantError(t, cloud.Delete(t.Context(), networkID), want)
	mustDelete(t, cloud, networkID+"/subnets/pods")
	mustDelete(t, cloud, clusterID)
	mustDelete(t, cloud, networkID)
}

func TestAStaticAddressStays(t *testing.T) {
	t.Parallel()
	cloud, id := emptyCloud(t, Options{}), groupID+"/providers/Microsoft.Network/publicIPAddresses/ip"
	body := Body{
		"location": "westeurope", "sku": Body{"name": "Standard"},
		"properties": Body{"publicIPAllocationMethod": "Static"},
	}
	first := mustPut(t, cloud, id, body)
	wantAt(t, mustPut(t, cloud, id, body),
		map[string]any{
			"properties.ipAddress": at(first, "properties.ipAddress"), "etag": first["etag"],
			"sku.tier": "Regional",
		})
}

// From the stacks that azure-native recorded of the real Azure: upgrade-networked-vm.
func TestPublicAddressesHaveTheFieldsThatAzureAdds(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{})
	id := groupID + "/providers/Microsoft.Network/publicIPAddresses/ip"
	mustPut(t, cloud, id, addressBody())
	wantAt(t, mustGet(t, cloud, id), map[string]any{
		"sku.tier": "Regional", "properties.idleTimeoutInMinutes": 4.0, "properties.ipTags": []any{},
		"properties.ddosSettings": Body{"protectionMode": "VirtualNetworkInherited"},
	})
}

func TestImmutablePropertiesOfPublicAddresses(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{})
	id := groupID + "/providers/Microsoft.Network/publicIPAddresses/ip"
	body := func(path string, value any) Body {
		one := addressBody()
		one["zones"] = []any{"1", "2"}
		setAt(one, path, value)
		return one
	}
	mustPut(t, cloud, id, body("zones", []any{"2", "1"}))
	mustPut(t, cloud, id, body("properties.idleTimeoutInMinutes", 5))
	zones := func(is string) *Error {
		return bad400("ResourceAvailabilityZonesCannotBeModified", "", "Resource "+id+" has an existing availability "+
			"zone constraint 1, 2 and the request has availability zone constraint "+is+", which do not match. Zones "+
			"cannot be added/updated/removed once the resource is created. The resource cannot be updated from "+
			"regional to zonal or vice-versa.")
	}
	for _, c := range []struct {
		path  string
		value any
		want  *Error
	}{
		{
			"properties.publicIPAddressVersion", "IPv6",
			bad400("PropertyChangeNotAllowed", "properties.publicIPAddressVersion",
				"Changing property 'properties.publicIPAddressVersion' is not allowed."),
		},
		{
			"sku.tier", "Global",
			bad400("PropertyChangeNotAllowed", "sku.tier", "Changing property 'sku.tier' is not allowed."),
		},
		{"zones", []any{"1", "2", "3"}, zones("1, 2, 3")},
		{"zones", []any{}, zones("NoZone")},
	} {
		_, err := cloud.Put(t.Context(), id, body(c.path, c.value))
		wantError(t, err, c.want)
	}
}
