package azcli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The names are from azure-mgmt-containerservice's models, as az prints them in Microsoft's documentation and in
// transcripts: az aks nodepool show of November 2025 has osDiskSizeGb, enableFips, eTag and typePropertiesType.
func TestAzPrintsTheNamesOfItsSDK(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	got := shown(object{
		"id": "/x", "eTag": "1", "type": "Microsoft.ContainerService/managedClusters/agentPools",
		"tags": object{"costID": "a"},
		"properties": object{
			"type": "VirtualMachineScaleSets", "osDiskSizeGB": 128.0, "enableFIPS": false, "osSKU": "Windows2022",
			"vnetSubnetID": "s", "nodeLabels": object{"a.b/teamID": "c"},
			"networkProfile": object{
				"dnsServiceIP":        "10.0.0.10",
				"loadBalancerProfile": object{"managedOutboundIPs": object{"count": 1.0}},
			},
			"apiServerAccessProfile": object{"authorizedIPRanges": []any{"a"}, "privateDNSZone": "system"},
			"storageProfile":         object{"diskCSIDriver": object{"enabled": true}},
			"autoUpgradeProfile":     object{"nodeOSUpgradeChannel": "NodeImage"},
			"agentPoolProfiles":      []any{object{"type": "VirtualMachineScaleSets", "podSubnetID": "p"}},
			"addonProfiles": object{
				"azureKeyvaultSecretsProvider": object{"config": object{"rotationPollInterval": "2m", "anID": "b"}},
			},
		},
	}, flagValues{"--resource-group": {"rg"}})
	want := any(object{
		"id": "/x", "eTag": "1", "type": "Microsoft.ContainerService/managedClusters/agentPools", "resourceGroup": "rg",
		"tags":               object{"costID": "a"},
		"typePropertiesType": "VirtualMachineScaleSets", "osDiskSizeGb": 128.0, "enableFips": false,
		"osSku": "Windows2022", "vnetSubnetId": "s", "nodeLabels": object{"a.b/teamID": "c"},
		"networkProfile": object{
			"dnsServiceIp":        "10.0.0.10",
			"loadBalancerProfile": object{"managedOutboundIPs": object{"count": 1.0}},
		},
		"apiServerAccessProfile": object{"authorizedIpRanges": []any{"a"}, "privateDnsZone": "system"},
		"storageProfile":         object{"diskCsiDriver": object{"enabled": true}},
		"autoUpgradeProfile":     object{"nodeOsUpgradeChannel": "NodeImage"},
		"agentPoolProfiles":      []any{object{"type": "VirtualMachineScaleSets", "podSubnetId": "p"}},
		"addonProfiles": object{
			"azureKeyvaultSecretsProvider": object{"config": object{"rotationPollInterval": "2m", "anID": "b"}},
		},
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
