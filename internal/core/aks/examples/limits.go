package examples

import (
	"encoding/base64"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// creationLimits are examples of new clusters, as [limitExamples].
var creationLimits = []Example{
	{
		"the third range that AKS reserves", networkProfile(obj{"podCidr": "172.30.0.0/16"}),
		networkProfile(obj{"podCidr": "172.29.0.0/16"}),
		[]string{"error: options.networkProfile.podCidr (MK854)"},
	},
	{
		"the fourth range that AKS reserves", networkProfile(obj{"podCidr": "172.31.0.0/16"}),
		networkProfile(obj{"podCidr": "172.28.0.0/16"}),
		[]string{"error: options.networkProfile.podCidr (MK854)"},
	},
	{
		"reserved capacity without an identity of yours",
		PoolOptions("win22", obj{"capacityReservationGroupID": "/reserved"}),
		Both(PoolOptions("win22", obj{"capacityReservationGroupID": "/reserved"}),
			func(c *plan.Cluster) { c.Identity.UserAssignedID = plan.Later }),
		[]string{"error: poolOptions[win22].options.capacityReservationGroupID (MK861)"},
	},
	{
		"36 KB of certificates", Options(largeCertificates(36<<10, 36<<10)), Options(largeCertificates(35<<10, 35<<10)),
		[]string{
			"warning: options.httpProxyConfig.trustedCa (MK906)",
			"warning: options.securityProfile.customCATrustCertificates (MK906)",
		},
	},
}

// largeCertificates has sizes of own authorities, in two files, and of the certificates of a proxy.
func largeCertificates(authorities, proxy int) obj {
	text := func(size int) string { return base64.StdEncoding.EncodeToString(make([]byte, size)) }
	return obj{
		"securityProfile": obj{
			"customCATrustCertificates": []any{text(authorities - 1000), text(1000), tree.Unknown{}},
		},
		"httpProxyConfig": obj{"trustedCa": text(proxy)},
	}
}

// limitExamples are further examples of rules that report several limits of Microsoft's pages: one of each limit that
// no other example has.
var limitExamples = []Example{
	{
		"pod-managed identity",
		On("2026-12-02", Both(retiresLate, Options(obj{"podIdentityProfile": obj{"enabled": true}}))),
		On("2026-12-02", Both(retiresLate, Options(obj{"podIdentityProfile": obj{"enabled": false}}))),
		[]string{"warning: options.podIdentityProfile.enabled (MK896)"},
	},
	{
		"Open Service Mesh before its end", On("2027-04-10", Both(linuxOf137, Options(openServiceMesh))),
		On("2027-03-01", Both(linuxOf137, Options(openServiceMesh))),
		[]string{"warning: options.addonProfiles.openServiceMesh.enabled (MK896)"},
	},
	{
		"Azure's network policies before their end", On("2028-04-10", azurePolicy),
		On("2028-04-01", azurePolicy),
		[]string{"warning: network.policy (MK896)"},
	},
	{
		"a channel without updates of Windows nodes",
		Options(obj{"autoUpgradeProfile": obj{"nodeOSUpgradeChannel": "Unmanaged"}}), nil,
		[]string{"warning: options.autoUpgradeProfile.nodeOSUpgradeChannel (MK866)"},
	},
	{
		"a channel without updates", Options(obj{"autoUpgradeProfile": obj{"nodeOSUpgradeChannel": "None"}}), nil,
		[]string{"warning: options.autoUpgradeProfile.nodeOSUpgradeChannel (MK866)"},
	},
	{
		"a channel of the node's own updates, with Container Linux", Both(Both(LinuxOnly, trusted), Options(obj{
			"autoUpgradeProfile": obj{"nodeOSUpgradeChannel": "Unmanaged"},
		})), Both(Both(LinuxOnly, trusted), Options(obj{"autoUpgradeProfile": obj{"nodeOSUpgradeChannel": "None"}})),
		[]string{"error: options.autoUpgradeProfile.nodeOSUpgradeChannel (MK868)"},
	},
	{
		"Container Linux on a confidential size", Both(trusted, systemOf("Standard_DC4as_v5")), nil,
		[]string{"error: pools[0].size (MK879)"},
	},
	{
		"Container Linux on a size of generation 1", Both(trusted, systemOf("Standard_D4_v3")),
		Both(trusted, systemOf("Standard_D4s_v3")),
		[]string{"error: pools[0].size (MK879)"},
	},
	{
		"Container Linux on Arm64 of version 5", Both(trusted, systemOf("Standard_D4pds_v5")),
		Both(trusted, systemOf("Standard_D4pds_v6")),
		[]string{"error: pools[0].size (MK879)"},
	},
	{
		"zones of one group of hosts",
		Both(PoolOptions("win22", obj{"hostGroupID": Of("Microsoft.Compute/hostGroups")}),
			Both(Windows(func(p *topology.Pool) { p.Zones = []string{"1", "2"} }), ownIdentity)),
		Both(PoolOptions("win22", obj{"hostGroupID": Of("Microsoft.Compute/hostGroups")}),
			Both(Windows(func(p *topology.Pool) { p.Zones = []string{"1"} }), ownIdentity)),
		[]string{"error: pools[1].zones (MK875)"},
	},
	{
		"private zones of two groups", Options(privateZonesOf("a", "b")), Options(privateZonesOf("a", "A")),
		[]string{"error: options.ingressProfile.webAppRouting.dnsZoneResourceIds[1] (MK882)"},
	},
	{
		"a subnet of pods in another network", subnets("a", "b"), subnets("a", "a"),
		[]string{"error: network.podSubnetID (MK869)"},
	},
	{
		"an interval of Image Cleaner above three months", cleaner(2161), cleaner(2160),
		[]string{"error: options.securityProfile.imageCleaner.intervalHours (MK882)"},
	},
	{
		"a confidential size with AMD processors for Windows", Both(Platforms(platform.WindowsServer2025, "1.36"),
			Windows(func(p *topology.Pool) { p.Size = "Standard_EC4as_v5" })), nil, []string{"error: pools[1].size " +
			"(MK877)"},
	},
}

func ownIdentity(c *plan.Cluster) { c.Identity.UserAssignedID = plan.Later }

func systemOf(size string) func(c *plan.Cluster) {
	return System(func(p *topology.Pool) { p.Size = size })
}

func cleaner(hours int) func(c *plan.Cluster) {
	return Both(LinuxOnly, Options(obj{"securityProfile": obj{
		"imageCleaner": obj{"enabled": true, "intervalHours": hours},
	}}))
}

func privateZonesOf(groups ...string) obj {
	var ids []any
	for _, group := range groups {
		ids = append(ids,
			"/subscriptions/s/resourceGroups/"+group+"/providers/Microsoft.Network/privateDnsZones/example.com")
	}
	return obj{"ingressProfile": obj{"webAppRouting": obj{"dnsZoneResourceIds": ids}}}
}

// subnets returns a cluster with the nodes in one network and the pods in another one.
func subnets(nodes, pods string) func(c *plan.Cluster) {
	return func(c *plan.Cluster) {
		c.Network.Mode, c.Network.Policy = plan.PodSubnet, ""
		c.Network.NodeSubnetID, c.Network.PodSubnetID = subnetOf(nodes, "nodes"), subnetOf(pods, "pods")
		ownIdentity(c)
	}
}

var openServiceMesh = obj{"addonProfiles": obj{"openServiceMesh": obj{"enabled": true}}}

// linuxOf137 has no Windows pools, and a version whose support does not end soon.
func linuxOf137(c *plan.Cluster) { Both(Version("1.37"), LinuxOnly)(c) }

// azurePolicy has Azure's network policies, and long-term support.
func azurePolicy(c *plan.Cluster) {
	Both(linuxOf137, Options(obj{
		"supportPlan": "AKSLongTermSupport", "sku": obj{"name": "Base", "tier": "Premium"},
	}))(c)
	c.Network.Policy = plan.AzurePolicy
}
