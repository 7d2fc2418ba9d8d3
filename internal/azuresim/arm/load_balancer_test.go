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
	wantMistakes(t, "load_balancers", wired)
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
