package examples

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// optionExamples are examples of options that arguments decide, and of options of pools that do not exist.
var optionExamples = []Example{
	{
		"options that the component sets from arguments", Options(obj{
			"agentPoolProfiles": []any{},
			"windowsProfile": obj{
				"adminUsername": "me", "adminPassword": tree.Secret{Value: "hush"},
				"licenseType": "None", "gmsaProfile": obj{},
			}, "kubernetesVersion": "1.36",
			"resourceGroupName": tree.Unknown{}, "resourceName": "shop",
			"location": "westeurope", "tags": obj{}, "identity": obj{}, "disableLocalAccounts": false,
			"apiServerAccessProfile": obj{
				"authorizedIPRanges": []any{}, "enablePrivateCluster": tree.Unknown{},
				"privateDNSZone": "none", "disableRunCommand": true,
			},
			// Even if they have the same values.
			"networkProfile": obj{
				"networkPluginMode": "overlay", "networkPolicy": "calico",
				"outboundType": tree.Unknown{}, "serviceCidr": "10.2.0.0/16",
			},
		}),
		Options(obj{
			"networkProfile": obj{
				"natGatewayProfile": obj{"idleTimeoutInMinutes": 4}, "podCidr": "10.3.0.0/16",
				"networkPlugin": "azure",
			}, "dnsPrefix": "shop", "windowsProfile": obj{"enableCSIProxy": false},
			"apiServerAccessProfile": tree.Unknown{}, "tags": nil, "identity": tree.Secret{},
		}),
		decided("options.", "MK771", `agentPoolProfiles apiServerAccessProfile.authorizedIPRanges
			apiServerAccessProfile.enablePrivateCluster apiServerAccessProfile.privateDNSZone disableLocalAccounts
			identity kubernetesVersion location networkProfile.networkPluginMode networkProfile.networkPolicy
			networkProfile.outboundType resourceGroupName resourceName tags windowsProfile.adminPassword
			windowsProfile.adminUsername windowsProfile.gmsaProfile windowsProfile.licenseType`),
	},
	{
		"options that the component sets from the pool", PoolOptions("win22", obj{
			"agentPoolName": "x", "resourceGroupName": "x", "resourceName": "x", "count": int64(1),
			"minCount": int64(1), "maxCount": int64(1), "enableAutoScaling": true,
			"vmSize": "x", "osType": "Windows", "mode": "User", "maxPods": int64(30), "osDiskSizeGB": int64(128),
			"osDiskType": "Managed", "availabilityZones": []any{"1"},
			"nodeLabels": obj{}, "nodeTaints": tree.Unknown{}, "orchestratorVersion": "1.36",
			"scaleSetPriority": "Spot", "spotMaxPrice": -1.0, "enableFIPS": true,
			"upgradeSettings": obj{
				"maxSurge": "1", "maxUnavailable": "0", "drainTimeoutInMinutes": 5,
				"nodeSoakDurationInMinutes": 5,
			}, "vnetSubnetID": "x", "podSubnetID": "x",
			"windowsProfile": obj{"disableOutboundNat": true},
		}),
		PoolOptions("win22", obj{
			"osSKU": "Windows2022", "upgradeSettings": obj{"undrainableNodeBehavior": "Cordon"},
			"enableEncryptionAtHost": true, "count": nil, "windowsProfile": tree.Unknown{},
			"nodeTaints": tree.Secret{},
		}),
		decided("poolOptions[win22].options.", "MK772", `agentPoolName availabilityZones count enableAutoScaling
			enableFIPS maxCount maxPods minCount mode nodeLabels nodeTaints orchestratorVersion osDiskSizeGB
			osDiskType osType podSubnetID resourceGroupName resourceName scaleSetPriority spotMaxPrice
			upgradeSettings.drainTimeoutInMinutes upgradeSettings.maxSurge upgradeSettings.maxUnavailable
			upgradeSettings.nodeSoakDurationInMinutes vmSize vnetSubnetID windowsProfile.disableOutboundNat`),
	},
	{
		"undrainable nodes as a field and as an option", Both(
			PoolOptions("win22", obj{"upgradeSettings": obj{"undrainableNodeBehavior": "Cordon"}}),
			Windows(func(p *topology.Pool) { p.Upgrade.UndrainableNodes = topology.Cordon }),
		),
		Windows(func(p *topology.Pool) { p.Upgrade.UndrainableNodes = topology.Cordon }),
		[]string{"error: poolOptions[win22].options.upgradeSettings.undrainableNodeBehavior (MK772)"},
	},
	{
		"a security profile of the first pool", PoolOptions("sys", obj{"securityProfile": obj{"enableVTPM": true}}),
		PoolOptions("win22", obj{"securityProfile": obj{"enableVTPM": false}}),
		[]string{"warning: poolOptions[sys].options.securityProfile (MK774)"},
	},
	{
		"options of a misspelled pool", PoolOptions("win2", obj{"vmSize": "x"}), PoolOptions("win22", nil),
		[]string{"error: poolOptions[win2] (MK773)"},
	},
	{
		"options of a pool that does not exist", PoolOptions("database", nil), PoolOptions("sys", nil),
		[]string{"error: poolOptions[database] (MK773)"},
	},
}

// decided returns the findings of a rule about options that the component sets from arguments.
func decided(path, id, options string) []string {
	var want []string
	for option := range strings.FieldsSeq(options) {
		want = append(want, "error: "+path+option+" ("+id+")")
	}
	return want
}
