package plan_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
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

const useSubnet = `use the ID of the resource, /subscriptions/…/resourceGroups/…/providers/Microsoft.Network/` +
	`virtualNetworks/…/subnets/… (MK760)`

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
		[]string{`error: network.nodeSubnetID: "nodes": not the ID of a subnet: ` + useSubnet},
	},
	{
		"a network in place of its subnet", nodeSubnet(of("Microsoft.Network/virtualNetworks")), nodeSubnet(plan.Later),
		[]string{
			`error: network.nodeSubnetID: "` + of("Microsoft.Network/virtualNetworks") + `": the ID of a resource of ` +
				`type Microsoft.Network/virtualNetworks, not of a subnet: ` + useSubnet,
		},
	},
	{
		"a subnet of a pool", func(c *plan.Cluster) { c.PoolOptions["sys"] = plan.PoolOptions{NodeSubnetID: "/nodes"} },
		func(c *plan.Cluster) {
			c.PoolOptions["sys"] = plan.PoolOptions{NodeSubnetID: strings.ToUpper(ofSubnet("nodes")) + "/"}
		},
		[]string{`error: poolOptions[sys].nodeSubnetID: "/nodes": not the ID of a subnet: ` + useSubnet},
	},
	{
		"an identity by its name", identity("prod"), identity(of("Microsoft.ManagedIdentity/userAssignedIdentities")),
		[]string{
			`error: identity.userAssignedID: "prod": not the ID of a managed identity: use the ID of the resource, ` +
				`/subscriptions/…/resourceGroups/…/providers/Microsoft.ManagedIdentity/userAssignedIdentities/… ` +
				`(MK760)`,
		},
	},
	{
		"a public DNS zone", zone(of("Microsoft.Network/dnsZones")), zone("System"),
		[]string{
			`error: apiServer.privateDNSZone: "` + of("Microsoft.Network/dnsZones") + `": the ID of a resource of ` +
				`type Microsoft.Network/dnsZones, not of a private DNS zone: use the ID of the resource, ` +
				`/subscriptions/…/resourceGroups/…/providers/Microsoft.Network/privateDnsZones/…, or system, or none ` +
				`(MK760)`,
		},
	},
	{
		"a DNS zone in a list", options(obj{"ingressProfile": obj{"webAppRouting": obj{
			"dnsZoneResourceIds": []any{of("Microsoft.Network/dnszones"), "shop.example.com"},
		}}}),
		options(obj{"ingressProfile": obj{"webAppRouting": obj{"dnsZoneResourceIds": []any{
			of("Microsoft.Network/privateDnsZones"), tree.Unknown{}, tree.Secret{Value: tree.Unknown{}},
		}}}}),
		[]string{
			`error: options.ingressProfile.webAppRouting.dnsZoneResourceIds[1]: "shop.example.com": not the ID of a ` +
				`DNS zone: use the ID of the resource, /subscriptions/…/resourceGroups/…/providers/Microsoft.Network/` +
				`dnszones/… (MK760)`,
		},
	},
	{
		"an address in a list of objects", options(obj{"networkProfile": obj{"loadBalancerProfile": obj{
			"outboundIPs": obj{"publicIPs": []any{obj{"id": "203.0.113.7"}}},
		}}}),
		options(obj{"networkProfile": obj{"loadBalancerProfile": obj{
			"outboundIPs": obj{"publicIPs": []any{obj{"id": of("Microsoft.Network/publicIPAddresses")}}},
		}}}),
		[]string{
			`error: options.networkProfile.loadBalancerProfile.outboundIPs.publicIPs[0].id: "203.0.113.7": not the ` +
				`ID of a public IP address: use the ID of the resource, ` +
				`/subscriptions/…/resourceGroups/…/providers/Microsoft.Network/publicIPAddresses/… (MK760)`,
		},
	},
	{
		"a secret that is not an ID", options(obj{"diskEncryptionSetID": tree.Secret{Value: "hush"}}),
		options(obj{"diskEncryptionSetID": tree.Secret{Value: of("Microsoft.Compute/diskEncryptionSets")}}),
		[]string{
			`error: options.diskEncryptionSetID: [secret]: not the ID of a disk encryption set: use the ID of the ` +
				`resource, /subscriptions/…/resourceGroups/…/providers/Microsoft.Compute/diskEncryptionSets/… (MK760)`,
		},
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

// The references of a pool without its cluster are checked too.
func TestReferencesOfAPool(t *testing.T) {
	t.Parallel()
	pool := good(nil).Topology.Pools[1]
	found := plan.CheckPool(plan.Pool{
		Pool: pool.WithDefaults("1.36"), KubernetesVersion: "1.36", Network: plan.Network{NodeSubnetID: "nodes"},
		Options: plan.PoolOptions{Options: obj{"hostGroupID": "hosts"}},
	})
	wantFindings(t, found,
		`error: network.nodeSubnetID: "nodes": not the ID of a subnet: `+useSubnet,
		`error: options.hostGroupID: "hosts": not the ID of a host group: use the ID of the resource, `+
			`/subscriptions/…/resourceGroups/…/providers/Microsoft.Compute/hostGroups/… (MK760)`)
}

// creationExamples are examples of clusters that do not exist yet.
var creationExamples = []example{
	{
		"a version that AKS does not have", on("2026-11-29", version("1.22")), on("2026-11-29", version("1.35")),
		[]string{
			`error: kubernetesVersion: "1.22": AKS no longer creates clusters with it: use 1.36, for example (MK775)`,
		},
	},
	{
		"a version with long-term support only", on("2026-11-29", version("1.33.4")),
		on("2026-11-29", both(version("1.33.4"), options(obj{"supportPlan": "AKSLongTermSupport"}))),
		[]string{
			`error: kubernetesVersion: "1.33.4": its community support in AKS ended on 2026-07-31, and then AKS ` +
				`creates no clusters with it: use 1.36, for example; or set options.supportPlan to ` +
				`AKSLongTermSupport, ` +
				`and options.sku.tier to Premium (MK775)`,
		},
	},
	{
		"a version at the end of its support", on("2026-12-05", version("1.34")), on("2026-12-01", version("1.34")),
		[]string{
			`warning: kubernetesVersion: "1.34": its community support in AKS ended on 2026-11-30, and then AKS ` +
				`creates no clusters with it: use 1.36, for example; or set options.supportPlan to ` +
				`AKSLongTermSupport, ` +
				`and options.sku.tier to Premium (MK775)`,
		},
	},
	{
		"a version after its long-term support",
		on("2026-11-29", both(version("1.30"), options(obj{"supportPlan": "AKSLongTermSupport"}))),
		on("2026-11-29", both(version("1.31"), options(obj{"supportPlan": tree.Unknown{}}))),
		[]string{
			`error: kubernetesVersion: "1.30": its long-term support in AKS ended on 2026-07-31, and then AKS ` +
				`creates no clusters with it: use 1.36, for example (MK775)`,
		},
	},
	{"a version that AKS does not have yet", nil, on("2026-11-29", version("1.38")), nil},
	{"no day", nil, version("1.22"), nil},
	{
		"a zone without an identity", privateZone(of("Microsoft.Network/privateDnsZones"), ""),
		privateZone(of("Microsoft.Network/privateDnsZones"), plan.Later),
		[]string{
			`error: apiServer.privateDNSZone: "` + of("Microsoft.Network/privateDnsZones") + `": the identity that ` +
				`Azure creates with the cluster cannot have the roles that the zone needs: set ` +
				`identity.userAssignedID to an identity with the roles Private DNS Zone Contributor on the zone and ` +
				`Network Contributor on the virtual network, or use system (MK776)`,
		},
	},
	{
		"the policies of Cilium without its dataplane",
		func(c *plan.Cluster) { c.Network.Policy = plan.CiliumPolicy },
		func(c *plan.Cluster) {
			c.Network.Policy = plan.CiliumPolicy
			c.Options = obj{"networkProfile": obj{"networkDataplane": "cilium"}}
		},
		[]string{
			`error: network.policy: "cilium": needs the dataplane cilium: set ` +
				`options.networkProfile.networkDataplane to ` +
				`cilium, or use another policy (MK787)`,
		},
	},
	{
		"no range, and a name of a server", services("10.0.0.0", "dns"), services("10.1.0.0/16", "10.1.0.10"),
		[]string{
			`error: options.networkProfile.dnsServiceIP: "dns": not an IP address: write 10.0.0.10, for example ` +
				`(MK788)`,
			`error: options.networkProfile.serviceCidr: "10.0.0.0": not a range in CIDR notation: write ` +
				`10.0.0.0/16, for ` +
				`example (MK788)`,
		},
	},
	{
		"an address outside of the range", services("10.1.0.0/16", "10.2.0.10"), services("10.1.0.0/16", "10.1.0.10"),
		[]string{
			`error: options.networkProfile.dnsServiceIP: "10.2.0.10": not in the range of Services, 10.1.0.0/16: ` +
				`set serviceCidr and an address of it (MK788)`,
		},
	},
	{
		"a range without an address", services("10.1.0.0/16", nil), services("10.0.0.0/24", nil),
		[]string{
			`error: options.networkProfile.dnsServiceIP: "10.0.0.10": not in the range of Services, 10.1.0.0/16: ` +
				`set serviceCidr and an address of it (MK788)`,
		},
	},
	{
		"an address without a range", services(nil, "172.16.0.10"), services(nil, "10.0.0.20"),
		[]string{
			`error: options.networkProfile.dnsServiceIP: "172.16.0.10": not in the range of Services, 10.0.0.0/16: ` +
				`set serviceCidr and an address of it (MK788)`,
		},
	},
	{"an address in a range that is not known", nil, services(tree.Unknown{}, "10.2.0.10"), nil},
	{"a zone of Azure", nil, privateZone("system", ""), nil},
	{
		"a zone that is not known", privateZone(plan.Later, ""),
		privateZone(plan.Later, of("Microsoft.ManagedIdentity/userAssignedIdentities")),
		[]string{
			`warning: apiServer.privateDNSZone: the identity that Azure creates with the cluster cannot have the ` +
				`roles that the zone needs: set identity.userAssignedID to an identity with the roles Private DNS ` +
				`Zone Contributor on the zone and Network Contributor on the virtual network, or use system (MK776)`,
		},
	},
	{
		"a service principal", nil,
		both(privateZone(of("Microsoft.Network/privateDnsZones"), ""),
			options(obj{"servicePrincipalProfile": obj{"clientId": "c"}})),
		nil,
	},
}

func version(v string) func(c *plan.Cluster) { return platforms(platform.WindowsServer2022, v) }

func services(cidr, dns any) func(c *plan.Cluster) {
	return options(obj{"networkProfile": obj{"serviceCidr": cidr, "dnsServiceIP": dns}})
}

func privateZone(zone, identity string) func(c *plan.Cluster) {
	return func(c *plan.Cluster) {
		c.APIServer = plan.APIServer{Private: true, PrivateDNSZone: zone}
		c.Identity.UserAssignedID = identity
	}
}

func TestCheckCreation(t *testing.T) {
	t.Parallel()
	wantFindings(t, plan.CheckCreation(good(nil)))
	for _, e := range creationExamples {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			if e.bad != nil {
				wantFindings(t, plan.CheckCreation(good(e.bad)), e.want...)
			}
			wantFindings(t, plan.CheckCreation(good(e.fine)))
		})
	}
}

// An existing cluster keeps its version, however old it is.
func TestOlderVersionsOfExistingClusters(t *testing.T) {
	t.Parallel()
	wantFindings(t, plan.CheckOlderVersion(good(version("1.22"))),
		`warning: kubernetesVersion: "1.22": older than the versions of AKS that this library knows (1.32 to 1.37): `+
			`use a version that Azure supports (MK711)`)
	for _, v := range []string{"1.32", "1.36.3", "1.38", ""} {
		wantFindings(t, plan.CheckOlderVersion(good(version(v))))
	}
}
