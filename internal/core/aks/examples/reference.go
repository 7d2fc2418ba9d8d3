package examples

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Of returns the ID of a resource of a type: each part of the type below its namespace has the name x.
func Of(kind string) string {
	namespace, below, _ := strings.Cut(kind, "/")
	return "/subscriptions/s/resourceGroups/rg/providers/" + namespace + "/" +
		strings.ReplaceAll(below, "/", "/x/") + "/x"
}

// ofSubnet returns the ID of a subnet.
func ofSubnet(name string) string {
	return "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/shop/subnets/" + name
}

func nodeSubnet(id string) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.Network.NodeSubnetID = id }
}

func identity(id string) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.Identity.UserAssignedID = id }
}

func zone(id string) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.APIServer.PrivateDNSZone = id }
}

// referenceExamples are examples of values that have to be IDs. The neighbor of each is a good one.
var referenceExamples = []Example{
	{
		"a subnet by its name", nodeSubnet("nodes"), nodeSubnet(ofSubnet("nodes")),
		[]string{"error: network.nodeSubnetID (MK760)"},
	},
	{
		"a network in place of its subnet", nodeSubnet(Of("Microsoft.Network/virtualNetworks")), nodeSubnet(plan.Later),
		[]string{"error: network.nodeSubnetID (MK760)"},
	},
	{
		"a subnet of a pool", func(c *plan.Cluster) { c.PoolOptions["sys"] = plan.PoolOptions{NodeSubnetID: "/nodes"} },
		func(c *plan.Cluster) {
			c.PoolOptions["sys"] = plan.PoolOptions{NodeSubnetID: strings.ToUpper(ofSubnet("nodes")) + "/"}
		},
		[]string{"error: poolOptions[sys].nodeSubnetID (MK760)"},
	},
	{
		"an identity by its name", identity("prod"), identity(Of("Microsoft.ManagedIdentity/userAssignedIdentities")),
		[]string{"error: identity.userAssignedID (MK760)"},
	},
	{
		"a public DNS zone", zone(Of("Microsoft.Network/dnsZones")), zone("System"),
		[]string{"error: apiServer.privateDNSZone (MK760)"},
	},
	{
		"a DNS zone in a list", Options(obj{"ingressProfile": obj{"webAppRouting": obj{
			"dnsZoneResourceIds": []any{Of("Microsoft.Network/dnszones"), "shop.example.com"},
		}}}), Options(obj{"ingressProfile": obj{"webAppRouting": obj{"dnsZoneResourceIds": []any{
			Of("Microsoft.Network/privateDnsZones"), tree.Unknown{}, tree.Secret{Value: tree.Unknown{}},
		}}}}), []string{"error: options.ingressProfile.webAppRouting.dnsZoneResourceIds[1] (MK760)"},
	},
	{
		"an address in a list of objects", Options(obj{"networkProfile": obj{"loadBalancerProfile": obj{
			"outboundIPs": obj{"publicIPs": []any{obj{"id": "203.0.113.7"}}},
		}}}), Options(obj{"networkProfile": obj{"loadBalancerProfile": obj{
			"outboundIPs": obj{"publicIPs": []any{obj{"id": Of("Microsoft.Network/publicIPAddresses")}}},
		}}}), []string{"error: options.networkProfile.loadBalancerProfile.outboundIPs.publicIPs[0].id (MK760)"},
	},
	{
		"a secret that is not an ID", Options(obj{"diskEncryptionSetID": tree.Secret{Value: "hush"}}),
		Options(obj{"diskEncryptionSetID": tree.Secret{Value: Of("Microsoft.Compute/diskEncryptionSets")}}),
		[]string{"error: options.diskEncryptionSetID (MK760)"},
	},
}
