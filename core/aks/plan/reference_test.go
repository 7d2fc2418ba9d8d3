package plan_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
)

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
