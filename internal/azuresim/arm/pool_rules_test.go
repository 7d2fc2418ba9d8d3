package arm

import (
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/containerservice/armcontainerservice/v8"
)

func TestPoolsThatAzureTakes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pool string
		body Body
	}{
		"Linux":                            {"apps", linuxPool(nil)},
		"twelve characters":                {"a12345678901", linuxPool(nil)},
		"a Windows name of six characters": {"win22x", windowsPool(nil)},
		"Windows Server 2025": {
			"win",
			windowsPool(map[string]any{"osSKU": "Windows2025", "enableFIPS": true}),
		},
		"enumerations in any case": {
			"win",
			windowsPool(map[string]any{"osType": "windows", "osSKU": "WINDOWS2022", "mode": "user"}),
		},
		"zones":    {"apps", linuxPool(map[string]any{"availabilityZones": []any{"3", "1"}})},
		"no nodes": {"apps", linuxPool(map[string]any{"count": 0})},
		"a thousand nodes": {
			"apps",
			linuxPool(map[string]any{
				"count": 1000, "upgradeSettings.maxSurge": "0",
				"upgradeSettings.maxUnavailable": "1",
			}),
		},
		"few pods":  {"apps", linuxPool(map[string]any{"maxPods": 10})},
		"many pods": {"apps", linuxPool(map[string]any{"maxPods": 250})},
		"autoscaled from 0": {
			"apps",
			linuxPool(map[string]any{"count": 0, "enableAutoScaling": true, "minCount": 0, "maxCount": 5}),
		},
		"system, many nodes, few pods": {
			"sys2",
			linuxPool(map[string]any{"mode": "System", "count": 3, "maxPods": 10}),
		},
		"system with its taint": {
			"sys2",
			linuxPool(map[string]any{
				"mode":       "System",
				"nodeTaints": []any{"CriticalAddonsOnly=true:NoSchedule", "a=b:PreferNoSchedule"},
			}),
		},
		"taints": {
			"apps",
			linuxPool(map[string]any{"nodeTaints": []any{"os=windows:NoSchedule", "a.b/c=d:NoExecute"}}),
		},
		"labels": {
			"apps",
			linuxPool(map[string]any{"nodeLabels": Body{"team": "web", "example.com/tier": ""}}),
		},
		"labels of namespaces that are let through": {
			"apps",
			linuxPool(map[string]any{"nodeLabels": Body{
				"node.kubernetes.io/lifecycle": "x", "sub.kubelet.kubernetes.io/x": "y",
				// https://github.com/Azure/AKS/issues/4628
				"node-role.kubernetes.io/gpu": "",
			}}),
		},
		"spot": {
			"spot",
			linuxPool(map[string]any{"scaleSetPriority": "Spot", "spotMaxPrice": 0.12345}),
		},
		"spot with what Azure adds": {
			"spot",
			linuxPool(map[string]any{
				"scaleSetPriority": "Spot", "nodeTaints": []any{spotTaint},
				"nodeLabels": Body{spotLabel: "spot"},
			}),
		},
		"spot at any price": {
			"spot",
			linuxPool(map[string]any{"scaleSetPriority": "Spot", "spotMaxPrice": -1}),
		},
		"an older version":   {"apps", linuxPool(map[string]any{"orchestratorVersion": "1.33"})},
		"a release":          {"apps", linuxPool(map[string]any{"orchestratorVersion": "1.36.1"})},
		"Arm64":              {"apps", linuxPool(map[string]any{"vmSize": "Standard_D4ps_v5"})},
		"B series for users": {"apps", linuxPool(map[string]any{"vmSize": "Standard_B2s"})},
		"a GPU":              {"apps", linuxPool(map[string]any{"vmSize": "Standard_NC24ads_A100_v4"})},
		"trusted launch": {
			"apps",
			linuxPool(map[string]any{"securityProfile": Body{"enableSecureBoot": true, "enableVTPM": true}}),
		},
		"kubelet of Windows": {
			"win",
			windowsPool(map[string]any{"kubeletConfig": Body{
				"imageGcHighThreshold": 80, "imageGcLowThreshold": 70,
				"containerLogMaxSizeMB": 20, "containerLogMaxFiles": 5,
			}}),
		},
		"kubelet of Linux": {"apps", linuxPool(map[string]any{"kubeletConfig": Body{"podMaxPids": 100}})},
		"an upgrade one by one": {
			"win",
			windowsPool(map[string]any{"upgradeSettings": Body{
				"maxSurge": "0", "maxUnavailable": "1",
				"drainTimeoutInMinutes": 30, "nodeSoakDurationInMinutes": 0,
			}}),
		},
		"read-only properties": {
			"apps",
			linuxPool(map[string]any{
				"provisioningState": "Failed", "currentOrchestratorVersion": "1.2.3", "eTag": "x",
				"nodeImageVersion": "y",
			}),
		},
		"an explicit upgrade": {
			"sys2",
			linuxPool(map[string]any{
				"mode":            "System",
				"upgradeSettings": Body{"maxSurge": "33%", "maxUnavailable": "0"},
			}),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud := shop(t)
			answer := mustPut(t, cloud, clusterID+"/agentPools/"+c.pool, c.body)
			wantAt(t, answer, map[string]any{
				"name":                         c.pool,
				"type":                         "Microsoft.ContainerService/managedClusters/agentPools",
				"properties.provisioningState": "Succeeded",
			})
		})
	}
}

// Pools that were created before new ones were refused.
func TestOldWindowsPoolsByVersion(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		osSKU armcontainerservice.OSSKU
		minor int
		want  *Error
	}{
		"2019 in 1.32": {"Windows2019", 32, nil},
		"2019 in 1.33": {
			"Windows2019", 33,
			bad400("InvalidOSSKU", "agentPoolProfile.osSKU",
				"OSSKU='Windows2019' is invalid, details: it is not supported in Kubernetes version 1.33 or later"),
		},
		"annual in 1.36": {"WindowsAnnual", 36, nil},
		"2022 in 1.36":   {"Windows2022", 36, nil},
		"2025 before it was available": {
			"Windows2025", 31,
			bad400("InvalidOSSKU", "agentPoolProfile.osSKU",
				"OSSKU='Windows2025' is invalid, details: it is not supported before Kubernetes version 1.32"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			windows := armcontainerservice.OSTypeWindows
			err := checkOSSKU(poolUnderTest{
				pool:    poolProperties{OSType: &windows, OSSKU: &c.osSKU},
				current: release{minor: c.minor},
			})
			if c.want != nil {
				wantError(t, err, c.want)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

// Microsoft does not support it, but no source shows that Azure refuses it.
func TestWindowsPoolsWithNodeAutoProvisioning(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{})
	mustPut(t, cloud, clusterID, clusterBody(map[string]any{"nodeProvisioningProfile.mode": "Auto"}))
	mustPut(t, cloud, winID, windowsPool(nil))
}

func TestWindowsPoolsWithoutOutboundNAT(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{})
	mustPut(t, cloud, clusterID, clusterBody(map[string]any{"networkProfile.outboundType": "managedNATGateway"}))
	pool := map[string]any{"windowsProfile": Body{"disableOutboundNat": true}}
	mustPut(t, cloud, winID, windowsPool(pool))
	_, err := cloud.Put(t.Context(), winID,
		windowsPool(map[string]any{"windowsProfile": Body{"disableOutboundNat": false}}))
	wantError(t, err, immutable("properties.windowsProfile.disableOutboundNat"))
	_, err = cloud.Put(t.Context(), clusterID,
		clusterBody(map[string]any{"networkProfile.outboundType": "loadBalancer"}))
	wantError(t, err, invalid("agentPoolProfile.windowsProfile.disableOutboundNat",
		"it is not supported with the outbound type 'loadBalancer'"))
}

func TestSpotPoolsRetainLabelsAndTaintsOfAzure(t *testing.T) {
	t.Parallel()
	cloud, id := shop(t), clusterID+"/agentPools/spot"
	spot := func(change map[string]any) Body {
		body := linuxPool(map[string]any{"scaleSetPriority": "Spot", "nodeTaints": []any{"a=b:NoSchedule"}})
		apply(body["properties"].(Body), change)
		return body
	}
	answer := mustPut(t, cloud, id, spot(nil))
	wantAt(t, answer, map[string]any{
		"properties.nodeTaints": []any{"a=b:NoSchedule", spotTaint}, "properties.nodeLabels": Body{spotLabel: "spot"},
		"properties.spotMaxPrice": -1.0, "properties.scaleSetEvictionPolicy": "Delete",
	})
	for _, taints := range []any{[]any{}, []any{"a=b:NoSchedule"}} {
		_, err := cloud.Put(t.Context(), id, spot(map[string]any{"count": 2, "nodeTaints": taints}))
		wantError(t, err, immutable("properties.nodeTaints"))
	}
	answer = mustPut(t, cloud, id, spot(map[string]any{"count": 3, "nodeTaints": nil, "nodeLabels": Body{"a": "b"}}))
	wantAt(t, answer, map[string]any{
		"properties.nodeTaints": []any{"a=b:NoSchedule", spotTaint},
		"properties.nodeLabels": Body{"a": "b", spotLabel: "spot"},
	})
	answer = mustPut(t, cloud, id, spot(map[string]any{"count": 2, "nodeTaints": []any{spotTaint}}))
	wantAt(t, answer, map[string]any{"properties.count": 2.0, "properties.nodeTaints": []any{spotTaint}})
}

func TestPoolsHaveAzuresDefaults(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	answer := mustPut(t, cloud, winID, Body{"properties": Body{"vmSize": "Standard_D4s_v5", "osType": "Windows"}})
	wantAt(t, answer, map[string]any{
		"id": shownID(winID), "properties.count": 1.0, "properties.mode": "User", "properties.osSKU": "Windows2022",
		"properties.osDiskSizeGB": 128.0,
		"properties.osDiskType":   "Managed", "properties.type": "VirtualMachineScaleSets",
		"properties.powerState":        Body{"code": "Running"},
		"properties.provisioningState": "Succeeded", "properties.orchestratorVersion": "1.36",
		"properties.currentOrchestratorVersion": "1.36.3",
		"properties.maxPods":                    250.0,
		"properties.nodeImageVersion":           "AKSWindows-2022-containerd-20348.5622.260909",
		"properties.upgradeSettings":            Body{"maxSurge": "10%", "maxUnavailable": "0"},
		"properties.enableFIPS":                 false,
		"properties.nodeTaints":                 nil, "properties.nodeLabels": nil, "properties.name": nil,
	})
	if etag, _ := at(answer, "properties.eTag").(string); !uuidFormat.MatchString(etag) {
		t.Errorf("the eTag is %q", etag)
	}
}

func TestMaxPodsByNetwork(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		network Body
		pool    map[string]any
		want    float64
	}{
		"overlay":     {Body{"networkPlugin": "azure", "networkPluginMode": "overlay"}, nil, 250},
		"node subnet": {Body{"networkPlugin": "azure"}, nil, 30},
		"pod subnet": {
			Body{"networkPlugin": "azure"},
			map[string]any{"podSubnetID": networkID + "/subnets/pods", "vnetSubnetID": subnetID},
			110,
		},
		"kubenet": {Body{"networkPlugin": "kubenet"}, nil, 110},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud := emptyCloud(t, Options{})
			mustPut(t, cloud, networkID, networkBody())
			mustPut(t, cloud, clusterID, clusterBody(map[string]any{"networkProfile": c.network}))
			answer := mustPut(t, cloud, clusterID+"/agentPools/apps", linuxPool(c.pool))
			wantAt(t, answer, map[string]any{"properties.maxPods": c.want})
		})
	}
}

func TestASubnetForPodsNeedsAzureCNI(t *testing.T) {
	t.Parallel()
	for plugin, want := range map[string]*Error{
		"azure":   nil,
		"kubenet": invalid("agentPoolProfile.podSubnetID", "it is not supported with the network plugin 'kubenet'"),
		"none":    invalid("agentPoolProfile.podSubnetID", "it is not supported with the network plugin 'none'"),
	} {
		t.Run(plugin, func(t *testing.T) {
			t.Parallel()
			cloud := emptyCloud(t, Options{})
			mustPut(t, cloud, networkID, networkBody())
			mustPut(t, cloud, clusterID, clusterBody(map[string]any{"networkProfile": Body{"networkPlugin": plugin}}))
			pool := linuxPool(map[string]any{"vnetSubnetID": subnetID, "podSubnetID": networkID + "/subnets/pods"})
			_, err := cloud.Put(t.Context(), clusterID+"/agentPools/apps", pool)
			if want != nil {
				wantError(t, err, want)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestThePoolsETagChangesWithThePoolOnly(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	etag := func(body Body) string { return textAt(body, "properties.eTag") }
	first := mustPut(t, cloud, winID, windowsPool(nil))
	again := mustPut(t, cloud, winID, windowsPool(nil))
	other := mustPut(t, cloud, winID, windowsPool(map[string]any{"count": 2}))
	if etag(first) != etag(again) || etag(again) == etag(other) || strings.TrimSpace(etag(other)) == "" {
		t.Errorf("eTags %q, %q and %q", etag(first), etag(again), etag(other))
	}
}
