package kubeadm

import (
	"github.com/pulumi/pulumi-azure-native-sdk/network/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// virtualNetwork is the network of the machines.
type virtualNetwork struct {
	network             *network.VirtualNetwork
	controlPlane, nodes *network.Subnet
	// routes is nil for networks without routes.
	routes *network.RouteTable
}

func (s clusterSpec) newVirtualNetwork(
	ctx *pulumi.Context, name string, at place, parent pulumi.ResourceOption,
) (virtualNetwork, error) {
	var v virtualNetwork
	controlPlaneFlows, nodeFlows := s.azure.Flows()
	later := s.sourcesNotKnown()
	controlPlaneGroup, err := newSecurityGroup(ctx, name, at,
		admitted{plan.ControlPlaneSubnet, controlPlaneFlows, later}, parent)
	if err != nil {
		return v, err
	}
	nodeGroup, err := newSecurityGroup(ctx, name, at, admitted{plan.NodeSubnet, nodeFlows, later}, parent)
	if err != nil {
		return v, err
	}
	gateway, err := newNATGateway(ctx, name, at, parent)
	if err != nil {
		return v, err
	}
	if s.azure.Network.Kind.Planned() {
		v.routes, err = network.NewRouteTable(ctx, name+"-pods", &network.RouteTableArgs{
			ResourceGroupName: at.group,
			RouteTableName:    pulumi.String(at.cluster + "-pods"),
			Location:          at.location,
			Tags:              at.tags,
		}, parent)
		if err != nil {
			return v, err
		}
	}
	v.network, err = network.NewVirtualNetwork(ctx, name, &network.VirtualNetworkArgs{
		ResourceGroupName:  at.group,
		VirtualNetworkName: pulumi.String(at.cluster),
		Location:           at.location,
		AddressSpace: network.AddressSpaceArgs{
			AddressPrefixes: pulumi.StringArray{pulumi.String(s.azure.Network.NodeCIDR.String())},
		},
		Tags: at.tags,
	}, parent)
	if err != nil {
		return v, err
	}
	first, rest := s.azure.Subnets()
	subnet := func(role, cidr string, group *network.NetworkSecurityGroup,
		opts ...pulumi.ResourceOption,
	) (*network.Subnet, error) {
		args := &network.SubnetArgs{
			ResourceGroupName:    at.group,
			VirtualNetworkName:   v.network.Name,
			SubnetName:           pulumi.String(role),
			AddressPrefix:        pulumi.String(cidr),
			NetworkSecurityGroup: network.NetworkSecurityGroupTypeArgs{Id: group.ID()},
			NatGateway:           network.SubResourceArgs{Id: gateway.ID()},
			// Azure is retiring its default outbound access, which is not needed with the gateway.
			DefaultOutboundAccess: pulumi.Bool(false),
		}
		if v.routes != nil {
			args.RouteTable = network.RouteTableTypeArgs{Id: v.routes.ID()}
		}
		return network.NewSubnet(ctx, name+"-"+role, args, append(opts, parent)...)
	}
	if v.controlPlane, err = subnet(plan.ControlPlaneSubnet, first.String(), controlPlaneGroup); err != nil {
		return v, err
	}
	// Azure changes one subnet of a network at a time.
	v.nodes, err = subnet(plan.NodeSubnet, rest.String(), nodeGroup,
		pulumi.DependsOn([]pulumi.Resource{v.controlPlane}))
	return v, err
}

// newNATGateway creates the way out for the machines' downloads. It lets no connection in.
func newNATGateway(
	ctx *pulumi.Context, name string, at place, parent pulumi.ResourceOption,
) (*network.NatGateway, error) {
	address, err := newPublicAddress(ctx, name, "outbound", at, parent)
	if err != nil {
		return nil, err
	}
	return network.NewNatGateway(ctx, name+"-outbound", &network.NatGatewayArgs{
		ResourceGroupName: at.group,
		NatGatewayName:    pulumi.String(at.cluster + "-outbound"),
		Location:          at.location,
		Sku:               network.NatGatewaySkuArgs{Name: pulumi.String("Standard")},
		PublicIpAddresses: network.SubResourceArray{network.SubResourceArgs{Id: address.ID()}},
		Tags:              at.tags,
	}, parent)
}

// newPublicAddress creates a static address. The gateway refers to its address; Azure also shows
// the gateway in the address, which a refresh would treat as an argument that the program does not
// set.
func newPublicAddress(
	ctx *pulumi.Context, name, role string, at place, parent pulumi.ResourceOption,
) (*network.PublicIPAddress, error) {
	return network.NewPublicIPAddress(ctx, name+"-"+role+"-address", &network.PublicIPAddressArgs{
		ResourceGroupName:        at.group,
		PublicIpAddressName:      pulumi.String(at.cluster + "-" + role),
		Location:                 at.location,
		Sku:                      network.PublicIPAddressSkuArgs{Name: pulumi.String("Standard")},
		PublicIPAllocationMethod: pulumi.String("Static"),
		Tags:                     at.tags,
	}, parent, pulumi.IgnoreChanges([]string{"natGateway"}))
}
