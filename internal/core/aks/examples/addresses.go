package examples

import (
	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// rangeExamples are examples of ranges of pods and Services of clusters that do not exist yet.
var rangeExamples = []Example{
	{
		"the first address of the range", services("10.1.0.0/16", "10.1.0.1"), services("10.1.0.0/16", "10.1.0.2"),
		[]string{"error: options.networkProfile.dnsServiceIP (MK788)"},
	},
	{
		"a range of Services that is too large", services("10.0.0.0/12", "10.0.0.10"),
		services("10.0.0.0/13", "10.0.0.10"),
		[]string{
			"error: options.networkProfile.serviceCidr (MK788)",
		},
	},
	{
		"a range that AKS reserves", networkProfile(obj{"podCidr": "172.16.0.0/12"}),
		networkProfile(obj{"podCidr": "172.16.0.0/13"}),
		[]string{"error: options.networkProfile.podCidr (MK854)"},
	},
	{
		"a reserved range of Services", services("192.0.2.0/24", "192.0.2.10"), services("192.0.3.0/24", "192.0.3.10"),
		[]string{"error: options.networkProfile.serviceCidr (MK854)"},
	},
	{
		"pods in the range of Services", networkProfile(obj{"podCidr": "10.0.0.0/15"}),
		networkProfile(obj{"podCidr": "10.2.0.0/15"}),
		[]string{"error: options.networkProfile.podCidr (MK855)"},
	},
	{
		"Services in the range of pods", services("10.244.0.0/24", "10.244.0.10"),
		services("10.245.0.0/24", "10.245.0.10"),
		[]string{"error: options.networkProfile.serviceCidr (MK855)"},
	},
	{
		"Services in the range of pods, in a mode without one",
		Both(services("10.244.0.0/24", "10.244.0.10"), func(c *plan.Cluster) { c.Network.Mode = plan.NodeSubnet }),
		nil, nil,
	},
	{
		"a /24 for fewer nodes than there are", networkProfile(obj{"podCidr": "10.244.0.0/22"}),
		networkProfile(obj{"podCidr": "10.244.0.0/21"}),
		[]string{"error: options.networkProfile.podCidr (MK856)"},
	},
	{
		"no /24 for the nodes of an upgrade", Both(networkProfile(obj{"podCidr": "10.244.0.0/21"}),
			Windows(func(p *topology.Pool) { p.Upgrade.MaxSurge = "4" })),
		networkProfile(obj{"podCidr": tree.Unknown{}}),
		[]string{"warning: options.networkProfile.podCidr (MK856)"},
	},
	{
		"the default range for more nodes than it has room for", Both(standard, hundreds(3)),
		Both(standard, hundreds(2)),
		[]string{"error: options.networkProfile.podCidr (MK856)"},
	},
	{
		"public addresses of pods", networkProfile(obj{"podCidr": "20.0.0.0/16"}),
		networkProfile(obj{"podCidr": "100.64.0.0/16"}),
		[]string{"warning: options.networkProfile.podCidr (MK740)"},
	},
	{
		"a family that AKS does not have alone", networkProfile(obj{"ipFamilies": []any{"IPv6"}}),
		networkProfile(obj{"ipFamilies": []any{"IPv4"}}),
		[]string{"error: options.networkProfile.ipFamilies (MK857)"},
	},
	{
		"two families with network policies", networkProfile(obj{"ipFamilies": []any{"IPv4", "IPv6"}}),
		Both(networkProfile(obj{"ipFamilies": []any{"IPv4", tree.Unknown{}}}),
			Network(plan.Network{Mode: plan.Overlay})),
		[]string{"error: network.policy (MK857)"},
	},
	{
		"two families in node-subnet", Both(networkProfile(obj{"ipFamilies": []any{"IPv4", "IPv6"}}),
			Network(plan.Network{Mode: plan.NodeSubnet, NodeSubnetID: plan.Later})),
		nil,
		[]string{"error: options.networkProfile.ipFamilies (MK857)"},
	},
	{
		"ranges in another order", Both(networkProfile(obj{
			"ipFamilies": []any{"IPv4", "IPv6"}, "podCidrs": []any{"fd00::/64", "10.244.0.0/16"},
		}), Network(plan.Network{Mode: plan.Overlay})), Both(networkProfile(obj{
			"ipFamilies": []any{"IPv4", "IPv6"}, "podCidrs": []any{"10.244.0.0/16", "fd00::/64"},
			"serviceCidrs": []any{"10.0.0.0/16", "fd01::/108"},
		}), Network(plan.Network{Mode: plan.Overlay})), []string{
			"error: options.networkProfile.podCidrs[0] (MK857)", "error: options.networkProfile.podCidrs[1] (MK857)",
		},
	},
	{
		"more ranges than families", networkProfile(obj{"serviceCidrs": []any{"10.0.0.0/16", "fd01::/108"}}), nil,
		[]string{"error: options.networkProfile.serviceCidrs[1] (MK857)"},
	},
	{
		"fewer ranges than families", Both(networkProfile(obj{
			"ipFamilies": []any{"IPv4", "IPv6"}, "podCidrs": []any{"10.244.0.0/16"},
		}), Network(plan.Network{Mode: plan.Overlay})), Both(networkProfile(obj{
			"ipFamilies": []any{"IPv4", "IPv6"}, "podCidrs": []any{"10.244.0.0/16", tree.Unknown{}},
		}), Network(plan.Network{Mode: plan.Overlay})),
		[]string{"error: options.networkProfile.podCidrs (MK857)"},
	},
	{
		"a range of Services with IPv6 that is too large", Both(networkProfile(obj{
			"ipFamilies": []any{"IPv4", "IPv6"}, "serviceCidrs": []any{"10.0.0.0/16", "fd01::/64"},
		}), Network(plan.Network{Mode: plan.Overlay})), nil,
		[]string{"error: options.networkProfile.serviceCidrs[1] (MK788)"},
	},
	{
		"fewer ranges than families", Both(networkProfile(obj{
			"ipFamilies": []any{"IPv4", "IPv6"}, "podCidrs": []any{"10.244.0.0/16"},
		}), Network(plan.Network{Mode: plan.Overlay})), nil, []string{"error: options.networkProfile.podCidrs (MK857)"},
	},
	{
		"two families with a gateway that has one", Both(networkProfile(obj{"ipFamilies": []any{"IPv4", "IPv6"}}),
			Network(plan.Network{Mode: plan.Overlay, OutboundType: plan.ManagedNATGateway})), nil,
		[]string{"warning: options.networkProfile.ipFamilies (MK857)"},
	},
}

// accessExamples are examples of load balancers, of the API server and of identities of such clusters.
var accessExamples = []Example{
	{
		"a subdomain without a zone", Options(obj{"fqdnSubdomain": "shop"}), func(c *plan.Cluster) {
			c.Options = obj{"fqdnSubdomain": "shop"}
			c.APIServer.Private, c.APIServer.PrivateDNSZone = true, plan.Later
			c.Identity.UserAssignedID = plan.Later
		}, []string{"error: options.fqdnSubdomain (MK892)"},
	},
	{
		"a Basic load balancer", networkProfile(obj{"loadBalancerSku": "basic"}),
		networkProfile(obj{"loadBalancerSku": "standard"}),
		[]string{"error: options.networkProfile.loadBalancerSku (MK858)"},
	},
	{
		"numbers outside of their ranges", Options(obj{"networkProfile": obj{
			"loadBalancerProfile": obj{"managedOutboundIPs": obj{"count": 101}, "idleTimeoutInMinutes": 3},
			"natGatewayProfile":   obj{"managedOutboundIPProfile": obj{"count": 17}},
		}}), Options(obj{"networkProfile": obj{
			"loadBalancerProfile": obj{"managedOutboundIPs": obj{"count": 100}, "idleTimeoutInMinutes": 4},
			"natGatewayProfile":   obj{"managedOutboundIPProfile": obj{"count": 16}},
		}}), []string{
			"error: options.networkProfile.loadBalancerProfile.idleTimeoutInMinutes (MK859)",
			"error: options.networkProfile.loadBalancerProfile.managedOutboundIPs.count (MK859)",
			"error: options.networkProfile.natGatewayProfile.managedOutboundIPProfile.count (MK859)",
		},
	},
	{
		"ports that are not a multiple of 8", balancer(obj{"allocatedOutboundPorts": 63}),
		balancer(obj{"allocatedOutboundPorts": 64}),
		[]string{"error: options.networkProfile.loadBalancerProfile.allocatedOutboundPorts (MK859)"},
	},
	{
		"more ports than addresses have", balancer(obj{"allocatedOutboundPorts": 16000}),
		balancer(obj{"allocatedOutboundPorts": 16000, "managedOutboundIPs": obj{"count": 2}}),
		[]string{"error: options.networkProfile.loadBalancerProfile.allocatedOutboundPorts (MK859)"},
	},
	{
		"addresses of two kinds", balancer(obj{"managedOutboundIPs": obj{"count": 2}, "outboundIPs": obj{}}),
		balancer(obj{"allocatedOutboundPorts": 32000, "outboundIPPrefixes": obj{}}),
		[]string{"error: options.networkProfile.loadBalancerProfile (MK859)"},
	},
	{
		"a number of addresses that is not known", nil,
		balancer(obj{"allocatedOutboundPorts": 32000, "managedOutboundIPs": obj{"count": tree.Unknown{}}}), nil,
	},
	{
		"an API server without a subnet", apiServerIn(obj{"enableVnetIntegration": true}, "/vnet/subnets/nodes"),
		apiServerIn(obj{"enableVnetIntegration": true, "subnetId": "/vnet/subnets/api"}, "/vnet/subnets/nodes"),
		[]string{"error: options.apiServerAccessProfile.enableVnetIntegration (MK860)"},
	},
	{
		"an API server in the subnet of nodes",
		apiServerIn(obj{"enableVnetIntegration": true, "subnetId": "/vnet/subnets/NODES"}, "/vnet/subnets/nodes"),
		apiServerIn(obj{"enableVnetIntegration": true}, ""),
		[]string{"error: options.apiServerAccessProfile.subnetId (MK860)"},
	},
	{
		"an API server in a network of yours without an identity of yours", func(c *plan.Cluster) {
			apiServerIn(obj{"enableVnetIntegration": true, "subnetId": "/a"}, "/b")(c)
			c.Identity.UserAssignedID = ""
		}, nil, []string{"error: options.apiServerAccessProfile.enableVnetIntegration (MK861)"},
	},
	{
		"groups without an identity of yours",
		Both(PoolOptions("win22", obj{"hostGroupID": "/hosts"}),
			Options(obj{"identityProfile": obj{"kubeletidentity": obj{}}})),
		Both(PoolOptions("win22", obj{"hostGroupID": "/hosts"}),
			func(c *plan.Cluster) { c.Identity.UserAssignedID = plan.Later }),
		[]string{
			"error: options.identityProfile.kubeletidentity (MK861)",
			"error: poolOptions[win22].options.hostGroupID (MK861)",
		},
	},
	{
		"a zone with another name", privateZone("/privateDnsZones/corp.example.com", plan.Later),
		privateZone("/privateDnsZones/shop.privatelink.westeurope.azmk8s.io", plan.Later),
		[]string{"error: apiServer.privateDNSZone (MK862)"},
	},
	{
		"a private API server without a name", Both(privateZone("none", ""), Options(obj{"apiServerAccessProfile": obj{
			"enablePrivateClusterPublicFQDN": false,
		}})), privateZone("none", ""), []string{"error: apiServer.privateDNSZone (MK862)"},
	},
	{
		"a zone for API Server VNet Integration", Both(privateZone("/z/private.westeurope.azmk8s.io", plan.Later),
			Options(obj{})), Both(privateZone("/z/private.westeurope.azmk8s.io", plan.Later),
			Options(obj{"apiServerAccessProfile": obj{"enableVnetIntegration": true}})),
		[]string{"error: apiServer.privateDNSZone (MK862)"},
	},
	{
		"one node for the system's pods", System(func(p *topology.Pool) { p.Count = 1 }),
		System(func(p *topology.Pool) { p.Count, p.Autoscaling = 0, topology.Autoscaling{Min: 2, Max: 3} }),
		[]string{"info: pools[0].count (MK880)"},
	},
}
