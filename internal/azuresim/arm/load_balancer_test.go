package arm

import "testing"

func TestLoadBalancersHaveTheFieldsThatAzureAdds(t *testing.T) {
	t.Parallel()
	cloud := wired(t)
	answer := mustPut(t, cloud, balancerID, balancerBody(nil))
	const rule = balancerID + "/loadBalancingRules/api"
	wantAt(t, answer, map[string]any{
		"id": balancerID, "type": kindLoadBalancer, "sku": Body{"name": "Standard", "tier": "Regional"},
		"properties.provisioningState": "Succeeded",
		"properties.outboundRules":     []any{}, "properties.inboundNatRules": []any{},
		"properties.inboundNatPools": []any{},
	})
	wantAt(t, parts(answer, frontends)[0], map[string]any{
		"id": frontID, "type": kindFrontend, "etag": answer["etag"], "properties.privateIPAddress": "10.1.0.4",
		"properties.privateIPAllocationMethod": "Dynamic",
		"properties.loadBalancingRules":        refs(rule), "properties.subnet": ref(subnetID),
		"properties.provisioningState": "Succeeded",
	})
	wantAt(t, parts(answer, backendPools)[0],
		map[string]any{
			"id": poolID, "properties.loadBalancingRules": refs(rule),
			"properties.backendIPConfigurations": nil,
		})
	wantAt(t, parts(answer, probes)[0],
		map[string]any{
			"id": probeID, "properties.loadBalancingRules": refs(rule), "properties.intervalInSeconds": 15.0,
			"properties.numberOfProbes": 2.0, "properties.probeThreshold": 1.0,
		})
	wantAt(t, parts(answer, balancingRules)[0], map[string]any{
		"id": rule, "properties.idleTimeoutInMinutes": 4.0, "properties.loadDistribution": "Default",
		"properties.disableOutboundSnat": false, "properties.enableFloatingIP": false,
		"properties.backendAddressPool": ref(poolID), "properties.backendAddressPools": refs(poolID),
	})
	if again := mustPut(t, cloud, balancerID, answer); !same(again, answer) {
		t.Errorf("it was\n%v, and is\n%v", answer, again)
	}
}

func TestTheFirstWrongNumberOfALoadBalancingRuleIsReported(t *testing.T) {
	t.Parallel()
	body := balancerBody(map[string]any{"loadBalancingRules": []any{balancing("api",
		map[string]any{"idleTimeoutInMinutes": 3, "backendPort": 65536, "frontendPort": 65535})}})
	cloud := wired(t)
	for range 50 { // a map has another order in each run
		_, err := cloud.Put(t.Context(), balancerID, body)
		wantError(t, err, bad400("InvalidParameter", "frontendPort",
			"The value of frontendPort of "+balancerID+"/loadBalancingRules/api is 65535. "+
				"It must be between 0 and 65534."))
	}
}

func TestNetworkInterfacesLeaveDeletedPools(t *testing.T) {
	t.Parallel()
	for name, goes := range map[string]func(*testing.T, *Cloud){
		"with the load balancer": func(t *testing.T, cloud *Cloud) {
			t.Helper()
			mustDelete(t, cloud, balancerID)
		},
		"from the load balancer": func(t *testing.T, cloud *Cloud) {
			t.Helper()
			mustPut(t, cloud, balancerID, balancerBody(map[string]any{
				"backendAddressPools": []any{Body{"name": "other"}},
				"loadBalancingRules": []any{balancing("api",
					map[string]any{"backendAddressPool": ref(balancerID + "/backendAddressPools/other")})},
				"inboundNatRules": nil,
			}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud := wired(t)
			nat := Body{
				"name": "ssh",
				"properties": Body{
					"frontendIPConfiguration": ref(frontID), "protocol": "Tcp", "frontendPort": 22,
					"backendPort": 22,
				},
			}
			mustPut(t, cloud, balancerID, balancerBody(map[string]any{"inboundNatRules": []any{nat}}))
			const natRule = balancerID + "/inboundNatRules/ssh"
			before := mustPut(t, cloud, nicID,
				nicBody(map[string]any{
					"loadBalancerBackendAddressPools": refs(poolID),
					"loadBalancerInboundNatRules":     refs(natRule),
				}))
			wantAt(t, parts(mustGet(t, cloud, balancerID), natRules)[0],
				map[string]any{"properties.backendIPConfiguration": ref(nicID + "/ipConfigurations/main")})
			goes(t, cloud)
			after := mustGet(t, cloud, nicID)
			wantAt(t, parts(after, nicConfigurations)[0],
				map[string]any{
					"properties.loadBalancerBackendAddressPools": []any{},
					"properties.loadBalancerInboundNatRules":     []any{},
				})
			if before["etag"] == after["etag"] {
				t.Error("the etag is the same")
			}
		})
	}
}

func TestLoadBalancersThatAzureRefuses(t *testing.T) {
	t.Parallel()
	const (
		api   = balancerID + "/loadBalancingRules/api"
		two   = balancerID + "/loadBalancingRules/two"
		out   = balancerID + "/outboundRules/out"
		nat   = balancerID + "/inboundNatRules/nat"
		other = inNetworkProvider + "virtualNetworks/other"
	)
	cases := map[string]refusal{}
	address := []any{addressID, addressBody()}
	internal := func(name string, change map[string]any, want *Error) {
		cases[name] = refusal{id: balancerID, body: balancerBody(change), want: want}
	}
	public := func(name string, change map[string]any, want *Error) {
		cases[name] = refusal{before: address, id: balancerID, body: publicBody(change), want: want}
	}
	sku := func(name, tier string) Body {
		body := balancerBody(nil)
		body["sku"] = Body{"name": name, "tier": tier}
		return body
	}
	frontend := func(change map[string]any) []any {
		properties := Body{"subnet": ref(subnetID)}
		apply(properties, change)
		return []any{Body{"name": "front", "properties": properties}}
	}
	const retired = "Basic SKU load balancers were retired on September 30, 2025 and cannot be created. Use the Standard SKU. See https://aka.ms/basiclbretirement."
	noSKU := balancerBody(nil)
	delete(noSKU, "sku")
	cases["no SKU"] = refusal{id: balancerID, body: noSKU, want: bad400("OperationNotAllowed", "", retired)}
	cases["Basic"] = refusal{
		id: balancerID, body: sku("basic", "Regional"),
		want: bad400("OperationNotAllowed", "", retired),
	}
	cases["Gateway"] = refusal{
		id: balancerID, body: sku("Gateway", "Regional"),
		want: bad400("OperationNotAllowed", "",
			"The simulated Azure has no load balancers of the SKU Gateway and the tier Regional."),
	}
	cases["Global"] = refusal{
		id: balancerID, body: sku("Standard", "Global"),
		want: bad400("OperationNotAllowed", "",
			"The simulated Azure has no load balancers of the SKU Standard and the tier Global."),
	}

	internal("no frontend", map[string]any{"frontendIPConfigurations": []any{}},
		bad400("LoadBalancerWithoutFrontendIPCantHaveChildResources", "",
			"Load balancer "+balancerID+" has no frontend IP configurations and cannot have child resources."))
	internal("a frontend of nothing",
		map[string]any{"frontendIPConfigurations": frontend(map[string]any{"subnet": nil})},
		bad400("FrontendIPConfigurationHasNoSubnetOrPublicIPAddressOrPublicIPPrefix", "",
			"Frontend IP configuration "+frontID+
				" must reference a subnet, a public IP address or a public IP prefix."))
	internal("a frontend of both",
		map[string]any{"frontendIPConfigurations": frontend(map[string]any{"publicIPAddress": ref(addressID)})},
		bad400("FrontendIPConfigHasBothSubnetAndPublicIP", "",
			"Frontend IP configuration "+frontID+" must not reference both a subnet and a public IP address."))
	internal("a missing subnet",
		map[string]any{"frontendIPConfigurations": frontend(map[string]any{"subnet": ref(networkID + "/subnets/x")})},
		dangling(networkID+"/subnets/x", balancerID, "properties.frontendIPConfigurations[0].properties.subnet"))
	internal("an address that is reserved",
		map[string]any{"frontendIPConfigurations": frontend(map[string]any{
			"privateIPAllocationMethod": "Static",
			"privateIPAddress":          "10.1.0.1",
		})}, reserved("10.1.0.1"))
	internal("static, without",
		map[string]any{"frontendIPConfigurations": frontend(map[string]any{"privateIPAllocationMethod": "Static"})},
		bad400("StaticPrivateIPAddressRequired", "",
			"The IP configuration "+frontID+" has the allocation method Static and no private IP address."))
	cases["an address in use"] = refusal{
		before: []any{nicID, nicBody(nil)}, id: balancerID,
		body: balancerBody(
			map[string]any{"frontendIPConfigurations": frontend(map[string]any{
				"privateIPAllocationMethod": "Static",
				"privateIPAddress":          "10.1.0.4",
			})},
		),
		want: bad400("PrivateIPAddressIsAllocated", "",
			"IP configuration "+frontID+
				" is using the private IP address 10.1.0.4 which is already allocated to resource "+nicID+
				"/ipConfigurations/main."),
	}
	public("inside and outside",
		map[string]any{"frontendIPConfigurations": append(frontend(nil),
			Body{"name": "public", "properties": Body{"publicIPAddress": ref(addressID)}})},
		bad400("LoadBalancerFrontendsMustBeOfOneKind", "",
			"The frontend IP configurations of load balancer "+balancerID+
				" must all be public, or all be in one virtual network."))
	cases["no public address"] = refusal{
		id: balancerID, body: publicBody(nil),
		want: dangling(addressID, balancerID, "properties.frontendIPConfigurations[0].properties.publicIPAddress"),
	}
	cases["an address of another SKU"] = refusal{
		before: []any{addressID, addressOfSKU("StandardV2")}, id: balancerID,
		body: publicBody(nil),
		want: bad400("DifferentSkuLoadBalancersAndPublicIPAddressNotAllowed", "",
			"Standard sku load balancer "+balancerID+" cannot reference StandardV2 sku public IP address "+
				addressID+"."),
	}
	cases["a public address in use"] = refusal{
		before: append(address, natID, natBody(addressID)), id: balancerID,
		body: publicBody(nil), want: addressInUse(frontID, addressID, natID),
	}

	// Probes.
	probe := func(change map[string]any) map[string]any {
		properties := Body{"protocol": "Tcp", "port": 6443}
		apply(properties, change)
		return map[string]any{"probes": []any{Body{"name": "probe", "properties": properties}}}
	}
	internal("a probe without a port", probe(map[string]any{"port": nil}),
		unreadableRequest("Required property 'port' not found in JSON. Path 'properties.probes[0].properties'."))
	internal("a probe without a protocol", probe(map[string]any{"protocol": nil}),
		unreadableRequest("Required property 'protocol' not found in JSON. Path 'properties.probes[0].properties'."))
	internal("a probe's port", probe(map[string]any{"port": 65536}),
		bad400("InvalidParameter", "port",
			"The value of port of "+probeID+" is 65536. It must be between 1 and 65535."))
	internal("a probe's interval", probe(map[string]any{"intervalInSeconds": 4}),
		bad400("InvalidParameter", "intervalInSeconds",
			"The value of intervalInSeconds of "+probeID+" is 4. It must be between 5 and 2147483646."))
	internal("a TCP probe's path", probe(map[string]any{"requestPath": "/"}),
		bad400("ProbeRequestPathNotAllowed", "",
			"Probe "+probeID+" has the protocol Tcp and must not have a request path."))
	internal("an HTTPS probe", probe(map[string]any{"protocol": "Https"}),
		bad400("ProbeRequestPathRequired", "", "Probe "+probeID+" has the protocol Https and needs a request path."))

	// Rules.
	rules := func(list ...any) map[string]any { return map[string]any{"loadBalancingRules": list} }
	for _, name := range []string{"frontendIPConfiguration", "frontendPort", "protocol"} {
		internal("a rule without "+name, rules(balancing("api", map[string]any{name: nil})),
			unreadableRequest("Required property '"+name+
				"' not found in JSON. Path 'properties.loadBalancingRules[0].properties'."))
	}
	for name, kind := range map[string]string{
		"frontendIPConfiguration": "frontendIPConfigurations",
		"backendAddressPool":      "backendAddressPools", "probe": "probes",
	} {
		missing := balancerID + "/" + kind + "/missing"
		internal("a rule's "+name, rules(balancing("api", map[string]any{name: ref(missing)})),
			dangling(missing, api, "properties.loadBalancingRules[0].properties."+name))
	}
	internal("a rule with the pool of another load balancer",
		rules(balancing("api", map[string]any{"backendAddressPool": ref(balancerID + "2/backendAddressPools/pool")})),
		dangling(balancerID+"2/backendAddressPools/pool", balancerID,
			"properties.loadBalancingRules[0].properties.backendAddressPool"))
	internal("a frontend port", rules(balancing("api", map[string]any{"frontendPort": 65535})),
		bad400("InvalidParameter", "frontendPort",
			"The value of frontendPort of "+api+" is 65535. It must be between 0 and 65534."))
	internal("a backend port", rules(balancing("api", map[string]any{"backendPort": 65536})),
		bad400("InvalidParameter", "backendPort",
			"The value of backendPort of "+api+" is 65536. It must be between 0 and 65535."))
	internal("an idle time", rules(balancing("api", map[string]any{"idleTimeoutInMinutes": 101})),
		bad400("InvalidParameter", "idleTimeoutInMinutes",
			"The value of idleTimeoutInMinutes of "+api+" is 101. It must be between 4 and 100."))
	for name, change := range map[string]map[string]any{
		"all ports of one protocol": {"frontendPort": 0, "backendPort": 0},
		"all protocols of one port": {"protocol": "All"}, "all ports to one": {"protocol": "All", "frontendPort": 0},
	} {
		internal(name, rules(balancing("api", change)),
			bad400("LoadBalancingRuleInvalidHaPorts", "",
				"Load balancing rule "+api+
					" must have the protocol All exactly if its frontend port and its backend port are 0."))
	}
	internal("a frontend port twice",
		rules(balancing("api", nil), balancing("two", map[string]any{"backendPort": 7443})),
		bad400("RulesUseSameFrontendPortProtocolAndIPConfig", "",
			"Load balancing rules "+api+" and "+two+
				" use the same protocol Tcp and frontend port 6443, and must not be used with the same frontend IP "+
				"configuration "+frontID+"."))
	internal("a backend port twice",
		rules(balancing("api", nil), balancing("two", map[string]any{"frontendPort": 443})),
		bad400("RulesUseSameBackendPortProtocolAndPool", "",
			"Load balancing rules "+api+" and "+two+
				" with floating IP disabled use the same protocol Tcp and backend port 6443, and must not be used "+
				"with the same backend address pool "+poolID+"."))
	internal("a NAT rule's port",
		map[string]any{"inboundNatRules": []any{Body{
			"name": "nat",
			"properties": Body{
				"frontendIPConfiguration": ref(frontID), "protocol": "Tcp", "frontendPort": 6443,
				"backendPort": 22,
			},
		}}},
		bad400("RulesUseSameFrontendPortProtocolAndIPConfig", "",
			"Load balancing rules "+api+" and "+nat+
				" use the same protocol Tcp and frontend port 6443, and must not be used with the same frontend IP "+
				"configuration "+frontID+"."))
	internal("a name twice", rules(balancing("api", nil), balancing("API", map[string]any{"frontendPort": 443})),
		unreadableRequest("Resource "+balancerID+" has two child resources with the same name (API)."))

	// Outbound rules.
	outbound := func(name string, change map[string]any) Body {
		properties := Body{
			"protocol": "All", "backendAddressPool": ref(poolID),
			"frontendIPConfigurations": refs(frontID),
		}
		apply(properties, change)
		return Body{"name": name, "properties": properties}
	}
	silent := []any{balancing("api", map[string]any{"disableOutboundSnat": true})}
	outs := func(list ...any) map[string]any {
		return map[string]any{"outboundRules": list, "loadBalancingRules": silent}
	}
	for _, name := range []string{"backendAddressPool", "frontendIPConfigurations", "protocol"} {
		public("an outbound rule without "+name, outs(outbound("out", map[string]any{name: nil})),
			unreadableRequest("Required property '"+name+
				"' not found in JSON. Path 'properties.outboundRules[0].properties'."))
	}
	public("an outbound rule of no frontend",
		outs(outbound("out", map[string]any{"frontendIPConfigurations": []any{}})),
		unreadableRequest("Outbound rule "+out+" must reference at least one frontend IP configuration."))
	public("an outbound rule's ports", outs(outbound("out", map[string]any{"allocatedOutboundPorts": 1001})),
		bad400("InvalidAllocatedOutboundPorts", "",
			"Outbound rule "+out+" has allocatedOutboundPorts 1001. It must be a multiple of 8 up to 64000."))
	public("an outbound rule's idle time", outs(outbound("out", map[string]any{"idleTimeoutInMinutes": 121})),
		bad400("InvalidParameter", "idleTimeoutInMinutes",
			"The value of idleTimeoutInMinutes of "+out+" is 121. It must be between 4 and 120."))
	public("two outbound rules", outs(outbound("out", map[string]any{"protocol": "Tcp"}), outbound("out2", nil)),
		bad400("MoreThanOneOutboundRuleUsingSameFrontendIPConfigurationAndProtocolIsNotSupported", "",
			"Is is not supported to have more than a single outbound rule using frontendIPConfiguration "+frontID+
				" with same or overlapping protocol. This frontendIPConfiguration is used by the following outbound "+
				"rules: "+out+","+out+"2"))
	public("SNAT of both", map[string]any{"outboundRules": []any{outbound("out", nil)}},
		bad400("LoadBalancingRuleMustDisableSNATSinceSameFrontendIPConfigurationIsReferencedByOutboundRule", "",
			"Load balancing rule "+api+" must disable SNAT since frontend IP configuration "+frontID+
				" is referenced by outbound rule "+out+"."))
	internal("an internal outbound rule", outs(outbound("out", nil)),
		bad400("OutboundRuleFrontendMustBePublic", "",
			"Outbound rule "+out+" cannot use frontend IP configuration "+frontID+": it has no public IP address."))

	// Network interfaces with public addresses have rules, too.
	cases["an outbound rule for one with a public address"] = refusal{
		before: append(address, balancerID, publicBody(nil), addressID+"2", addressBody(), nicID,
			nicBody(map[string]any{
				"publicIPAddress":                 ref(addressID + "2"),
				"loadBalancerBackendAddressPools": refs(poolID),
			})),
		id: balancerID, body: publicBody(outs(outbound("out", nil))),
		want: bad400("NicWithPublicIpCannotReferencePoolWithOutboundRule", "",
			"Network interface "+nicID+" has a public IP address and cannot use the backend address pool "+poolID+
				", which has an outbound rule."),
	}
	cases["another network"] = refusal{
		before: []any{
			balancerID, balancerBody(nil), nicID,
			nicBody(map[string]any{"loadBalancerBackendAddressPools": refs(poolID)}), other, located(Body{
				"addressSpace": Body{"addressPrefixes": []any{"10.2.0.0/16"}},
				"subnets":      []any{Body{"name": "s", "properties": Body{"addressPrefix": "10.2.0.0/24"}}},
			}),
		},
		id: balancerID, body: balancerBody(
			map[string]any{"frontendIPConfigurations": frontend(map[string]any{"subnet": ref(other + "/subnets/s")})},
		),
		want: bad400("NetworkInterfaceAndInternalLoadBalancerMustUseSameVnet", "",
			"Network interface "+nicID+" and internal load balancer "+balancerID+" must use the same virtual network."),
	}
	wantRefusals(t, cases)
}

// These rules look like conflicts, but Azure accepts them.
func TestLoadBalancersThatAzureTakes(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]map[string]any{
		"floating": {"loadBalancingRules": []any{balancing("api",
			map[string]any{"enableFloatingIP": true}), balancing("two", map[string]any{"frontendPort": 443})}},
		"all ports": {"loadBalancingRules": []any{balancing("all",
			map[string]any{"protocol": "All", "frontendPort": 0, "backendPort": 0})}},
		"one port, two protocols": {"loadBalancingRules": []any{
			balancing("api", nil),
			balancing("udp", map[string]any{"protocol": "Udp"}),
		}},
		"nothing at all": {
			"frontendIPConfigurations": nil, "backendAddressPools": nil, "probes": nil,
			"loadBalancingRules": nil,
		},
		"a rule without pool": {"loadBalancingRules": []any{balancing("api",
			map[string]any{"backendAddressPool": nil, "probe": nil})}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mustPut(t, wired(t), balancerID, balancerBody(change))
		})
	}
}
