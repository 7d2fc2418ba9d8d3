package arm

// networkRulesOf returns the rules of resources that connect machines with each other and the
// internet.
func networkRulesOf(kind string) kindRules {
	rules := kindRules{readOnly: []string{
		"id", "name", "type", "etag", "properties.provisioningState",
		"properties.resourceGuid",
	}}
	also := func(paths ...string) { rules.readOnly = append(rules.readOnly, paths...) }
	switch kind {
	case kindNIC:
		rules.model = "armnetwork.Interface"
		rules.put, rules.remove, rules.view = (*request).putNIC, (*request).removeNIC, viewNIC
		also("properties.virtualMachine", "properties.primary", "properties.macAddress", "properties.hostedWorkloads",
			"properties.tapConfigurations", "properties.privateEndpoint", "properties.dscpConfiguration",
			"properties.vnetEncryptionSupported", "properties.defaultOutboundConnectivityEnabled",
			"properties.dnsSettings.appliedDnsServers", "properties.dnsSettings.internalFqdn",
			"properties.dnsSettings.internalDomainNameSuffix")
	case kindSecurityGroup:
		rules.model = "armnetwork.SecurityGroup"
		rules.put, rules.remove, rules.view = (*request).putSecurityGroup, (*request).removeSecurityGroup,
			viewSecurityGroup
		also("properties.defaultSecurityRules", "properties.flowLogs", "properties.networkInterfaces",
			"properties.subnets")
	case kindRouteTable:
		rules.model = "armnetwork.RouteTable"
		rules.put, rules.remove, rules.view = (*request).putRouteTable, (*request).removeRouteTable, viewRouteTable
		also("properties.subnets")
	case kindRoute:
		rules.model = "armnetwork.Route"
		rules.readOnly = routeReadOnly
		rules.put, rules.view = (*request).putRoute, viewEtag
	case kindNatGateway:
		rules.model = "armnetwork.NatGateway"
		rules.put, rules.remove, rules.view = (*request).putNatGateway, (*request).removeNatGateway, viewNatGateway
		also("properties.subnets")
	default:
		rules.model = "armnetwork.LoadBalancer"
		rules.put, rules.remove, rules.view = (*request).putLoadBalancer, (*request).removeLoadBalancer,
			viewLoadBalancer
	}
	return rules
}

// putNetworking stores the body of one of these kinds.
func (r *request) putNetworking(body Body) *resource {
	setAt(body, "properties.provisioningState", "Succeeded")
	setAt(body, "properties.resourceGuid", uuidOf(r.id.key(), r.createdAs()))
	return r.state.put(r.id, body)
}
