package arm

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"
)

// checkNodeSubnet checks that the nodes of a pool can be in its subnet, and have the outbound traffic that the cluster
// declares.
func (r *request) checkNodeSubnet(c poolCluster, properties Body) error {
	// Subnets of pods are delegated, to AKS itself.
	if nodes := r.state.get(textAt(properties, "vnetSubnetID")); nodes != nil &&
		len(bodiesAt(nodes.properties(), "delegations")) > 0 {
		return refused("SubnetIsDelegated", "", "AgentPoolProfile subnet with id %s cannot be used as it's a "+
			"delegated subnet. Please check https://aka.ms/adv-network-prerequest for more details.", nodes.ID)
	}
	return r.checkOutbound(c, properties)
}

// checkAllocation checks that all pools that have their pods in one subnet, in any cluster, allocate addresses in the
// same mode (https://learn.microsoft.com/azure/aks/configure-azure-cni-static-block-allocation).
func (r *request) checkAllocation(id armID, properties Body) error {
	subnet := textAt(properties, "podSubnetID")
	if subnet == "" {
		return nil
	}
	for _, other := range r.state.all(kindPool) {
		has := allocationMode(other.properties())
		if keyOf(other.ID) != id.key() && strings.EqualFold(textAt(other.properties(), "podSubnetID"), subnet) &&
			has != allocationMode(properties) {
			return invalidParameter("agentPoolProfile.podIPAllocationMode", "the subnet '%s' has pods with the mode "+
				"'%s'",
				subnet, has)
		}
	}
	return nil
}

// allocationPath is the property with the mode in which the pods of a pool get their addresses.
const allocationPath = "podIPAllocationMode"

func allocationMode(properties Body) string {
	return cmp.Or(textAt(properties, allocationPath), "DynamicIndividual")
}

// checkOutbound checks the resources that the outbound type of a cluster requires in the subnets of its nodes
// (https://learn.microsoft.com/azure/aks/egress-outboundtype).
func (r *request) checkOutbound(c poolCluster, properties Body) error {
	subnet := r.state.get(textAt(properties, "vnetSubnetID"))
	switch outbound := string(value(c.cluster.NetworkProfile.OutboundType)); outbound {
	case "managedNATGateway":
		if subnet != nil {
			return refused("ManagedNATGatewayWithCustomVNetNotAllowed", "",
				"The outbound type managedNATGateway cannot be used with the custom subnet %s.", subnet.ID)
		}
	case "userAssignedNATGateway":
		if subnet == nil {
			return refused("UserAssignedNATGatewayWithManagedVNetNotAllowed", "",
				"The outbound type userAssignedNATGateway cannot be used with a managed virtual network.")
		}
		return r.checkOutboundGateway(subnet)
	case "userDefinedRouting":
		if subnet == nil {
			return invalidParameter("networkProfile.outboundType",
				"the outbound type userDefinedRouting needs pools with a custom subnet")
		}
		return r.checkOutboundRoute(subnet)
	}
	return nil
}

func (r *request) checkOutboundGateway(subnet *resource) error {
	gateway := r.state.get(textAt(subnet.Body, "properties.natGateway.id"))
	if gateway == nil {
		return refused("SubnetNotAssociatedWithNATGateway", "",
			"Subnet '%s' must have a NAT gateway associated for outbound connection.", subnet.ID)
	}
	for _, list := range []string{"publicIpAddresses", "publicIpAddressesV6"} {
		if len(idsAt(gateway.Body, "properties."+list)) > 0 {
			return nil
		}
	}
	return refused("NATGatewayNotAssociatedWithPublicIPOrIPPrefix", "",
		"NAT gateway '%s' must have at least one public IP or IP prefix associated for outbound connection.",
		gateway.ID)
}

// checkOutboundRoute requires a default route to an appliance or a gateway.
func (r *request) checkOutboundRoute(subnet *resource) error {
	table := r.state.get(textAt(subnet.Body, "properties.routeTable.id"))
	if table == nil {
		return refused("ExistingRouteTableNotAssociatedWithSubnet", "", "An existing route table has not been "+
			"associated with subnet %s. Please update the route table association", subnet.ID)
	}
	routes := r.state.below(table.ID, kindRoute)
	i := slices.IndexFunc(routes, func(route *resource) bool {
		prefix, err := netip.ParsePrefix(textAt(route.Body, "properties.addressPrefix"))
		return err == nil && prefix == netip.PrefixFrom(netip.IPv4Unspecified(), 0)
	})
	if i < 0 {
		return refused("RouteTableMissingDefaultRouteError", "",
			"Route table %s has no default route 0.0.0.0/0.", table.ID)
	}
	hop := textAt(routes[i].Body, "properties.nextHopType")
	if hop != "VirtualAppliance" && hop != "VirtualNetworkGateway" {
		return refused("RouteTableInvalidNextHop", "",
			"The default route of route table %s has the next hop %s, and not an appliance or a gateway.", table.ID,
			hop)
	}
	return nil
}
