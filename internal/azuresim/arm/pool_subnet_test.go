package arm

import "testing"

// The rules and codes are from Microsoft's package apierror and
// https://learn.microsoft.com/azure/aks/egress-outboundtype. Reports show the messages of
// SubnetNotAssociatedWithNATGateway, NATGatewayNotAssociatedWithPublicIPOrIPPrefix,
// ExistingRouteTableNotAssociatedWithSubnet and SubnetIsDelegated.
func TestRequirementsOfOutboundTypes(t *testing.T) {
	t.Parallel()
	const (
		gateway = groupID + "/providers/Microsoft.Network/natGateways/out"
		address = groupID + "/providers/Microsoft.Network/publicIPAddresses/out"
		table   = groupID + "/providers/Microsoft.Network/routeTables/out"
		managed = "managedNATGateway"
		own     = "userAssignedNATGateway"
		routing = "userDefinedRouting"
	)
	standard := Body{"name": "Standard"}
	emptyGateway := []any{gateway, Body{"location": "westeurope", "sku": standard}}
	fullGateway := []any{
		address, addressBody(),
		gateway,
		Body{
			"location": "westeurope", "sku": standard,
			"properties": Body{"publicIpAddresses": []any{Body{"id": address}}},
		},
	}
	routes := func(properties Body) []any {
		return []any{table, Body{"location": "westeurope", "properties": Body{
			"routes": []any{Body{"name": "all", "properties": properties}},
		}}}
	}
	appliance := Body{"addressPrefix": "0.0.0.0/0", "nextHopType": "VirtualAppliance", "nextHopIpAddress": "10.1.9.4"}
	toGateway := Body{"addressPrefix": "0.0.0.0/0", "nextHopType": "VirtualNetworkGateway"}
	throughGateway, throughTable := Body{"natGateway": Body{"id": gateway}}, Body{"routeTable": Body{"id": table}}
	type part struct {
		outbound string
		before   []any
		// subnet has the properties of the subnet, nil for a pool without one.
		subnet Body
		want   *Error
	}
	for title, c := range map[string]part{
		"a load balancer":      {"loadBalancer", nil, nil, nil},
		"nothing":              {"none", nil, nil, nil},
		"nothing on a subnet":  {"none", nil, Body{}, nil},
		"a managed gateway":    {managed, nil, nil, nil},
		"a gateway":            {own, fullGateway, throughGateway, nil},
		"routes":               {routing, routes(appliance), throughTable, nil},
		"a route to a gateway": {routing, routes(toGateway), throughTable, nil},
		"managed and a subnet": {managed, nil, Body{}, bad400("ManagedNATGatewayWithCustomVNetNotAllowed", "",
			"The outbound type managedNATGateway cannot be used with the custom subnet "+subnetID+".")},
		"a gateway, no subnet": {own, nil, nil, bad400("UserAssignedNATGatewayWithManagedVNetNotAllowed", "",
			"The outbound type userAssignedNATGateway cannot be used with a managed virtual network.")},
		"a gateway elsewhere": {own, fullGateway, Body{}, bad400("SubnetNotAssociatedWithNATGateway", "",
			"Subnet '"+subnetID+"' must have a NAT gateway associated for outbound connection.")},
		"a gateway without addresses": {
			own, emptyGateway, throughGateway,
			bad400("NATGatewayNotAssociatedWithPublicIPOrIPPrefix", "", "NAT gateway '"+gateway+
				"' must have at least one public IP or IP prefix associated for outbound connection."),
		},
		"routes, no subnet": {routing, nil, nil, invalid("networkProfile.outboundType",
			"the outbound type userDefinedRouting needs pools with a custom subnet")},
		"routes elsewhere": {routing, routes(appliance), Body{}, bad400("ExistingRouteTableNotAssociatedWithSubnet", "",
			"An existing route table has not been associated with subnet "+subnetID+
				". Please update the route table association")},
		"no default route": {
			routing, routes(Body{"addressPrefix": "10.0.0.0/8", "nextHopType": "VirtualNetworkGateway"}), throughTable,
			bad400("RouteTableMissingDefaultRouteError", "", "Route table "+table+" has no default route 0.0.0.0/0."),
		},
		"a route to the internet": {
			routing, routes(Body{"addressPrefix": "0.0.0.0/0", "nextHopType": "Internet"}), throughTable,
			bad400("RouteTableInvalidNextHop", "", "The default route of route table "+table+
				" has the next hop Internet, and not an appliance or a gateway."),
		},
		"a delegated subnet": {
			"loadBalancer", nil,
			Body{"delegations": []any{
				Body{"name": "web", "properties": Body{"serviceName": "Microsoft.Web/serverFarms"}},
			}},
			bad400("SubnetIsDelegated", "", "AgentPoolProfile subnet with id "+subnetID+" cannot be used as it's a "+
				"delegated subnet. Please check https://aka.ms/adv-network-prerequest for more details."),
		},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			cloud := emptyCloud(t, Options{})
			for i := 0; i < len(c.before); i += 2 {
				mustPut(t, cloud, c.before[i].(string), c.before[i+1].(Body))
			}
			mustPut(t, cloud, networkID, located(Body{"addressSpace": Body{"addressPrefixes": []any{"10.1.0.0/16"}}}))
			pool := map[string]any{}
			if c.subnet != nil {
				subnet := merge(Body{"addressPrefix": "10.1.0.0/24"}, c.subnet)
				mustPut(t, cloud, subnetID, Body{"properties": subnet})
				pool["vnetSubnetID"] = subnetID
			}
			change := map[string]any{"networkProfile.outboundType": c.outbound, "agentPoolProfiles": firstPool(pool)}
			if c.outbound == "none" {
				change["bootstrapProfile.artifactSource"] = "Cache"
			}
			if c.want == nil {
				mustPut(t, cloud, clusterID, clusterBody(change))
				return
			}
			_, err := cloud.Put(t.Context(), clusterID, clusterBody(change))
			wantError(t, err, c.want)

			// The change of an existing cluster checks its pool, although the request does not name it.
			change["networkProfile.outboundType"] = "loadBalancer"
			if c.outbound == "loadBalancer" {
				return
			}
			mustPut(t, cloud, clusterID, clusterBody(change))
			_, err = cloud.Put(t.Context(), clusterID, clusterBody(map[string]any{
				"networkProfile.outboundType": c.outbound, "agentPoolProfiles": nil,
				"bootstrapProfile.artifactSource": change["bootstrapProfile.artifactSource"],
			}))
			wantError(t, err, c.want)
		})
	}
}

func TestASubnetOfPodsHasOneMode(t *testing.T) {
	t.Parallel()
	cloud, pods := wired(t), networkID+"/subnets/pods"
	mustPut(t, cloud, pods, Body{"properties": Body{"addressPrefix": "10.1.200.0/24"}})
	in := func(mode any) Body {
		return windowsPool(map[string]any{
			"vnetSubnetID": subnetID, "podSubnetID": pods, "podIPAllocationMode": mode,
		})
	}
	mustPut(t, cloud, clusterID, clusterBody(map[string]any{"networkProfile.networkPluginMode": nil}))
	mustPut(t, cloud, winID, in(nil))
	mustPut(t, cloud, winID+"2", in("DynamicIndividual"))
	_, err := cloud.Put(t.Context(), winID+"3", in("StaticBlock"))
	wantError(t, err, invalid("agentPoolProfile.podIPAllocationMode",
		"the subnet '"+pods+"' has pods with the mode 'DynamicIndividual'"))
	// The same pool cannot change either. The default can be sent.
	mustPut(t, cloud, winID, in("DynamicIndividual"))
	_, err = cloud.Put(t.Context(), winID, in("StaticBlock"))
	wantError(t, err, immutable("properties.podIPAllocationMode"))
}
