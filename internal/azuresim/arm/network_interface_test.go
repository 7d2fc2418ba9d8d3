package arm

import (
	"fmt"
	"strings"
	"testing"
)

func TestNetworkInterfacesHaveTheFieldsThatAzureAdds(t *testing.T) {
	t.Parallel()
	cloud := wired(t)
	putAll(t, cloud, groupNSGID, groupBody(), balancerID, balancerBody(nil))
	body := nicBody(map[string]any{
		"loadBalancerBackendAddressPools": refs(poolID),
		"subnet":                          Body{"id": subnetID, "properties": Body{"addressPrefix": "10.9.0.0/24"}},
	})
	setAt(body, "properties.networkSecurityGroup", ref(groupNSGID))
	answer := mustPut(t, cloud, nicID, body)
	wantAt(t, answer, map[string]any{
		"id": nicID, "name": "nic", "type": kindNIC, "properties.provisioningState": "Succeeded",
		"properties.enableIPForwarding":   false,
		"properties.networkSecurityGroup": ref(groupNSGID), "properties.virtualMachine": nil,
		"properties.macAddress": nil,
		// As in the stack that azure-native recorded, upgrade-networked-vm.
		"properties.auxiliaryMode": "None", "properties.auxiliarySku": "None", "properties.nicType": "Standard",
		"properties.hostedWorkloads": []any{}, "properties.tapConfigurations": []any{},
		"properties.vnetEncryptionSupported": false, "properties.dnsSettings.appliedDnsServers": []any{},
	})
	if domain := textAt(answer, "properties.dnsSettings.internalDomainNameSuffix"); !strings.HasSuffix(domain,
		".internal.cloudapp.net") {
		t.Errorf("the domain is %s", domain)
	}
	if at(answer, "etag") == nil || at(answer, "properties.resourceGuid") == nil {
		t.Errorf("no etag or GUID: %v", answer)
	}
	wantAt(t, parts(answer, nicConfigurations)[0], map[string]any{
		"id": nicID + "/ipConfigurations/main", "type": kindNIC + "/ipConfigurations", "etag": answer["etag"],
		"properties.provisioningState": "Succeeded", "properties.primary": true,
		"properties.privateIPAddress":          "10.1.0.5",
		"properties.privateIPAllocationMethod": "Dynamic", "properties.privateIPAddressVersion": "IPv4",
		"properties.subnet":                          ref(subnetID),
		"properties.loadBalancerBackendAddressPools": refs(poolID),
	})
	// The resources that it refers to show it.
	wantAt(t, mustGet(t, cloud, groupNSGID),
		map[string]any{"properties.networkInterfaces": refs(nicID), "properties.subnets": nil})
	wantAt(t, mustGet(t, cloud, subnetID),
		map[string]any{"properties.ipConfigurations": refs(frontID, nicID+"/ipConfigurations/main")})
	wantAt(t, parts(mustGet(t, cloud, balancerID), backendPools)[0],
		map[string]any{"properties.backendIPConfigurations": refs(nicID + "/ipConfigurations/main")})
	// A body from GET can be sent with PUT.
	if again := mustPut(t, cloud, nicID, answer); !same(again, answer) {
		t.Errorf("it was\n%v, and is\n%v", answer, again)
	}
}

func TestAddressesAreTheLowestFreeOnesAndStable(t *testing.T) {
	t.Parallel()
	cloud := wired(t)
	// address is the address that a network interface gets in a subnet of eight, of which Azure reserves five.
	const subnet = networkID + "/subnets/small"
	mustPut(t, cloud, subnet, Body{"properties": Body{"addressPrefix": "10.1.8.0/29"}})
	address := func(name string, change map[string]any) string {
		t.Helper()
		body := nicBody(change)
		setAt(parts(body, nicConfigurations)[0], "properties.subnet", ref(subnet))
		answer := mustPut(t, cloud, inNetworkProvider+"networkInterfaces/"+name, body)
		return textAt(parts(answer, nicConfigurations)[0], "properties.privateIPAddress")
	}
	static := func(address string) map[string]any {
		return map[string]any{"privateIPAllocationMethod": "Static", "privateIPAddress": address}
	}
	for _, step := range []struct {
		name   string
		change map[string]any
		want   string
	}{
		{"a", static("10.1.8.5"), "10.1.8.5"},
		{"b", nil, "10.1.8.4"},
		{"c", nil, "10.1.8.6"},
		{"b", nil, "10.1.8.4"},
		{"b", map[string]any{"privateIPAllocationMethod": "Static"}, "10.1.8.4"},
		{"a", map[string]any{"privateIPAllocationMethod": "Dynamic"}, "10.1.8.5"},
		// Azure chooses the address of a dynamic configuration.
		{"c", map[string]any{"privateIPAddress": "10.1.8.4"}, "10.1.8.6"},
	} {
		if got := address(step.name, step.change); got != step.want {
			t.Errorf("%s has %s, want %s", step.name, got, step.want)
		}
	}
	body := nicBody(map[string]any{"subnet": ref(subnet)})
	_, err := cloud.Put(t.Context(), nicID, body)
	wantError(t, err, bad400("SubnetIsFull", "",
		"Subnet small with address prefix 10.1.8.0/29 does not have enough capacity for 1 IP addresses."))
	mustDelete(t, cloud, inNetworkProvider+"networkInterfaces/b")
	if got := address("d", nil); got != "10.1.8.4" {
		t.Errorf("d has %s", got)
	}
}

func TestNetworkInterfacesThatAzureRefuses(t *testing.T) {
	t.Parallel()
	const (
		main    = nicID + "/ipConfigurations/main"
		prefix  = "properties.ipConfigurations[0].properties."
		other   = inNetworkProvider + "virtualNetworks/other"
		second  = inNetworkProvider + "loadBalancers/second"
		nothing = inNetworkProvider + "networkSecurityGroups/nothing"
	)
	static := func(address string) Body {
		return nicBody(map[string]any{"privateIPAllocationMethod": "Static", "privateIPAddress": address})
	}
	withGroup := func(id string) Body {
		body := nicBody(nil)
		setAt(body, "properties.networkSecurityGroup", ref(id))
		return body
	}
	two := func(change map[string]any) Body {
		more := configuration(change)
		more["name"] = "more"
		return located(Body{"ipConfigurations": []any{configuration(map[string]any{"primary": true}), more}})
	}
	otherNetwork := []any{other, otherNetworkBody()}
	secondBalancer := balancerBody(map[string]any{"loadBalancingRules": nil, "probes": nil})
	outbound := []any{addressID, addressBody(), balancerID, publicBody(map[string]any{
		"loadBalancingRules": nil,
		"outboundRules": []any{Body{"name": "out", "properties": Body{
			"protocol": "All", "backendAddressPool": ref(poolID), "frontendIPConfigurations": refs(frontID),
		}}},
	})}
	wantRefusals(t, map[string]refusal{
		"no location": {
			id: nicID, body: Body{"properties": Body{}},
			want: bad400("LocationRequired", "", "The location property is required for this definition."),
		},
		"no configuration": {
			id: nicID, body: located(Body{}),
			want: bad400("NetworkInterfaceMustHaveIpConfigurationOrAttachedElasticNetworkInterface", "",
				"Network interface "+nicID+
					" must have at least one IP configuration or an attached elastic network interface."),
		},
		"a configuration without a name": {
			id: nicID, body: located(Body{"ipConfigurations": []any{Body{}}}),
			want: unreadableRequest(
				"Required property 'name' not found in JSON. Path 'properties.ipConfigurations[0]'.",
			),
		},
		"two with the same name": {
			id: nicID, body: located(Body{"ipConfigurations": []any{configuration(nil), Body{"name": "Main"}}}),
			want: unreadableRequest("Resource " + nicID + " has two child resources with the same name (Main)."),
		},
		"no subnet": {
			id: nicID, body: nicBody(map[string]any{"subnet": nil}),
			want: bad400("SubnetIsRequired", "", "Subnet reference is required for ipconfiguration "+main+"."),
		},
		"a missing subnet": {
			id: nicID, body: nicBody(map[string]any{"subnet": ref(networkID + "/subnets/x")}),
			want: dangling(networkID+"/subnets/x", nicID, prefix+"subnet"),
		},
		"a missing group": {
			id: nicID, body: withGroup(nothing),
			want: dangling(nothing, nicID, "properties.networkSecurityGroup"),
		},
		"a group elsewhere": {
			before: []any{groupNSGID, Body{"location": "northeurope"}}, id: nicID, body: withGroup(groupNSGID),
			want: dangling(groupNSGID, nicID, "properties.networkSecurityGroup"),
		},
		"a missing pool": {
			before: []any{balancerID, balancerBody(nil)}, id: nicID,
			body: nicBody(map[string]any{"loadBalancerBackendAddressPools": refs(poolID + "2")}),
			want: dangling(poolID+"2", nicID, prefix+"loadBalancerBackendAddressPools[0]"),
		},
		"an application security group": {
			id: nicID, body: nicBody(map[string]any{"applicationSecurityGroups": refs(inNetworkProvider +
				"applicationSecurityGroups/a")}),
			want: dangling(inNetworkProvider+"applicationSecurityGroups/a", nicID,
				prefix+"applicationSecurityGroups[0]"),
		},
		"a name for an ID": {
			id: nicID, body: nicBody(map[string]any{"subnet": ref("nodes")}),
			want: bad400("LinkedInvalidPropertyId", prefix+"subnet",
				"Property id 'nodes' at path '"+prefix+
					"subnet.id' is invalid. Expect fully qualified resource Id that start with "+
					"'/subscriptions/{subscriptionId}' or '/providers/{resourceProviderNamespace}/'."),
		},
		"a reference without an ID": {
			id: nicID, body: nicBody(map[string]any{"loadBalancerBackendAddressPools": []any{Body{}}}),
			want: unreadableRequest("Value for reference id is missing. Path " + prefix +
				"loadBalancerBackendAddressPools[0]."),
		},
		"a network for a subnet": {
			id: nicID, body: nicBody(map[string]any{"subnet": ref(networkID)}),
			want: unreadableRequest(
				"Reference Id " + networkID +
					" is referencing resource of a wrong type. The Id is expected to reference resources of types " +
					"Microsoft.Network/virtualNetworks/subnets. Path " + prefix + "subnet."),
		},
		"two primaries": {
			id: nicID, body: two(map[string]any{"primary": true}),
			want: bad400("NetworkInterfaceMustHaveOnePrimaryIpConfiguration", "",
				"Network interface "+nicID+" must have exactly one primary IP configuration. It has 2."),
		},
		"two networks": {
			before: otherNetwork, id: nicID,
			body: two(map[string]any{"subnet": ref(other + "/subnets/s")}), want: bad400("SubnetsNotInSameVnet", "",
				"The subnets of the IP configurations of network interface "+nicID+
					" are not in the same virtual network."),
		},
		"not primary": {
			id: nicID, body: nicBody(map[string]any{"primary": false}),
			want: bad400("NetworkInterfaceMustHaveOnePrimaryIpConfiguration", "",
				"Network interface "+nicID+" must have exactly one primary IP configuration. It has 0."),
		},
		"no address": {
			id: nicID, body: static("10.1.0"),
			want: bad400("InvalidIPAddress", "", "The private IP address '10.1.0' of "+main+" is invalid."),
		},
		"static, without an address": {
			id: nicID, body: nicBody(map[string]any{"privateIPAllocationMethod": "Static"}),
			want: bad400("StaticPrivateIPAddressRequired", "",
				"The IP configuration "+main+" has the allocation method Static and no private IP address."),
		},
		"outside of the subnet": {id: nicID, body: static("10.1.4.9"), want: bad400("PrivateIPAddressNotInSubnet", "",
			"Private static IP address 10.1.4.9 does not belong to the range of subnet prefix 10.1.0.0/24.")},
		"Azure's first":  {id: nicID, body: static("10.1.0.0"), want: reserved("10.1.0.0")},
		"Azure's fourth": {id: nicID, body: static("10.1.0.3"), want: reserved("10.1.0.3")},
		"Azure's last":   {id: nicID, body: static("10.1.0.255"), want: reserved("10.1.0.255")},
		"an address in use": {
			before: []any{nic2ID, nicBody(nil)}, id: nicID, body: static("10.1.0.4"),
			want: bad400("PrivateIPAddressIsAllocated", "",
				"IP configuration "+main+
					" is using the private IP address 10.1.0.4 which is already allocated to resource "+nic2ID+
					"/ipConfigurations/main."),
		},
		"a load balancer's address": {
			before: []any{balancerID, balancerBody(nil)}, id: nicID, body: static("10.1.0.4"),
			want: bad400("PrivateIPAddressIsAllocated", "",
				"IP configuration "+main+
					" is using the private IP address 10.1.0.4 which is already allocated to resource "+frontID+"."),
		},
		"the same address twice": {id: nicID, body: located(Body{"ipConfigurations": []any{
			configuration(map[string]any{
				"primary": true, "privateIPAllocationMethod": "Static",
				"privateIPAddress": "10.1.0.9",
			}),
			Body{
				"name": "more",
				"properties": Body{
					"subnet": ref(subnetID), "privateIPAllocationMethod": "Static",
					"privateIPAddress": "10.1.0.9",
				},
			},
		}}), want: bad400("PrivateIPAddressIsAllocated", "",
			"IP configuration "+nicID+
				"/ipConfigurations/more is using the private IP address 10.1.0.9 which is already allocated to "+
				"resource "+main+".")},
		"a public address in use": {
			before: []any{addressID, addressBody(), nic2ID, nicBody(map[string]any{"publicIPAddress": ref(addressID)})},
			id:     nicID,
			body:   nicBody(map[string]any{"publicIPAddress": ref(addressID)}),
			want:   addressInUse(main, addressID, nic2ID+"/ipConfigurations/main"),
		},
		"behind two internal load balancers": {
			before: []any{balancerID, balancerBody(nil), second, secondBalancer}, id: nicID,
			body: nicBody(map[string]any{"loadBalancerBackendAddressPools": refs(poolID,
				second+"/backendAddressPools/pool")}),
			want: bad400("AnotherInternalLoadBalancerExists", "",
				"Network interface "+nicID+" uses more than one internal load balancer: "+balancerID+", "+second+"."),
		},
		"behind a load balancer of another network": {
			before: append(otherNetwork, balancerID, balancerBody(nil)), id: nicID,
			body: nicBody(map[string]any{
				"subnet":                          ref(other + "/subnets/s"),
				"loadBalancerBackendAddressPools": refs(poolID),
			}),
			want: bad400("NetworkInterfaceAndInternalLoadBalancerMustUseSameVnet", "",
				"Network interface "+nicID+" and internal load balancer "+balancerID+
					" must use the same virtual network."),
		},
		"a public address and an outbound rule": {
			before: append(outbound, addressID+"2", addressBody()), id: nicID,
			body: nicBody(map[string]any{
				"publicIPAddress":                 ref(addressID + "2"),
				"loadBalancerBackendAddressPools": refs(poolID),
			}),
			want: bad400("NicWithPublicIpCannotReferencePoolWithOutboundRule", "",
				"Network interface "+nicID+" has a public IP address and cannot use the backend address pool "+poolID+
					", which has an outbound rule."),
		},
		"a secondary one and an outbound rule": {
			before: outbound, id: nicID, body: two(map[string]any{"loadBalancerBackendAddressPools": refs(poolID)}),
			want: bad400("OutboundRuleCannotBeUsedWithBackendAddressPoolThatIsReferencedBySecondaryIpConfigs", "",
				"The backend address pool "+poolID+
					" has an outbound rule and cannot be used by the secondary IP configuration "+nicID+
					"/ipConfigurations/more."),
		},
	})
}

func reserved(address string) *Error {
	return bad400("PrivateIPAddressInReservedRange", "",
		"Private static IP address "+address+" falls within reserved IP range of subnet prefix 10.1.0.0/24.")
}

func TestANetworkInterfaceOfAMachineStays(t *testing.T) {
	t.Parallel()
	cloud := machineRoom(t, Options{})
	unused := map[string]any{"properties.virtualMachine": nil, "properties.primary": nil, "properties.macAddress": nil}
	free := map[string]Body{nicID: mustGet(t, cloud, nicID), nic2ID: mustGet(t, cloud, nic2ID)}
	wantAt(t, free[nicID], unused)
	both := func(option string) Body {
		return linuxMachine(map[string]any{"properties.networkProfile.networkInterfaces": []any{
			Body{"id": strings.ToUpper(nicID), "properties": Body{"deleteOption": option}},
			Body{"id": nic2ID, "properties": Body{"primary": true}},
		}})
	}
	mustPut(t, cloud, vmID, both("Detach"))
	for id, primary := range map[string]bool{nicID: false, nic2ID: true} {
		used := mustGet(t, cloud, id)
		wantAt(t, used, map[string]any{"properties.virtualMachine": Body{"id": vmID}, "properties.primary": primary})
		if at(used, "properties.macAddress") == nil {
			t.Error("it has no MAC address")
		}
		if same(used["etag"], free[id]["etag"]) {
			t.Error("it is another one with the same etag")
		}
		wantError(t, cloud.Delete(t.Context(), id),
			bad400("NicInUse", "",
				"Network Interface "+id+" is used by existing resource "+vmID+
					". In order to delete the network interface, it must be dissociated from the resource. To learn "+
					"more, see aka.ms/deletenic."))
		if again := mustPut(t, cloud, id, nicBody(nil)); !same(used, again) {
			t.Errorf("the same again changes\n%v to\n%v", used, again)
		}
	}
	mustDelete(t, cloud, vmID)
	left := mustGet(t, cloud, nicID)
	wantAt(t, left, unused)
	if same(left["etag"], free[nicID]["etag"]) {
		t.Error("the etag is an old one")
	}
	mustPut(t, cloud, otherVMID, both("Delete"))
	mustDelete(t, cloud, otherVMID)
	if _, err := cloud.Get(t.Context(), nicID); err == nil {
		t.Error("it is not deleted with its machine")
	}
	mustDelete(t, cloud, nic2ID)
}

func TestSubnetsOfAddressesCannotChange(t *testing.T) {
	t.Parallel()
	for name, user := range map[string]struct {
		id, part string
		body     Body
	}{
		"network interface": {nicID, nicID + "/ipConfigurations/main", nicBody(nil)},
		"load balancer":     {balancerID, frontID, balancerBody(nil)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud := wired(t)
			mustPut(t, cloud, user.id, user.body)
			inUse := bad400("InUseSubnetCannotBeDeleted", "",
				fmt.Sprintf(
					"Subnet nodes is in use by %s and cannot be deleted. In order to delete the subnet, delete all "+
						"the resources within the subnet. See aka.ms/deletesubnet.", user.part,
				))
			wantError(t, cloud.Delete(t.Context(), subnetID), inUse)
			wantError(t, cloud.Delete(t.Context(), networkID), inUse)
			body := networkBody()
			setAt(body, "properties.subnets", []any{})
			_, err := cloud.Put(t.Context(), networkID, body)
			wantError(t, err, inUse)
			for _, prefix := range []string{"10.1.0.0/25", "10.1.0.0/23"} {
				_, err = cloud.Put(t.Context(), subnetID, Body{"properties": Body{"addressPrefix": prefix}})
				wantError(t, err, bad400("InUsePrefixCannotBeDeleted", "",
					"IpPrefix 10.1.0.0/24 on Subnet nodes has active allocations and cannot be deleted."))
			}
			mustPut(t, cloud, networkID+"/subnets/pods", Body{"properties": Body{"addressPrefix": "10.1.4.0/23"}})
			mustDelete(t, cloud, user.id)
			mustPut(t, cloud, subnetID, Body{"properties": Body{"addressPrefix": "10.1.0.0/23"}})
			mustDelete(t, cloud, networkID)
		})
	}
}
