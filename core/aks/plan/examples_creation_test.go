package plan_test

import (
	"slices"
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// creationExamples are examples of clusters that do not exist yet.
var creationExamples = []example{
	{
		"a version that AKS does not have", on("2026-11-29", version("1.22")), on("2026-11-29", version("1.35")),
		[]string{"error: kubernetesVersion (MK775)"},
	},
	{
		"a version with long-term support only", on("2026-11-29", version("1.33.4")),
		on("2026-11-29", both(version("1.33.4"), options(obj{"supportPlan": "AKSLongTermSupport"}))),
		[]string{"error: kubernetesVersion (MK775)"},
	},
	{
		"a version at the end of its support", on("2026-12-05", version("1.34")), on("2026-12-01", version("1.34")),
		[]string{"warning: kubernetesVersion (MK775)"},
	},
	{
		"a version after its long-term support",
		on("2026-11-29", both(version("1.30"), options(obj{"supportPlan": "AKSLongTermSupport"}))),
		on("2026-11-29", both(version("1.31"), options(obj{"supportPlan": tree.Unknown{}}))),
		[]string{"error: kubernetesVersion (MK775)"},
	},
	{"a version that AKS does not have yet", nil, on("2026-11-29", version("1.38")), nil},
	{"no day", nil, version("1.22"), nil},
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
		}, []string{"error: network.policy (MK787)"},
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
		privateZone(plan.Later, of("Microsoft.ManagedIdentity/userAssignedIdentities")),
		[]string{"warning: apiServer.privateDNSZone (MK776)"},
	},
	{
		"a service principal", nil, both(privateZone(ofZone, ""),
			options(obj{"servicePrincipalProfile": obj{"clientId": "c"}})), nil,
	},
}

// networkProfile returns a change of the network profile.
func networkProfile(o obj) func(c *plan.Cluster) { return options(obj{"networkProfile": o}) }

// balancer returns a change of the profile of the load balancer.
func balancer(o obj) func(c *plan.Cluster) { return networkProfile(obj{"loadBalancerProfile": o}) }

func version(v string) func(c *plan.Cluster) { return platforms(platform.WindowsServer2022, v) }

// ofZone is the ID of a zone for a private API server.
const ofZone = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/privateDnsZones/" +
	"privatelink.westeurope.azmk8s.io"

func services(cidr, dns any) func(c *plan.Cluster) {
	return options(obj{"networkProfile": obj{"serviceCidr": cidr, "dnsServiceIP": dns}})
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

func TestCheckCreation(t *testing.T) {
	t.Parallel()
	wantFindings(t, plan.CheckCreation(good(nil)))
	for _, e := range slices.Concat(creationExamples, rangeExamples, accessExamples, creationLimits) {
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
		"warning: kubernetesVersion (MK711)")
	for _, v := range []string{"1.32", "1.36.3", "1.38", ""} {
		wantFindings(t, plan.CheckOlderVersion(good(version(v))))
	}
	wantFindings(t, plan.CheckOlderVersion(good(on("2026-12-15", version("1.34")))),
		"warning: kubernetesVersion (MK884)")
	wantFindings(t, plan.CheckOlderVersion(good(on("2026-11-15", version("1.34"))))) // CheckCluster has an info
}
