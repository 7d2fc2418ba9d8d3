package examples

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// clusterOptionExamples are examples of options of clusters that need each other, exclude each other or end.
var clusterOptionExamples = []Example{
	{
		"security without Cilium", networkProfile(advancedSecurity("azure")),
		networkProfile(advancedSecurity(tree.Unknown{})),
		[]string{"error: options.networkProfile.advancedNetworking.security.enabled (MK889)"},
	},
	{
		"addresses of nodes outside of the ranges", Both(allowed("203.0.113.0/24"),
			PoolOptions("win22", obj{"enableNodePublicIP": true})), Both(allowed("203.0.113.0/24"),
			PoolOptions("win22", obj{"enableNodePublicIP": true, "nodePublicIPPrefixID": tree.Unknown{}})),
		[]string{"error: poolOptions[win22].options.enableNodePublicIP (MK890)"},
	},
	{
		"long-term support with Ubuntu 22.04", Both(Version("1.34"), Options(longTerm)),
		Both(Version("1.35"), Options(longTerm)),
		[]string{"warning: poolOptions[sys].options.osSKU (MK891)"},
	},
	{
		"two service meshes", Both(LinuxOnly, Options(obj{
			"serviceMeshProfile": obj{"mode": "Istio"}, "addonProfiles": obj{"openServiceMesh": obj{"enabled": true}},
		})), Both(LinuxOnly, Options(obj{
			"serviceMeshProfile": obj{"mode": "Istio"}, "addonProfiles": obj{"openServiceMesh": obj{"enabled": false}},
		})), []string{"error: options.serviceMeshProfile.mode (MK895)"},
	},
	{
		"virtual nodes with pods and ranges that they do not work with",
		Both(allowed("203.0.113.0/24"), Options(virtualNodes)), Both(Options(virtualNodes), Network(plan.Network{
			Mode: plan.NodeSubnet, OutboundType: plan.LoadBalancer,
		})),
		[]string{
			"error: options.addonProfiles.aciConnectorLinux.enabled (MK895)",
			"error: options.addonProfiles.aciConnectorLinux.enabled (MK895)",
		},
	},
	{
		"cost analysis without the driver of disks", costs(false), costs(true),
		[]string{"error: options.metricsProfile.costAnalysis.enabled (MK895)"},
	},
	{
		"NGINX of Azure after its end", On("2026-12-01", Both(retiresLate, Options(routing(true)))),
		On("2026-12-01", Both(retiresLate, Options(routing(false)))),
		[]string{"warning: options.ingressProfile.webAppRouting.enabled (MK896)"},
	},
	{
		"NGINX of Azure before its end", On("2026-06-10", Both(retiresLate, Options(routing(true)))),
		On("2026-06-02", Both(retiresLate, Options(routing(true)))),
		[]string{"warning: options.ingressProfile.webAppRouting.enabled (MK896)"},
	},
	{
		"a forced upgrade without an end", Options(forced(nil)), Options(forced(tree.Unknown{})),
		[]string{"warning: options.upgradeSettings.overrideSettings.forceUpgrade (MK715)"},
	},
	{
		"a forced upgrade that has ended", On("2026-12-02", Both(retiresLate, Options(forced("2026-12-01T13:00:00Z")))),
		On("2026-12-02", Both(retiresLate, Options(forced("2026-12-03T13:00:00Z")))),
		[]string{"warning: options.upgradeSettings.overrideSettings.until (MK715)"},
	},
	{
		"a misspelled expander", Options(obj{"autoScalerProfile": obj{"expander": "least-wast"}}),
		Options(obj{"autoScalerProfile": obj{"expander": "least-waste"}}),
		[]string{"error: options.autoScalerProfile.expander (MK725)"},
	},
	{
		"certificates that are not PEM", Both(LinuxOnly, authorities("not base64", encoded("a text"), tree.Unknown{})),
		Both(LinuxOnly, authorities(encoded("-----BEGIN CERTIFICATE-----\nMII\n"))),
		[]string{
			"error: options.securityProfile.customCATrustCertificates[0] (MK882)",
			"error: options.securityProfile.customCATrustCertificates[1] (MK882)",
		},
	},
	{
		"more zones than application routing has", zones(6), zones(5),
		[]string{"error: options.ingressProfile.webAppRouting.dnsZoneResourceIds (MK882)"},
	},
	{
		"zones of two groups", Options(obj{"ingressProfile": obj{"webAppRouting": obj{"dnsZoneResourceIds": []any{
			"/subscriptions/s/resourceGroups/a/providers/Microsoft.Network/dnszones/a.example.com",
			"/subscriptions/s/resourceGroups/b/providers/Microsoft.Network/dnsZones/b.example.com",
		}}}}), Options(obj{"ingressProfile": obj{"webAppRouting": obj{"dnsZoneResourceIds": []any{
			"/subscriptions/s/resourceGroups/a/providers/Microsoft.Network/dnszones/a.example.com",
			"/subscriptions/s/resourceGroups/b/providers/Microsoft.Network/privateDnsZones/b.example.com",
		}}}}), []string{"error: options.ingressProfile.webAppRouting.dnsZoneResourceIds[1] (MK882)"},
	},
	{
		"names that are too long for labels", nodesOf(strings.Repeat("n", 64)), nodesOf(strings.Repeat("n", 63)),
		[]string{"error: network.nodeSubnetID (MK794)"},
	},
	{
		"private addresses that are authorized", allowed("10.0.0.0/8", "192.168.0.7"),
		Both(allowed("203.0.113.7"), func(*plan.Cluster) {}),
		[]string{
			"warning: apiServer.authorizedIPRanges[0] (MK762)", "warning: apiServer.authorizedIPRanges[1] (MK762)",
		},
	},
	{
		"more nodes than a cluster has, and than the tier Free has", hundreds(51), nil,
		[]string{"error: pools (MK732)", "warning: pools (MK864)"},
	},
	{
		"more nodes than the tier Free has", hundreds(10), hundreds(9), []string{"warning: pools (MK864)"},
	},
}

var (
	longTerm     = obj{"supportPlan": "AKSLongTermSupport", "sku": obj{"tier": "Premium"}}
	virtualNodes = obj{"addonProfiles": obj{"aciConnectorLinux": obj{"enabled": true}}}
)

func advancedSecurity(dataplane any) obj {
	return obj{"networkDataplane": dataplane, "advancedNetworking": obj{"security": obj{"enabled": true}}}
}

func allowed(ranges ...string) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.APIServer.AuthorizedIPRanges = ranges }
}

func costs(disks bool) func(c *plan.Cluster) {
	return Options(obj{
		"sku": obj{"tier": "Standard"}, "metricsProfile": obj{"costAnalysis": obj{"enabled": true}},
		"storageProfile": obj{"diskCSIDriver": obj{"enabled": disks}},
	})
}

func routing(enabled bool) obj {
	return obj{"ingressProfile": obj{"webAppRouting": obj{"enabled": enabled}}}
}

func forced(until any) obj {
	return obj{"upgradeSettings": obj{"overrideSettings": obj{"forceUpgrade": true, "until": until}}}
}

func encoded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

func authorities(all ...any) func(c *plan.Cluster) {
	return Options(obj{"securityProfile": obj{"customCATrustCertificates": all}})
}

// zones returns a number of zones that are not known.
func zones(n int) func(c *plan.Cluster) {
	return Options(obj{"ingressProfile": obj{"webAppRouting": obj{
		"dnsZoneResourceIds": slices.Repeat([]any{tree.Unknown{}}, n),
	}}})
}

func nodesOf(network string) func(c *plan.Cluster) {
	return func(c *plan.Cluster) {
		c.Network.NodeSubnetID = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/" +
			network + "/subnets/nodes"
		c.Identity.UserAssignedID = plan.Later
	}
}
