package examples

import (
	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// outboundExamples are examples of outbound types.
var outboundExamples = []Example{
	{
		"a misspelled outbound type", Network(plan.Network{OutboundType: "managedNatGatewy"}),
		Network(plan.Network{OutboundType: plan.ManagedNATGateway}),
		[]string{"error: network.outboundType (MK725)"},
	},
	{
		"an outbound type of previews", Network(plan.Network{OutboundType: "managedNATGatewayV2"}),
		Both(LinuxOnly, Network(plan.Network{OutboundType: plan.ManagedNATGateway})),
		[]string{"warning: network.outboundType (MK725)"},
	},
	{
		"a newer outbound type", Network(plan.Network{OutboundType: "satellite"}),
		Network(plan.Network{OutboundType: plan.UserDefinedRouting, NodeSubnetID: plan.Later}),
		[]string{"warning: network.outboundType (MK725)"},
	},
	{
		"disableOutboundNAT before 1.26", func(c *plan.Cluster) {
			Platforms(platform.WindowsServer2022, "1.25")(c)
			c.Network.OutboundType = plan.ManagedNATGateway
			c.Topology.Pools[1].DisableOutboundNAT = true
		}, func(c *plan.Cluster) {
			c.Network.OutboundType, c.Network.NodeSubnetID = plan.UserDefinedRouting, plan.Later
			c.Topology.Pools[1].DisableOutboundNAT = true
		}, []string{"error: pools[1].disableOutboundNAT (MK728)"},
	},
	{
		"disableOutboundNAT with 1.26", func(c *plan.Cluster) {
			Platforms(platform.WindowsServer2022, "1.26")(c)
			c.Network.OutboundType = plan.ManagedNATGateway
			c.Topology.Pools[1].DisableOutboundNAT = true
		}, nil, nil,
	},
	{
		"disableOutboundNAT with the default outbound type", func(c *plan.Cluster) {
			c.Network.OutboundType = ""
			c.Topology.Pools[1].DisableOutboundNAT = true
		}, Both(Windows(func(p *topology.Pool) { p.DisableOutboundNAT = true }),
			Network(plan.Network{OutboundType: "managedNATGateway"})),
		[]string{"error: pools[1].disableOutboundNAT (MK729)"},
	},
	{
		"a NAT gateway of Azure on the user's own subnet", func(c *plan.Cluster) {
			c.Network = plan.Network{OutboundType: plan.ManagedNATGateway, NodeSubnetID: plan.Later}
			c.PoolOptions["win22"] = plan.PoolOptions{NodeSubnetID: ofSubnet("nodes")}
		}, Network(plan.Network{OutboundType: plan.ManagedNATGateway}),
		[]string{"error: network.nodeSubnetID (MK730)", "error: poolOptions[win22].nodeSubnetID (MK730)"},
	},
	{
		"the preview of the NAT gateway on the user's own subnet",
		Both(LinuxOnly, Network(plan.Network{OutboundType: plan.ManagedNATGatewayV2, NodeSubnetID: ofSubnet("nodes")})),
		Network(plan.Network{OutboundType: plan.LoadBalancer, NodeSubnetID: ofSubnet("nodes")}),
		[]string{"error: network.nodeSubnetID (MK730)", "warning: network.outboundType (MK725)"},
	},
	{
		"packets that Azure blocks on the user's own subnet",
		Both(LinuxOnly, Network(plan.Network{OutboundType: plan.BlockedOutbound, NodeSubnetID: ofSubnet("nodes")})),
		Both(LinuxOnly, Network(plan.Network{OutboundType: plan.NoOutbound, NodeSubnetID: ofSubnet("nodes")})),
		[]string{"error: network.nodeSubnetID (MK730)"},
	},
	{
		"the user's own NAT gateway without a subnet", Network(plan.Network{OutboundType: plan.UserAssignedNATGateway}),
		Network(plan.Network{OutboundType: plan.UserAssignedNATGateway, NodeSubnetID: plan.Later}),
		[]string{"error: network.nodeSubnetID (MK730)"},
	},
	{
		"a route for some pools", func(c *plan.Cluster) {
			c.Network.OutboundType = plan.UserDefinedRouting
			c.PoolOptions["sys"] = plan.PoolOptions{NodeSubnetID: ofSubnet("nodes")}
		}, func(c *plan.Cluster) {
			c.Network.OutboundType = plan.UserDefinedRouting
			c.PoolOptions["sys"] = plan.PoolOptions{NodeSubnetID: ofSubnet("nodes")}
			c.PoolOptions["win22"] = plan.PoolOptions{NodeSubnetID: plan.Later}
		}, []string{"error: network.nodeSubnetID (MK730)"},
	},
	{
		"a subnet that the mode needs too is reported once",
		Network(plan.Network{Mode: plan.PodSubnet, OutboundType: plan.UserDefinedRouting, PodSubnetID: plan.Later}),
		Network(plan.Network{
			Mode: plan.PodSubnet, OutboundType: plan.UserDefinedRouting, NodeSubnetID: plan.Later,
			PodSubnetID: plan.Later,
		}),
		[]string{"error: network.nodeSubnetID (MK726)"},
	},
}
