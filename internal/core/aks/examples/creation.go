package examples

import (
	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// creationExamples are examples of clusters that do not exist yet.
var creationExamples = []Example{
	{
		"a version that AKS does not have", On("2026-11-29", Version("1.22")), On("2026-11-29", Version("1.35")),
		[]string{"error: kubernetesVersion (MK775)"},
	},
	{
		"a version with long-term support only", On("2026-11-29", Version("1.33.4")),
		On("2026-11-29", Both(Version("1.33.4"), Options(obj{"supportPlan": "AKSLongTermSupport"}))),
		[]string{"error: kubernetesVersion (MK775)"},
	},
	{
		"a version at the end of its support", On("2026-12-05", Version("1.34")), On("2026-12-01", Version("1.34")),
		[]string{"warning: kubernetesVersion (MK775)"},
	},
	{
		"a version after its long-term support",
		On("2026-11-29", Both(Version("1.30"), Options(obj{"supportPlan": "AKSLongTermSupport"}))),
		On("2026-11-29", Both(Version("1.31"), Options(obj{"supportPlan": tree.Unknown{}}))),
		[]string{"error: kubernetesVersion (MK775)"},
	},
	{"a version that AKS does not have yet", nil, On("2026-11-29", Version("1.38")), nil},
	{"no day", nil, Version("1.22"), nil},
	{
		"a zone without an identity", privateZone(ofZone, ""),
		privateZone(ofZone, plan.Later),
		[]string{"error: apiServer.privateDNSZone (MK776)"},
	},
	{
		"the policies of Cilium without its dataplane", func(c *plan.Cluster) { c.Network.Policy = plan.CiliumPolicy },
		func(c *plan.Cluster) {
			c.Network.Policy = plan.CiliumPolicy
			c.Options = obj{"networkProfile": obj{"networkDataplane": "cilium"}}
		},
		[]string{"error: network.policy (MK787)"},
	},
	{
		"no range, and a name of a server", services("10.0.0.0", "dns"), services("10.1.0.0/16", "10.1.0.10"),
		[]string{
			"error: options.networkProfile.dnsServiceIP (MK788)",
			"error: options.networkProfile.serviceCidr (MK788)",
		},
	},
	{
		"an address outside of the range", services("10.1.0.0/16", "10.2.0.10"), services("10.1.0.0/16", "10.1.0.10"),
		[]string{"error: options.networkProfile.dnsServiceIP (MK788)"},
	},
	{
		"a range without an address", services("10.1.0.0/16", nil), services("10.0.0.0/24", nil),
		[]string{"error: options.networkProfile.dnsServiceIP (MK788)"},
	},
	{
		"an address without a range", services(nil, "172.16.0.10"), services(nil, "10.0.0.20"),
		[]string{"error: options.networkProfile.dnsServiceIP (MK788)"},
	},
	{"an address in a range that is not known", nil, services(tree.Unknown{}, "10.2.0.10"), nil},
	{"a zone of Azure", nil, privateZone("system", ""), nil},
	{
		"a zone that is not known", privateZone(plan.Later, ""),
		privateZone(plan.Later, Of("Microsoft.ManagedIdentity/userAssignedIdentities")),
		[]string{"warning: apiServer.privateDNSZone (MK776)"},
	},
	{
		"a service principal", nil, Both(privateZone(ofZone, ""),
			Options(obj{"servicePrincipalProfile": obj{"clientId": "c"}})), nil,
	},
}

// networkProfile returns a change of the network profile.
func networkProfile(o obj) func(c *plan.Cluster) { return Options(obj{"networkProfile": o}) }

// balancer returns a change of the profile of the load balancer.
func balancer(o obj) func(c *plan.Cluster) { return networkProfile(obj{"loadBalancerProfile": o}) }

// Version returns a change of the version of the cluster.
func Version(v string) func(c *plan.Cluster) { return Platforms(platform.WindowsServer2022, v) }

// ofZone is the ID of a zone for a private API server.
const ofZone = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/privateDnsZones/" +
	"privatelink.westeurope.azmk8s.io"

func services(cidr, dns any) func(c *plan.Cluster) {
	return Options(obj{"networkProfile": obj{"serviceCidr": cidr, "dnsServiceIP": dns}})
}

// apiServerIn returns a cluster with nodes in a subnet, and an access profile of its API server.
func apiServerIn(profile obj, nodes string) func(c *plan.Cluster) {
	return func(c *plan.Cluster) {
		c.Options = obj{"apiServerAccessProfile": profile}
		c.Network.NodeSubnetID, c.Identity.UserAssignedID = nodes, plan.Later
	}
}

func privateZone(zone, identity string) func(c *plan.Cluster) {
	return func(c *plan.Cluster) {
		c.APIServer = plan.APIServer{Private: true, PrivateDNSZone: zone}
		c.Identity.UserAssignedID = identity
	}
}
