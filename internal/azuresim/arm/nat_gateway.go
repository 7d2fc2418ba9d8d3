package arm

func (r *request) putNatGateway(body Body) (*resource, error) {
	if err := r.placed(body); err != nil {
		return nil, err
	}
	sku := textAt(body, "sku.name")
	if sku != "Standard" && sku != "StandardV2" {
		return nil, refused("InvalidNatGatewaySku", "sku.name",
			"NAT gateway %s must have the SKU Standard or StandardV2. Value provided: '%s'.", r.id.text, sku)
	}
	// hashicorp/terraform-provider-azurerm#21696. StandardV2 is in all zones.
	if zones, _ := body["zones"].([]any); len(zones) > 1 && sku == "Standard" {
		return nil, refused("ResourceNotSupportZones", "zones", "NAT gateway %s can have at most one zone.", r.id.text)
	}
	defaultAt(body, "properties.idleTimeoutInMinutes", 4.0)
	if err := inRange(r.id.text, body, "idleTimeoutInMinutes", 4, 120); err != nil {
		return nil, err
	}
	if err := r.takeLinks(body); err != nil {
		return nil, err
	}
	// "A StandardV2 NAT gateway requires a StandardV2 public IP address"
	// (https://learn.microsoft.com/azure/aks/nat-gateway).
	for _, list := range []string{"publicIpAddresses", "publicIpAddressesV6"} {
		for _, id := range idsAt(body, "properties."+list) {
			if r.skuOf(id) != sku {
				return nil, refused("NatGatewayPublicIpAddressMustBeStandard", "",
					"NAT gateway %s cannot use public IP address %s: it must have the SKU %s.", r.id.text, id, sku)
			}
		}
	}
	return r.putNetworking(body), nil
}

func (r *request) removeNatGateway(found *resource) error {
	if users := r.state.users(found.ID); len(users) > 0 {
		return refused("CannotDeleteNatGatewayAssociatedToSubnet", "", "NAT Gateway %s is still configured on %d "+
			"subnets. Remove NAT Gateway from all referenced subnets and then delete NAT Gateway.", found.ID,
			len(users))
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
