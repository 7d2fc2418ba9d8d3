package plan_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// of returns the ID of a resource of a type: each part of the type below its namespace has the name x.
func of(kind string) string {
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
var referenceExamples = []example{
	{
		"a subnet by its name", nodeSubnet("nodes"), nodeSubnet(ofSubnet("nodes")),
		[]string{"error: network.nodeSubnetID (MK760)"},
	},
	{
		"a network in place of its subnet", nodeSubnet(of("Microsoft.Network/virtualNetworks")), nodeSubnet(plan.Later),
		[]string{"error: network.nodeSubnetID (MK760)"},
	},
	{
		"a subnet of a pool", func(c *plan.Cluster) { c.PoolOptions["sys"] = plan.PoolOptions{NodeSubnetID: "/nodes"} },
		func(c *plan.Cluster) {
			c.PoolOptions["sys"] = plan.PoolOptions{NodeSubnetID: strings.ToUpper(ofSubnet("nodes")) + "/"}
		}, []string{"error: poolOptions[sys].nodeSubnetID (MK760)"},
	},
	{
		"an identity by its name", identity("prod"), identity(of("Microsoft.ManagedIdentity/userAssignedIdentities")),
		[]string{"error: identity.userAssignedID (MK760)"},
	},
	{
		"a public DNS zone", zone(of("Microsoft.Network/dnsZones")), zone("System"),
		[]string{"error: apiServer.privateDNSZone (MK760)"},
	},
	{
		"a DNS zone in a list", options(obj{"ingressProfile": obj{"webAppRouting": obj{
			"dnsZoneResourceIds": []any{of("Microsoft.Network/dnszones"), "shop.example.com"},
		}}}), options(obj{"ingressProfile": obj{"webAppRouting": obj{"dnsZoneResourceIds": []any{
			of("Microsoft.Network/privateDnsZones"), tree.Unknown{}, tree.Secret{Value: tree.Unknown{}},
		}}}}), []string{"error: options.ingressProfile.webAppRouting.dnsZoneResourceIds[1] (MK760)"},
	},
	{
		"an address in a list of objects", options(obj{"networkProfile": obj{"loadBalancerProfile": obj{
			"outboundIPs": obj{"publicIPs": []any{obj{"id": "203.0.113.7"}}},
		}}}), options(obj{"networkProfile": obj{"loadBalancerProfile": obj{
			"outboundIPs": obj{"publicIPs": []any{obj{"id": of("Microsoft.Network/publicIPAddresses")}}},
		}}}), []string{"error: options.networkProfile.loadBalancerProfile.outboundIPs.publicIPs[0].id (MK760)"},
	},
	{
		"a secret that is not an ID", options(obj{"diskEncryptionSetID": tree.Secret{Value: "hush"}}),
		options(obj{"diskEncryptionSetID": tree.Secret{Value: of("Microsoft.Compute/diskEncryptionSets")}}),
		[]string{"error: options.diskEncryptionSetID (MK760)"},
	},
}

// Each reference refuses a name, and takes the ID of a resource of its type.
func TestEachReferenceIsChecked(t *testing.T) {
	t.Parallel()
	const (
		subnetType    = "Microsoft.Network/virtualNetworks/subnets"
		identityType  = "Microsoft.ManagedIdentity/userAssignedIdentities"
		workspaceType = "Microsoft.OperationalInsights/workspaces"
		zoneType      = "Microsoft.Network/privateDnsZones"
		balancer      = "options.networkProfile.loadBalancerProfile."
	)
	for path, kind := range map[string]string{
		"network.nodeSubnetID":                                                  subnetType,
		"network.podSubnetID":                                                   subnetType,
		"identity.userAssignedID":                                               identityType,
		"apiServer.privateDNSZone":                                              zoneType,
		"options.diskEncryptionSetID":                                           "Microsoft.Compute/diskEncryptionSets",
		"options.identityProfile.kubeletidentity.resourceId":                    identityType,
		"options.apiServerAccessProfile.subnetId":                               subnetType,
		"options.addonProfiles.omsagent.config.logAnalyticsWorkspaceResourceID": workspaceType,
		"options.securityProfile.defender.logAnalyticsWorkspaceResourceId":      workspaceType,
		"options.securityProfile.azureKeyVaultKms.keyVaultResourceId":           "Microsoft.KeyVault/vaults",
		"options.ingressProfile.webAppRouting.dnsZoneResourceIds":               "Microsoft.Network/dnszones",
		balancer + "outboundIPs.publicIPs":                                      "Microsoft.Network/publicIPAddresses",
		balancer + "outboundIPPrefixes.publicIPPrefixes":                        "Microsoft.Network/publicIPPrefixes",

		"nodeSubnetID":                                     subnetType,
		"podSubnetID":                                      subnetType,
		"options.capacityReservationGroupID":               "Microsoft.Compute/capacityReservationGroups",
		"options.hostGroupID":                              "Microsoft.Compute/hostGroups",
		"options.nodePublicIPPrefixID":                     "Microsoft.Network/publicIPPrefixes",
		"options.proximityPlacementGroupID":                "Microsoft.Compute/proximityPlacementGroups",
		"options.networkProfile.applicationSecurityGroups": "Microsoft.Network/applicationSecurityGroups",
		"options.creationData.sourceResourceId":            "Microsoft.ContainerService/snapshots",
	} {
		found := false
		for _, r := range append(plan.ReferencesOfCluster(), plan.ReferencesOfPool()...) {
			if strings.Join(r.Path, ".") != path {
				continue
			}
			found = true
			if got := r.Check(path, of(kind)); len(got) > 0 {
				t.Errorf("%s: %v", path, got)
			}
			for _, wrong := range []string{"x", of("Microsoft.Other/things"), of(kind)[1:], of(kind) + "/more"} {
				if got := r.Check(path, wrong); len(got) != 1 {
					t.Errorf("%s: %q: %v", path, wrong, got)
				}
			}
		}
		if !found {
			t.Errorf("no reference has the path %s", path)
		}
	}
	if got, want := len(plan.ReferencesOfCluster())+len(plan.ReferencesOfPool()), 21; got != want {
		t.Errorf("%d references, and the table has %d", got, want)
	}
}
