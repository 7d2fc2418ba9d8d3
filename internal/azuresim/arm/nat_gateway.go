package arm

func (r *request) putNatGateway(body Body) (*resource, error) {
	if err := r.placed(body); err != nil {
		return nil, err
	}
	if sku := textAt(body, "sku.name"); sku != "Standard" {
		return nil, refused("InvalidNatGatewaySku", "sku.name",
			"NAT gateway %s must have the SKU Standard. Value provided: '%s'.", r.id.text, sku)
	}
	// hashicorp/terraform-provider-azurerm#21696
	if zones, _ := body["zones"].([]any); len(zones) > 1 {
		return nil, refused("ResourceNotSupportZones", "zones", "NAT gateway %s can have at most one zone.", r.id.text)
	}
	defaultAt(body, "properties.idleTimeoutInMinutes", 4.0)
	if err := inRange(r.id.text, body, "idleTimeoutInMinutes", 4, 120); err != nil {
		return nil, err
	}
	if err := r.takeLinks(body); err != nil {
		return nil, err
	}
	for _, id := range idsAt(body, "properties.publicIpAddresses") {
		if !r.isStandard(id) {
			return nil, refused("NatGatewayPublicIpAddressMustBeStandard", "",
				"NAT gateway %s cannot use public IP address %s: it must have the SKU Standard.", r.id.text, id)
		}
	}
	return r.putNetworking(body), nil
}

func (r *request) removeNatGateway(found *resource) error {
	if users := r.state.users(found.ID); len(users) > 0 {
		return refused("CannotDeleteNatGatewayAssociatedToSubnet", "", "NAT Gateway %s is still configured on %d subnets. "+
			"Remove NAT Gateway from all referenced subnets and then delete NAT Gateway.", found.ID, len(users))
	}
	return nil
}

func viewNatGateway(s *state, gateway *resource, body Body) {
	viewEtag(s, gateway, body)
	s.showUsers(body, "properties.subnets", gateway.ID, kindSubnet)
}

// checkNatGateway checks that a NAT gateway belongs to only one virtual network.
func (r *request) checkNatGateway(body Body) error {
	gateway := textAt(body, "properties.natGateway.id")
	if gateway == "" {
		return nil
	}
	for _, user := range r.state.users(gateway) {
		if networkOf(user.by) != networkOf(r.id.text) {
			return refused("NatGatewayCannotBeUsedBySubnetsBelongingToDifferentVirtualNetworks", "",
				"NAT gateway %s cannot be used by subnet %s: it is used by subnet %s of another virtual network.",
				gateway, r.id.text, user.by)
		}
	}
	return nil
}
