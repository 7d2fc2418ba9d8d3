package arm

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestImmutablePropertiesOfPools(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	mustPut(t, cloud, networkID, networkBody())
	mustPut(t, cloud, winID, windowsPool(nil))
	for path, value := range map[string]any{
		"vmSize": "Standard_D8s_v5", "maxPods": 100, "osDiskSizeGB": 256, "osType": "Linux",
		"osSKU": "Windows2025", "spotMaxPrice": 0.5, "vnetSubnetID": subnetID,
		"podSubnetID":       subnetID,
		"availabilityZones": []any{"1"}, "enableFIPS": true,
		"windowsProfile.disableOutboundNat": true, "enableNodePublicIP": true,
		// "can only be set at cluster or node pool creation time",
		// https://learn.microsoft.com/azure/aks/enable-host-encryption
		"enableEncryptionAtHost": true,
		// https://github.com/pulumi/pulumi-azure-native/pull/4771
		"networkProfile.nodePublicIPTags": []any{Body{"ipTagType": "RoutingPreference", "tag": "Internet"}},
		// kubernetes_cluster_node_pool_resource.go of hashicorp/terraform-provider-azurerm
		"gpuProfile.driver": "None",
	} {
		_, err := cloud.Put(t.Context(), winID, windowsPool(map[string]any{path: value}))
		wantError(t, err, immutable("properties."+path))
	}
	for path, c := range map[string]struct {
		source string
		value  any
		want   *Error
	}{
		"osDiskType": {
			"a code of Microsoft's package apierror; the message is ours", "Ephemeral",
			bad400("CannotChangeOSDiskType", "properties.osDiskType",
				"Changing property 'properties.osDiskType' is not allowed."),
		},
		"kubeletDiskType": {
			"a code of Microsoft's package apierror; the message is ours", "Temporary",
			bad400("CannotChangeKubeletDisk", "properties.kubeletDiskType",
				"Changing property 'properties.kubeletDiskType' is not allowed."),
		},
		"kubeletConfig": {
			"https://github.com/Azure/AKS/issues/2591",
			Body{"containerLogMaxFiles": 3},
			bad400("CustomKubeletConfigOrCustomLinuxOSConfigCanNotBeChanged", "",
				"CustomKubeletConfig or CustomLinuxOSConfig can not be changed for this operation."),
		},
		"scaleSetPriority": {
			"https://github.com/ansible-collections/azure/pull/2186", "Regular",
			bad400("BadRequest", "",
				"ScaleSetPriority is immutable. Provided value is Regular, Please use current value ."),
		},
	} {
		_, err := cloud.Put(t.Context(), winID, windowsPool(map[string]any{path: c.value}))
		t.Log(path, c.source)
		wantError(t, err, c.want)
	}
	// The default value can be sent.
	mustPut(t, cloud, winID, windowsPool(map[string]any{
		"workloadRuntime": "OCIContainer", "enableEncryptionAtHost": false, "enableUltraSSD": false,
	}))
}

// The sources are in components/aks/POOL_CHANGES.md.
func TestImmutablePropertiesOfLinuxPools(t *testing.T) {
	t.Parallel()
	cloud, id := shop(t), clusterID+"/agentPools/apps"
	mustPut(t, cloud, id, linuxPool(nil))
	for path, value := range map[string]any{
		"type": "VirtualMachines", "messageOfTheDay": "aGVsbG8=", "enableUltraSSD": true,
		"gpuInstanceProfile": "MIG1g", "podIPAllocationMode": "StaticBlock",
		"hostGroupID": "/hosts", "proximityPlacementGroupID": "/group", "nodePublicIPPrefixID": "/prefix",
		"capacityReservationGroupID": "/reservations", "scaleSetEvictionPolicy": "Deallocate",
	} {
		_, err := cloud.Put(t.Context(), id, linuxPool(map[string]any{path: value}))
		wantError(t, err, immutable("properties."+path))
	}
	_, err := cloud.Put(t.Context(), id, linuxPool(map[string]any{"linuxOSConfig": Body{"swapFileSizeMB": 1500}}))
	wantError(t, err, bad400("CustomKubeletConfigOrCustomLinuxOSConfigCanNotBeChanged", "",
		"CustomKubeletConfig or CustomLinuxOSConfig can not be changed for this operation."))
}

// The component creates a new pool for each change that Azure refuses, and else only for other snapshots. The simulated Azure has a list
// of its own because it stands in for Azure: an error in the component's list goes unnoticed only if it is in both.
func TestImmutablePropertiesMatchTheComponent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		p     platform.Platform
		fixed []string
	}{
		"Linux":   {platform.Linux, immutablePool},
		"Windows": {platform.WindowsServer2022, slices.Concat(immutablePool, immutableWindowsPool)},
	} {
		fixed := slices.Sorted(slices.Values(c.fixed))
		// The component replaces the pool for any change of the profile, which has no other property.
		fixed[slices.Index(fixed, "windowsProfile.disableOutboundNat")] = "windowsProfile"
		for _, f := range plan.FixedProperties() {
			if f.Upgrades {
				fixed = append(fixed, f.Properties...)
			}
		}
		slices.Sort(fixed)
		if diff := cmp.Diff(plan.Replacing(topology.Pool{Platform: c.p}), fixed); diff != "" {
			t.Errorf("a pool of %s (-the component replaces it for +the simulated Azure refuses):\n%s", name, diff)
		}
	}
}

func TestMutablePropertiesOfPools(t *testing.T) {
	t.Parallel()
	cloud, id := shop(t), clusterID+"/agentPools/apps"
	mustPut(t, cloud, id,
		linuxPool(map[string]any{
			"maxPods": 40, "osDiskSizeGB": 64, "nodeLabels": Body{"a": "b"},
			"nodeTaints": []any{"a=b:NoSchedule"},
		}))
	answer := mustPut(t, cloud, id, linuxPool(map[string]any{
		"count": 0, "osSKU": "AzureLinux", "mode": "System", "nodeTaints": []any{}, "nodeLabels": Body{"c": "d"},
		"upgradeSettings.maxSurge": "50%", "osDiskSizeGB": 0,
		"enableAutoScaling": true, "minCount": 2, "maxCount": 4, "vmSize": "standard_d4s_V5",
		// hashicorp/terraform-provider-azurerm changes the first in place, and the documentation the second.
		"workloadRuntime": "KataVmIsolation", "creationData": Body{"sourceResourceId": "/snapshot"},
	}))
	wantAt(t, answer, map[string]any{
		"properties.count": 2.0, "properties.osSKU": "AzureLinux", "properties.mode": "System",
		"properties.maxPods": 40.0, "properties.osDiskSizeGB": 64.0,
		"properties.nodeTaints": nil, "properties.nodeLabels": Body{"c": "d"},
		"properties.upgradeSettings.maxSurge": "50%",
	})
}

func TestOmittedPropertiesOfPoolsAreRetained(t *testing.T) {
	t.Parallel()
	cloud, id := shop(t), clusterID+"/agentPools/apps"
	first := mustPut(t, cloud, id, linuxPool(map[string]any{
		"count": 3, "enableAutoScaling": true, "minCount": 2, "maxCount": 4, "nodeLabels": Body{"a": "b"},
		"nodeTaints": []any{"a=b:NoSchedule"},
		"tags":       Body{"team": "web"}, "upgradeSettings": Body{"maxSurge": "50%", "drainTimeoutInMinutes": 9},
		"osSKU": "AzureLinux", "orchestratorVersion": "1.35",
	}))
	if again := mustPut(t, cloud, id, Body{"properties": Body{}}); !same(first, again) {
		t.Errorf("it was\n%v, and is\n%v", first, again)
	}
	answer := mustPut(t, cloud, id, Body{"properties": Body{
		"enableAutoScaling": false, "nodeLabels": Body{}, "nodeTaints": []any{}, "tags": Body{},
		"upgradeSettings": Body{},
	}})
	wantAt(t, answer, map[string]any{
		"properties.count": 3.0, "properties.minCount": nil, "properties.maxCount": nil,
		"properties.nodeLabels": nil, "properties.nodeTaints": nil,
		"properties.tags":            Body{},
		"properties.upgradeSettings": Body{"maxSurge": "50%", "maxUnavailable": "0", "drainTimeoutInMinutes": 9.0},
	})
}

func TestTheLastPoolsStay(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	wantError(t, cloud.Delete(t.Context(), systemID),
		bad400("OperationNotAllowed", "", "There has to be at least one agent pool."))
	mustPut(t, cloud, winID, windowsPool(nil))
	last := bad400("OperationNotAllowed", "", "There has to be at least one system agent pool.")
	wantError(t, cloud.Delete(t.Context(), systemID), last)
	_, err := cloud.Put(t.Context(), systemID, linuxPool(nil))
	wantError(t, err, last)
	mustPut(t, cloud, clusterID+"/agentPools/sys2", linuxPool(map[string]any{"mode": "System"}))
	mustDelete(t, cloud, systemID)
	wantError(t, cloud.Delete(t.Context(), clusterID+"/agentPools/sys2"), last)
	mustDelete(t, cloud, winID)
}

func TestDeletingDeletesChildren(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	mustPut(t, cloud, winID, windowsPool(nil))
	mustDelete(t, cloud, clusterID)
	mustDelete(t, cloud, clusterID)
	mustDelete(t, cloud, winID)
	_, err := cloud.Get(t.Context(), winID)
	wantError(t, err, &Error{
		Status: 404, Code: "ParentResourceNotFound",
		Message: "Failed to perform 'read' on resource(s) of type 'managedClusters/agentPools', because the parent " +
			"resource '" + clusterID + "' could not be found.",
	})
	mustPut(t, cloud, clusterID, clusterBody(nil))
	mustDelete(t, cloud, groupID)
	_, err = cloud.Get(t.Context(), clusterID)
	wantError(t, err, &Error{
		Status: 404, Code: "ResourceGroupNotFound",
		Message: "Resource group 'rg' could not be found.",
	})
	_, err = cloud.Put(t.Context(), clusterID, clusterBody(nil))
	wantError(t, err, &Error{
		Status: 404, Code: "ResourceGroupNotFound",
		Message: "Resource group 'rg' could not be found.",
	})
	mustPut(t, cloud, groupID, Body{"location": "westeurope"})
	_, err = cloud.Put(t.Context(), winID, windowsPool(nil))
	wantError(t, err, &Error{
		Status: 404, Code: "ParentResourceNotFound",
		Message: "Failed to perform 'write' on resource(s) of type 'managedClusters/agentPools', because the parent " +
			"resource '" + clusterID + "' could not be found.",
	})
}
