package examples

import (
	"encoding/base64"
	"strings"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// imageExamples are examples of node images and of the channels that replace them.
var imageExamples = []Example{
	{
		"a distribution that a version does not have", Both(Platforms(platform.WindowsServer2025, "1.37"),
			PoolOptions("sys", obj{"osSKU": "Ubuntu2204"})),
		PoolOptions("sys", obj{"osSKU": "Ubuntu2204"}),
		[]string{"error: poolOptions[sys].options.osSKU (MK712)"},
	},
	{
		"FIPS on a distribution without it", Both(PoolOptions("sys", obj{"osSKU": "Ubuntu2404"}),
			System(func(p *topology.Pool) { p.FIPS = true })),
		Both(PoolOptions("sys", obj{"osSKU": "Ubuntu"}), System(func(p *topology.Pool) { p.FIPS = true })),
		[]string{"error: poolOptions[sys].options.osSKU (MK738)"},
	},
	{
		"a channel for Linux nodes only",
		Options(obj{"autoUpgradeProfile": obj{"nodeOSUpgradeChannel": "SecurityPatch"}}),
		Options(obj{"autoUpgradeProfile": obj{"nodeOSUpgradeChannel": "NodeImage"}}),
		[]string{"warning: options.autoUpgradeProfile.nodeOSUpgradeChannel (MK866)"},
	},
	{
		"a channel for Linux nodes without Windows nodes", nil,
		Both(LinuxOnly, Options(obj{"autoUpgradeProfile": obj{"nodeOSUpgradeChannel": "None"}})), nil,
	},
	{
		"two channels", Both(LinuxOnly, Options(obj{"autoUpgradeProfile": obj{
			"upgradeChannel": "node-image", "nodeOSUpgradeChannel": "None",
		}})), Options(obj{"autoUpgradeProfile": obj{"upgradeChannel": "node-image"}}),
		[]string{"error: options.autoUpgradeProfile.nodeOSUpgradeChannel (MK868)"},
	},
	{
		"a channel of other nodes", Both(Both(LinuxOnly, trusted), Options(obj{"autoUpgradeProfile": obj{
			"nodeOSUpgradeChannel": "SecurityPatch",
		}})), Both(LinuxOnly, trusted), []string{"error: options.autoUpgradeProfile.nodeOSUpgradeChannel (MK868)"},
	},
	{
		"Container Linux without Trusted Launch",
		PoolOptions("sys", obj{"osSKU": "AzureContainerLinux", "securityProfile": obj{"enableVTPM": false}}),
		PoolOptions("sys", obj{"osSKU": "AzureContainerLinux", "securityProfile": tree.Unknown{}}),
		[]string{
			"error: poolOptions[sys].options.securityProfile.enableSecureBoot (MK879)",
			"error: poolOptions[sys].options.securityProfile.enableVTPM (MK879)",
		},
	},
	{
		"Container Linux on a size without Trusted Launch",
		Both(trusted, System(func(p *topology.Pool) { p.Size = "Standard_D4ps_v5" })), nil,
		[]string{"error: pools[0].size (MK879)"},
	},
}

// trusted makes the system pool one of Azure Container Linux.
func trusted(c *plan.Cluster) {
	PoolOptions("sys", obj{
		"osSKU": "AzureContainerLinux", "securityProfile": obj{"enableSecureBoot": true, "enableVTPM": true},
	})(c)
}

// kindExamples are examples of kinds of pools and of their options.
var kindExamples = []Example{
	{
		"an availability set", PoolOptions("sys", obj{"type": "AvailabilitySet"}),
		PoolOptions("sys", obj{"type": "VirtualMachines"}),
		[]string{"error: poolOptions[sys].options.type (MK885)"},
	},
	{
		"virtual machines of Windows", PoolOptions("win22", obj{"type": "VirtualMachines"}),
		PoolOptions("win22", obj{"type": "VirtualMachineScaleSets"}),
		[]string{"error: poolOptions[win22].options.type (MK885)"},
	},
	{
		"a small disk", Windows(func(p *topology.Pool) { p.OSDiskSizeGB = 29 }),
		Windows(func(p *topology.Pool) { p.OSDiskSizeGB = 30 }),
		[]string{"error: pools[1].osDiskSizeGB (MK886)"},
	},
	{
		"a large disk", Windows(func(p *topology.Pool) { p.OSDiskSizeGB = 2049 }),
		Windows(func(p *topology.Pool) { p.OSDiskSizeGB = 2048 }),
		[]string{"error: pools[1].osDiskSizeGB (MK886)"},
	},
	{
		"a system pool that is stopped", PoolOptions("sys", obj{"powerState": obj{"code": "Stopped"}}),
		PoolOptions("win22", obj{"powerState": obj{"code": "Stopped"}}),
		[]string{"error: poolOptions[sys].options.powerState.code (MK887)"},
	},
	{
		"deallocated machines with ephemeral disks", Both(PoolOptions("win22", obj{"scaleDownMode": "Deallocate"}),
			Windows(func(p *topology.Pool) { p.Size, p.OSDiskType = "Standard_D8ds_v5", topology.EphemeralDisk })),
		Both(PoolOptions("win22", obj{"scaleDownMode": "Deallocate"}),
			Windows(func(p *topology.Pool) { p.OSDiskType = topology.ManagedDisk })),
		[]string{"error: poolOptions[win22].options.scaleDownMode (MK873)"},
	},
	{
		"deallocated machines with the disks that AKS chooses",
		Both(PoolOptions("win22", obj{"scaleDownMode": "Deallocate"}),
			Windows(func(p *topology.Pool) { p.Size = "Standard_D8ds_v5" })),
		Both(PoolOptions("win22", obj{"scaleDownMode": "Deallocate"}),
			Windows(func(p *topology.Pool) { p.Size, p.OSDiskSizeGB = "Standard_D8ds_v5", 1024 })),
		[]string{"error: poolOptions[win22].options.scaleDownMode (MK873)"},
	},
	{
		"thresholds outside of 0 to 100, and one log file",
		PoolOptions("win22", obj{"kubeletConfig": obj{"imageGcHighThreshold": 101, "containerLogMaxFiles": 1}}),
		PoolOptions("win22", obj{"kubeletConfig": obj{"imageGcHighThreshold": 100, "containerLogMaxFiles": 2}}),
		[]string{
			"error: poolOptions[win22].options.kubeletConfig.containerLogMaxFiles (MK874)",
			"error: poolOptions[win22].options.kubeletConfig.imageGcHighThreshold (MK874)",
		},
	},
	{
		"a high threshold below the default of the low one",
		PoolOptions("win22", obj{"kubeletConfig": obj{"imageGcHighThreshold": 70}}),
		PoolOptions("win22",
			obj{"kubeletConfig": obj{"imageGcHighThreshold": 70, "imageGcLowThreshold": tree.Unknown{}}}),
		[]string{"error: poolOptions[win22].options.kubeletConfig.imageGcHighThreshold (MK874)"},
	},
	{
		"a low threshold above the high one",
		PoolOptions("win22", obj{"kubeletConfig": obj{"imageGcHighThreshold": 70, "imageGcLowThreshold": 71}}),
		PoolOptions("win22", obj{"kubeletConfig": obj{"imageGcHighThreshold": 70, "imageGcLowThreshold": 70}}),
		[]string{"error: poolOptions[win22].options.kubeletConfig.imageGcLowThreshold (MK874)"},
	},
	{
		"zones of one place", Both(PoolOptions("win22",
			obj{"proximityPlacementGroupID": Of("Microsoft.Compute/proximityPlacementGroups")}),
			Windows(func(p *topology.Pool) { p.Zones = []string{"1", "2"} })),
		Both(PoolOptions("win22", obj{"proximityPlacementGroupID": Of("Microsoft.Compute/proximityPlacementGroups")}),
			Windows(func(p *topology.Pool) { p.Zones = []string{"1"} })),
		[]string{"error: pools[1].zones (MK875)"},
	},
	{
		"LocalDNS on Windows", PoolOptions("win22", obj{"localDNSProfile": obj{"mode": "Required"}}),
		PoolOptions("sys", obj{"localDNSProfile": obj{"mode": "Required"}}),
		[]string{"error: poolOptions[win22].options.localDNSProfile (MK876)"},
	},
	{
		"a confidential size for Windows", Both(Platforms(platform.WindowsServer2025, "1.36"),
			Windows(func(p *topology.Pool) { p.Size = "Standard_DC4as_v5" })),
		Both(Platforms(platform.WindowsServer2025, "1.36"),
			Windows(func(p *topology.Pool) { p.Size = "Standard_DC4s_v3" })),
		[]string{"error: pools[1].size (MK877)"},
	},
	{
		"a tag that AKS refuses", Both(PoolOptions("sys", skipTag),
			System(func(p *topology.Pool) { p.Size = "Standard_NC6s_v3" })),
		PoolOptions("sys", skipTag),
		[]string{"error: poolOptions[sys].options.tags.SkipGPUDriverInstall (MK878)"},
	},
	{
		"the tag in a new pool",
		Both(PoolOptions("sys", skipTag), System(func(p *topology.Pool) { p.Size = "Standard_NC6s_v3" })),
		Both(keepsTag, System(func(p *topology.Pool) { p.Size = "Standard_NC6s_v3" })),
		[]string{"error: poolOptions[sys].options.tags.SkipGPUDriverInstall (MK878)"},
	},
	{
		"a tag of the cluster that AKS refuses in its pools", Both(tags(skipDriver),
			System(func(p *topology.Pool) { p.Size = "Standard_NC6s_v3" })),
		Both(Both(tags(skipDriver), PoolOptions("sys", obj{"tags": obj{"team": "shop"}})),
			System(func(p *topology.Pool) { p.Size = "Standard_NC6s_v3" })),
		[]string{"error: tags.SkipGPUDriverInstall (MK878)"},
	},
	{
		"a tag of the cluster that AKS will ignore", On("2026-12-02", Both(retiresLate, tags(rotation))),
		On("2026-12-02", Both(retiresLate, tags(obj{"team": tree.Unknown{}}))),
		[]string{"warning: tags.aks-disable-kubelet-serving-certificate-rotation (MK896)"},
	},
	{
		"a tag that AKS will ignore", On("2026-12-02", Both(retiresLate, PoolOptions("sys", rotationTag))),
		On("2026-09-01", Both(retiresLate, PoolOptions("sys", rotationTag))),
		[]string{
			"warning: poolOptions[sys].options.tags.aks-disable-kubelet-serving-certificate-rotation (MK896)",
		},
	},
	{
		"a GPU of a Windows node", Windows(func(p *topology.Pool) { p.Size = "Standard_NV36ads_A10_v5" }),
		System(func(p *topology.Pool) { p.Size = "Standard_NV36ads_A10_v5" }),
		[]string{"warning: pools[1].size " +
			"(MK881)"},
	},
}

// tierExamples are examples of tiers, and of options with numbers.
var tierExamples = []Example{
	{
		"AKS Automatic with Windows", Options(obj{"sku": obj{"name": "Automatic", "tier": "Standard"}}),
		Both(LinuxOnly, Options(obj{"sku": obj{"name": "Automatic", "tier": "Standard"}})),
		[]string{"error: options.sku.name (MK863)"},
	},
	{
		"long-term support in another tier",
		Options(obj{"supportPlan": "AKSLongTermSupport", "sku": obj{"tier": "Standard"}}),
		Options(obj{"supportPlan": "AKSLongTermSupport", "sku": obj{"tier": "Premium"}}),
		[]string{"error: options.supportPlan (MK864)"},
	},
	{
		"Premium without long-term support", Options(obj{"sku": obj{"tier": "Premium"}}),
		Options(obj{"sku": obj{"tier": tree.Unknown{}}}),
		[]string{"warning: options.sku.tier (MK864)"},
	},
	{
		"cost analysis in the tier Free", Options(obj{"metricsProfile": obj{"costAnalysis": obj{"enabled": true}}}),
		Options(obj{"metricsProfile": obj{"costAnalysis": obj{"enabled": true}}, "sku": obj{"tier": "Standard"}}),
		[]string{"error: options.metricsProfile.costAnalysis.enabled (MK864)"},
	},
	{
		"Open Service Mesh", Options(openServiceMesh),
		Both(LinuxOnly, Options(openServiceMesh)),
		[]string{"warning: options.addonProfiles.openServiceMesh.enabled (MK865)"},
	},
	{
		"workload identity without the issuer", Options(obj{
			"securityProfile":   obj{"workloadIdentity": obj{"enabled": true}},
			"oidcIssuerProfile": obj{"enabled": false},
		}), Options(obj{"securityProfile": obj{"workloadIdentity": obj{"enabled": true}}}),
		[]string{"error: options.securityProfile.workloadIdentity.enabled (MK867)"},
	},
	{
		"subnets of two networks", func(c *plan.Cluster) {
			c.Network = plan.Network{Mode: plan.Overlay, NodeSubnetID: subnetOf("a", "nodes")}
			c.PoolOptions["win22"] = plan.PoolOptions{NodeSubnetID: subnetOf("b", "windows")}
		}, func(c *plan.Cluster) {
			c.Network = plan.Network{Mode: plan.Overlay, NodeSubnetID: subnetOf("a", "nodes")}
			c.PoolOptions["win22"] = plan.PoolOptions{NodeSubnetID: subnetOf("A", "windows")}
		}, []string{"error: poolOptions[win22].nodeSubnetID (MK869)"},
	},
	{
		"numbers that AKS does not accept", Both(LinuxOnly, Options(obj{
			"securityProfile": obj{
				"imageCleaner": obj{"enabled": true, "intervalHours": 23}, "customCATrustCertificates": make([]any, 11),
			},
			"httpProxyConfig": obj{"trustedCa": certificates(21)},
		})), Both(LinuxOnly, Options(obj{
			"securityProfile": obj{
				"imageCleaner": obj{"enabled": true, "intervalHours": 24}, "customCATrustCertificates": make([]any, 10),
			},
			"httpProxyConfig": obj{"trustedCa": certificates(20)},
		})), []string{
			"error: options.httpProxyConfig.trustedCa (MK882)",
			"error: options.securityProfile.customCATrustCertificates (MK882)",
			"error: options.securityProfile.imageCleaner.intervalHours (MK882)",
		},
	},
	{
		"too many ranges", authorized(201), authorized(200), []string{"error: apiServer.authorizedIPRanges (MK883)"},
	},
	{
		"more ranges with API Server VNet Integration",
		Both(authorized(2001), Options(obj{"apiServerAccessProfile": obj{"enableVnetIntegration": true}})),
		Both(authorized(2000), Options(obj{"apiServerAccessProfile": obj{"enableVnetIntegration": true}})),
		[]string{"error: apiServer.authorizedIPRanges (MK883)"},
	},
}

func subnetOf(network, name string) string {
	return "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/" + network + "/subnets/" +
		name
}

// certificates returns as many certificates as a proxy gets them.
func certificates(n int) string {
	return base64.StdEncoding.EncodeToString([]byte(strings.Repeat("-----BEGIN CERTIFICATE-----\n", n)))
}

// authorized returns a cluster with as many ranges.
func authorized(n int) func(c *plan.Cluster) {
	return func(c *plan.Cluster) {
		for range n {
			c.APIServer.AuthorizedIPRanges = append(c.APIServer.AuthorizedIPRanges, "203.0.113.7")
		}
	}
}

// rotation is a tag whose support ends, and rotationTag are options of a pool with it.
var (
	rotation    = obj{"aks-disable-kubelet-serving-certificate-rotation": "true"}
	rotationTag = obj{"tags": rotation}
)

// retiresLate uses a release of Windows whose support does not end soon.
func retiresLate(c *plan.Cluster) { Platforms(platform.WindowsServer2025, "1.36")(c) }

var (
	skipDriver = obj{"SkipGPUDriverInstall": "true"}
	skipTag    = obj{"tags": skipDriver}
)

// keepsTag is a pool that keeps its name in Azure, with a tag that AKS refuses in new ones.
func keepsTag(c *plan.Cluster) {
	c.PoolOptions["sys"] = plan.PoolOptions{NameInAzure: "sys", Options: skipTag}
}
