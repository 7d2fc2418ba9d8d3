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

func TestPoolsThatAzureRefuses(t *testing.T) {
	t.Parallel()
	linux := func(path string, value any) Body { return linuxPool(map[string]any{path: value}) }
	windows := func(path string, value any) Body { return windowsPool(map[string]any{path: value}) }
	system := func(path string, value any) Body { return linuxPool(map[string]any{"mode": "System", path: value}) }
	scaled := func(count, from, to any) Body {
		return linuxPool(map[string]any{"enableAutoScaling": true, "count": count, "minCount": from, "maxCount": to})
	}
	const onWindows = "it is not supported for Windows agent pools"
	for name, c := range map[string]struct {
		pool string
		body Body
		want *Error
	}{
		"a capital": {
			"Apps", linuxPool(nil),
			invalid("agentPoolProfile.name",
				"the name 'Apps' has to begin with a lower-case letter, and to have at most 12 lower-case letters "+
					"and digits"),
		},
		"a digit": {
			"1apps", linuxPool(nil),
			invalid("agentPoolProfile.name",
				"the name '1apps' has to begin with a lower-case letter, and to have at most 12 lower-case letters "+
					"and digits"),
		},
		"thirteen": {
			"a123456789012", linuxPool(nil),
			invalid("agentPoolProfile.name",
				"the name 'a123456789012' has to begin with a lower-case letter, and to have at most 12 lower-case "+
					"letters and digits"),
		},
		"a hyphen": {
			"my-apps", linuxPool(nil),
			invalid("agentPoolProfile.name",
				"the name 'my-apps' has to begin with a lower-case letter, and to have at most 12 lower-case letters "+
					"and digits"),
		},
		"seven characters on Windows": {
			"win2022", windowsPool(nil),
			bad400("WindowsAgentPoolNameTooLong", "agentPoolProfile.name",
				"Windows agent pool name can not be longer than 6 characters."),
		},

		"Windows for system pods": {
			"win", windows("mode", "System"),
			bad400("SystemPoolMustBeLinux", "agentPoolProfile.mode",
				"A Windows agent pool cannot have the mode System."),
		},

		"Windows Server 2019": {"win", windows("osSKU", "Windows2019"), bad400("InvalidOSSKU", "agentPoolProfile.osSKU",
			"OSSKU='Windows2019' is invalid, details: it is retired, and new agent pools of it cannot be created")},
		"the annual channel": {
			"win", windows("osSKU", "WindowsAnnual"),
			bad400("InvalidOSSKU", "agentPoolProfile.osSKU",
				"OSSKU='WindowsAnnual' is invalid, details: it is retired, "+
					"and new agent pools of it cannot be created"),
		},
		"2025 without FIPS": {
			"win", windows("osSKU", "Windows2025"),
			invalid("agentPoolProfile.enableFIPS", "OSSKU 'Windows2025' requires a FIPS-enabled OS"),
		},
		"Ubuntu on Windows": {"win", windows("osSKU", "Ubuntu"), bad400("InvalidOSSKU", "agentPoolProfile.osSKU",
			"OSSKU='Ubuntu' is invalid, details: Unrecognized OSSKU")},
		"Windows on Linux": {"apps", linux("osSKU", "Windows2022"), bad400("InvalidOSSKU", "agentPoolProfile.osSKU",
			"OSSKU='Windows2022' is invalid, details: Unrecognized OSSKU")},

		"an unknown size": {"apps", linux("vmSize", "Standard_Q4_v5"), bad400("BadRequest", "agentPoolProfile.vmSize",
			"The VM size of AgentPoolProfile:apps is not allowed in your subscription in location 'westeurope'. For more details, please visit https://aka.ms/aks/quotas-skus-regions")},
		"one CPU": {
			"apps", linux("vmSize", "Standard_DS1_v2"),
			invalid("agentPoolProfile.vmSize", "the VM size Standard_DS1_v2 has less than 2 cores or 2GB memory"),
		},
		"one GiB": {
			"apps", linux("vmSize", "Standard_B2ts_v2"),
			invalid("agentPoolProfile.vmSize", "the VM size Standard_B2ts_v2 has less than 2 cores or 2GB memory"),
		},
		"a constrained CPU": {
			"apps", linux("vmSize", "Standard_E4-1s_v5"),
			invalid("agentPoolProfile.vmSize", "the VM size Standard_E4-1s_v5 has less than 2 cores or 2GB memory"),
		},
		"B for the system": {
			"sys2", system("vmSize", "Standard_B4ms"),
			invalid("agentPoolProfile.vmSize", "system node pool sys2 cannot use the B-series VM size Standard_B4ms"),
		},
		"small for the system": {
			"sys2", system("vmSize", "Standard_DS1_v2"),
			bad400("SystemPoolSkuTooLow", "agentPoolProfile.vmSize",
				"System node pool must use VM sku with more than 2 cores and 4GB memory. Nodepool name: sys2."),
		},
		"Arm64 on Windows": {
			"win", windows("vmSize", "Standard_D4ps_v5"),
			bad400("VMSizeNotSupportedForWindowsAgentPool", "agentPoolProfile.vmSize",
				"The Arm64 VM size Standard_D4ps_v5 is not supported for Windows agent pools."),
		},
		// https://github.com/dapr/dapr/pull/9994, of 2026: not UnsupportedGen2VMSize
		"generation 2 only, with 2022": {
			"win", windows("vmSize", "Standard_D4s_v6"),
			bad400("BadRequest", "agentPoolProfile.vmSize",
				"The selected VM size 'Standard_D4s_v6' cannot boot Hypervisor Generation '1'. If this was a Create "+
					"operation please check that the Hypervisor Generation of the Image matches the Hypervisor "+
					"Generation of the selected VM Size."),
		},

		"secure boot": {
			"win", windows("securityProfile.enableSecureBoot", true),
			invalid("agentPoolProfile.securityProfile.enableSecureBoot", onWindows),
		},
		"a virtual TPM": {
			"win", windows("securityProfile.enableVTPM", true),
			invalid("agentPoolProfile.securityProfile.enableVTPM", onWindows),
		},
		"GPU partitions": {
			"win", windows("gpuInstanceProfile", "MIG1g"),
			invalid("agentPoolProfile.gpuInstanceProfile", onWindows),
		},
		"linuxOSConfig": {
			"win", windows("linuxOSConfig", Body{"swapFileSizeMB": 1}),
			invalid("agentPoolProfile.linuxOSConfig", onWindows),
		},
		"messageOfTheDay": {
			"win", windows("messageOfTheDay", "aGk="),
			invalid("agentPoolProfile.messageOfTheDay", onWindows),
		},
		"another runtime": {
			"win", windows("workloadRuntime", "KataVmIsolation"),
			invalid("agentPoolProfile.workloadRuntime", onWindows),
		},
		"sysctls": {
			"win", windows("kubeletConfig.allowedUnsafeSysctls", []any{"a"}),
			invalid("agentPoolProfile.kubeletConfig.allowedUnsafeSysctls", onWindows),
		},
		"CPU quota": {
			"win", windows("kubeletConfig.cpuCfsQuota", true),
			invalid("agentPoolProfile.kubeletConfig.cpuCfsQuota", onWindows),
		},
		"CPU quota period": {
			"win", windows("kubeletConfig.cpuCfsQuotaPeriod", "1ms"),
			invalid("agentPoolProfile.kubeletConfig.cpuCfsQuotaPeriod", onWindows),
		},
		"CPU manager": {
			"win", windows("kubeletConfig.cpuManagerPolicy", "static"),
			invalid("agentPoolProfile.kubeletConfig.cpuManagerPolicy", onWindows),
		},
		"swap": {
			"win", windows("kubeletConfig.failSwapOn", false),
			invalid("agentPoolProfile.kubeletConfig.failSwapOn", onWindows),
		},
		"process IDs": {
			"win", windows("kubeletConfig.podMaxPids", 5),
			invalid("agentPoolProfile.kubeletConfig.podMaxPids", onWindows),
		},
		"topology manager": {
			"win", windows("kubeletConfig.topologyManagerPolicy", "none"),
			invalid("agentPoolProfile.kubeletConfig.topologyManagerPolicy", onWindows),
		},
		"outbound NAT": {
			"win", windows("windowsProfile.disableOutboundNat", true),
			invalid("agentPoolProfile.windowsProfile.disableOutboundNat",
				"it is not supported with the outbound type 'loadBalancer'"),
		},
		"outbound on Linux": {
			"apps", linux("windowsProfile.disableOutboundNat", true),
			invalid("agentPoolProfile.windowsProfile.disableOutboundNat",
				"it is supported for Windows agent pools only"),
		},

		"nine pods": {
			"apps", linux("maxPods", 9),
			invalid("agentPoolProfile.maxPods",
				"agentPoolProfile.maxPods was 9. It must be greater or equal to 10 and less than or equal to 250"),
		},
		"251 pods": {
			"apps", linux("maxPods", 251),
			invalid("agentPoolProfile.maxPods",
				"agentPoolProfile.maxPods was 251. It must be greater or equal to 10 and less than or equal to 250"),
		},
		"29 pods for the system": {
			"sys2", system("maxPods", 29),
			bad400("InsufficientMaxPods", "agentPoolProfile.maxPods",
				"The AgentPoolProfile 'sys2' has an invalid total maxPods(maxPods per node * node count), the total "+
					"maxPods(29 * 1) should be larger than 30. "+
					"Please refer to aka.ms/aks-min-max-pod for more detail."),
		},

		"a negative number": {
			"apps", linux("count", -1),
			invalid("agentPoolProfile.count",
				"agentPoolProfile.count was -1. It must be greater or equal to minCount:0 and less than or equal to "+
					"maxCount:1000"),
		},
		"1001 nodes": {
			"apps", linux("count", 1001),
			invalid("agentPoolProfile.count",
				"agentPoolProfile.count was 1001. It must be greater or equal to minCount:0 and less than or equal "+
					"to maxCount:1000"),
		},
		"no system nodes": {
			"sys2", system("count", 0),
			invalid("agentPoolProfile.count",
				"agentPoolProfile.count was 0. It must be greater or equal to minCount:1 and less than or equal to "+
					"maxCount:1000"),
		},
		"autoscaled, uncounted": {"apps", scaled(nil, 1, 3), missing("properties.count")},
		"no smallest number":    {"apps", scaled(1, nil, 3), missing("properties.minCount")},
		"no largest number":     {"apps", scaled(1, 1, nil), missing("properties.maxCount")},
		"too large a number": {
			"apps", scaled(1, 1, 1001),
			invalid("agentPoolProfile.maxCount",
				"agentPoolProfile.maxCount was 1001. It must be greater or equal to minCount:0 and less than or "+
					"equal to maxCount:1000"),
		},
		"the wrong way round": {
			"apps", scaled(3, 4, 2),
			invalid("agentPoolProfile.minCount",
				"agentPoolProfile.minCount was 4. It must be less than or equal to agentPoolProfile.maxCount:2"),
		},
		"outside the range": {
			"apps", scaled(9, 1, 3),
			invalid("agentPoolProfile.count",
				"agentPoolProfile.count was 9. It must be greater or equal to minCount:1 and less than or equal to "+
					"maxCount:3"),
		},
		"a range, not scaled": {
			"apps", linux("minCount", 1),
			invalid("agentPoolProfile.minCount", "it can only be set if enableAutoScaling is true"),
		},

		"a surge that is not a number": {
			"apps", linux("upgradeSettings.maxSurge", "many"),
			invalid("agentPoolProfile.upgradeSettings.maxSurge", "'many' is neither a number nor a percentage"),
		},
		"a surge of 101%": {
			"apps", linux("upgradeSettings.maxSurge", "101%"),
			invalid("agentPoolProfile.upgradeSettings.maxSurge", "'101%' is neither a number nor a percentage"),
		},
		"unavailable words": {
			"apps", linux("upgradeSettings.maxUnavailable", "-1"),
			invalid("agentPoolProfile.upgradeSettings.maxUnavailable", "'-1' is neither a number nor a percentage"),
		},
		"system nodes unavailable": {
			"sys2", system("upgradeSettings.maxUnavailable", "1"),
			invalid("agentPoolProfile.upgradeSettings.maxUnavailable", "it is not supported for system node pools"),
		},
		"no upgrade possible": {
			"apps", linux("upgradeSettings.maxSurge", "0"),
			invalid("agentPoolProfile.upgradeSettings.maxSurge", "maxSurge and maxUnavailable cannot both be 0"),
		},
		"no room to upgrade": {
			"apps", linuxPool(map[string]any{"count": 990, "upgradeSettings.maxSurge": "11"}),
			invalid("agentPoolProfile.upgradeSettings.maxSurge",
				"the count 990 and the surge 11 are more than 1000 nodes together"),
		},
		"an endless drain": {
			"apps", linux("upgradeSettings.drainTimeoutInMinutes", 1441),
			invalid("agentPoolProfile.upgradeSettings.drainTimeoutInMinutes", "1441 is not between 1 and 1440"),
		},
		"a long soak": {
			"apps", linux("upgradeSettings.nodeSoakDurationInMinutes", 31),
			invalid("agentPoolProfile.upgradeSettings.nodeSoakDurationInMinutes", "31 is not between 0 and 30"),
		},

		"a taint without a value": {
			"apps", linux("nodeTaints", []any{"gpu:NoSchedule"}),
			invalid("agentPoolProfile.nodeTaints",
				"the taint 'gpu:NoSchedule' is not of the form key=value:Effect with the effect NoSchedule, "+
					"PreferNoSchedule or NoExecute"),
		},
		"a taint with an unknown effect": {
			"apps", linux("nodeTaints", []any{"a=b:Never"}),
			invalid("agentPoolProfile.nodeTaints",
				"the taint 'a=b:Never' is not of the form key=value:Effect with the effect NoSchedule, "+
					"PreferNoSchedule or NoExecute"),
		},
		"a taint on the system": {
			"sys2", system("nodeTaints", []any{"a=b:NoSchedule"}),
			// https://github.com/jenkins-infra/azure/pull/539
			bad400("SystemPoolHasRestrictedTaint", "agentPoolProfile.nodeTaints",
				"Placing custom taints on system pool is not supported(except 'CriticalAddonsOnly' taint or taint "+
					"effect is 'PreferNoSchedule'). Please refer to https://aka.ms/aks/system-taints for detail"),
		},
		"a spot taint": {
			"apps", linux("nodeTaints", []any{spotTaint}),
			invalid("agentPoolProfile.nodeTaints", "the taint '"+spotTaint+"' is reserved for spot nodes"),
		},
		"a label of AKS": {
			"apps", linux("nodeLabels", Body{"kubernetes.azure.com/mode": "x"}),
			labelOfAKS("kubernetes.azure.com/mode"),
		},
		"a label of Kubernetes": {
			"apps", linux("nodeLabels", Body{"kubernetes.io/os": "x"}),
			labelOfKubernetes("kubernetes.io/os=x"),
		},
		"a zone": {
			"apps", linux("nodeLabels", Body{"topology.kubernetes.io/zone": "1"}),
			labelOfKubernetes("topology.kubernetes.io/zone=1"),
		},
		"an old label": {
			"apps", linux("nodeLabels", Body{"alpha.k8s.io/x": ""}), labelOfKubernetes("alpha.k8s.io/x="),
		},
		"a spot label": {
			"apps", linux("nodeLabels", Body{spotLabel: "spot"}),
			labelOfAKS(spotLabel),
		},

		"spot for the system": {
			"sys2", system("scaleSetPriority", "Spot"),
			bad400("SystemPoolMustBeRegular", "agentPoolProfile.scaleSetPriority",
				"A system agent pool cannot have the priority 'Spot'."),
		},
		// The message of jenkins-infra/azure#1458.
		"a zone that no region has": {
			"apps", linux("availabilityZones", []any{"1", "4"}),
			bad400("AvailabilityZoneNotSupported", "", "The zone(s) '4' for resource 'apps' is not supported. The "+
				"supported zones for location 'westeurope' are '1,2,3'"),
		},
		"a price without spot": {
			"apps", linux("spotMaxPrice", 0.5),
			invalid("agentPoolProfile.spotMaxPrice", "it can only be set if scaleSetPriority is 'Spot'"),
		},
		"eviction without spot": {
			"apps", linux("scaleSetEvictionPolicy", "Deallocate"),
			invalid("agentPoolProfile.scaleSetEvictionPolicy", "it can only be set if scaleSetPriority is 'Spot'"),
		},
		"a price of 0": {
			"spot", linuxPool(map[string]any{"scaleSetPriority": "Spot", "spotMaxPrice": 0}),
			invalid("agentPoolProfile.spotMaxPrice",
				"0 is neither -1 nor greater than 0 with at most 5 decimal places"),
		},
		"a price too exact": {
			"spot",
			linuxPool(map[string]any{"scaleSetPriority": "Spot", "spotMaxPrice": 0.123456}),
			invalid("agentPoolProfile.spotMaxPrice",
				"0.123456 is neither -1 nor greater than 0 with at most 5 decimal places"),
		},
		"a subnet for pods": {
			"apps", linux("podSubnetID", subnetID),
			invalid("agentPoolProfile.podSubnetID", "it is not supported with the network plugin mode 'overlay'"),
		},
		"a missing subnet": {
			"apps", linux("vnetSubnetID", subnetID),
			invalid("agentPoolProfile.vnetSubnetID", "the subnet '"+subnetID+"' was not found"),
		},
		"no ID of a subnet": {
			"apps", linux("vnetSubnetID", "nodes"),
			invalid("agentPoolProfile.vnetSubnetID", "'nodes' is not the ID of a subnet"),
		},
		"no properties":          {"apps", Body{}, missing("properties")},
		"an unsupported version": {"apps", linux("orchestratorVersion", "1.31"), bad400("AgentPoolK8sVersionNotSupported", "", "Version 1.31 is not supported in this region. Please use [az aks get-versions] command to get the supported version list in this region. For more information, please check https://aka.ms/supported-version-list.")},
		"a newer version": {"apps", linux("orchestratorVersion", "1.37"), bad400("NodePoolMcVersionIncompatible", "",
			"Node pool version 1.37.0 and control plane version 1.36.3 are incompatible. Minor version of node pool version 37 is bigger than control plane version 36. For more information, please check https://aka.ms/version-skew-policy")},
		"a version too old": {"apps", linux("orchestratorVersion", "1.32"), bad400("NodePoolMcVersionIncompatible", "",
			"Node pool version 1.32.11 and control plane version 1.36.3 are incompatible. Minor version of node pool cannot be more than 3 versions less than control plane's version. Minor version of node pool is 32 and control plane is 36. For more information, please check https://aka.ms/version-skew-policy")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud := shop(t)
			id := clusterID + "/agentPools/" + c.pool
			_, err := cloud.Put(t.Context(), id, c.body)
			wantError(t, err, c.want)
			_, err = cloud.Get(t.Context(), id)
			wantError(t, err, &Error{
				Status: 404, Code: "NotFound",
				Message: "Could not find the agentpool: " + c.pool + ".",
			})
		})
	}
}

// labelOfAKS and labelOfKubernetes are answers that were seen:
// https://github.com/ams0/aks-nvme-ssd-provisioner/issues/5 and https://github.com/Azure/AKS/issues/4613.
func labelOfAKS(key string) *Error {
	return bad400("BadRequest", "", "Invalid node label key "+key+". The 'kubernetes.azure.com' prefix is preserved "+
		"by aks system labels")
}

func labelOfKubernetes(label string) *Error {
	return bad400("BadRequest", label, "For Kubernetes version greater than or equal to 1.16, node label keys in the "+
		"'kubernetes.io' or 'k8s.io' namespace must begin with an allowed prefix (kubelet.kubernetes.io, "+
		"node.kubernetes.io). For more information, please check https://aka.ms/aks-node-labels-116.")
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

func TestPoolsOfANewClusterHaveTheSameRules(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change map[string]any
		want   *Error
	}{
		"name": {
			map[string]any{"name": "My-Pool"},
			invalid("agentPoolProfile.name",
				"the name 'My-Pool' has to begin with a lower-case letter, and to have at most 12 lower-case letters "+
					"and digits"),
		},
		"B": {
			map[string]any{"vmSize": "Standard_B2s"},
			invalid("agentPoolProfile.vmSize", "system node pool system cannot use the B-series VM size Standard_B2s"),
		},
		"taints": {
			map[string]any{"nodeTaints": []any{"x"}},
			invalid("agentPoolProfile.nodeTaints",
				"the taint 'x' is not of the form key=value:Effect with the effect NoSchedule, PreferNoSchedule or "+
					"NoExecute"),
		},
		"spot": {
			map[string]any{"scaleSetPriority": "Spot"},
			bad400("SystemPoolMustBeRegular", "agentPoolProfile.scaleSetPriority",
				"A system agent pool cannot have the priority 'Spot'."),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud := emptyCloud(t, Options{})
			_, err := cloud.Put(t.Context(), clusterID,
				clusterBody(map[string]any{"agentPoolProfiles": firstPool(c.change)}))
			wantError(t, err, c.want)
			_, err = cloud.Get(t.Context(), clusterID)
			wantError(t, err, noCluster("shop"))
		})
	}
}

func TestWindowsPoolsDependOnTheCluster(t *testing.T) {
	t.Parallel()
	user := []any{Body{"name": "system", "mode": "System", "count": 2, "vmSize": "Standard_D4s_v5"}}
	for name, c := range map[string]struct {
		cluster map[string]any
		pool    map[string]any
		want    *Error
	}{
		"no profile": {
			map[string]any{"windowsProfile": nil},
			nil,
			bad400("WindowsProfileMissing", "", "Windows profile definition is missing for the cluster."),
		},
		"kubenet": {
			map[string]any{"networkProfile": Body{"networkPlugin": "kubenet"}},
			nil,
			bad400("AzureCNIOnlyForWindows", "networkProfile.networkPlugin",
				"Windows agent pools can only be added to AKS clusters using Azure-CNI."),
		},
		"no CNI": {
			map[string]any{"networkProfile": Body{"networkPlugin": "none"}},
			nil,
			bad400("AzureCNIOnlyForWindows", "networkProfile.networkPlugin",
				"Windows agent pools can only be added to AKS clusters using Azure-CNI."),
		},
		"cilium": {
			map[string]any{"networkProfile.networkDataplane": "cilium", "networkProfile.networkPolicy": "cilium"},
			nil,
			invalid("networkProfile.networkDataplane",
				"the dataplane 'cilium' is not supported with Windows agent pools"),
		},
		"NPM": {
			map[string]any{"networkProfile.networkPolicy": "azure"},
			nil,
			invalid("networkProfile.networkPolicy",
				"the network policy 'azure' is not supported with Windows agent pools"),
		},
		"isolated": {
			map[string]any{"bootstrapProfile.artifactSource": "Cache"},
			nil,
			invalid("bootstrapProfile.artifactSource", "network isolated clusters do not support Windows agent pools"),
		},
		"no way out": {
			map[string]any{"networkProfile.outboundType": "none"},
			nil,
			invalid("networkProfile.outboundType", "network isolated clusters do not support Windows agent pools"),
		},
		"2022 in 1.37": {
			map[string]any{"kubernetesVersion": "1.37"},
			nil,
			bad400("InvalidOSSKU", "agentPoolProfile.osSKU",
				"OSSKU='Windows2022' is invalid, details: it is not supported in Kubernetes version 1.37 or later"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud := emptyCloud(t, Options{})
			c.cluster["agentPoolProfiles"] = user
			mustPut(t, cloud, clusterID, clusterBody(c.cluster))
			_, err := cloud.Put(t.Context(), winID, windowsPool(c.pool))
			wantError(t, err, c.want)
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
		"properties.nodeImageVersion":           "AKSWindows-2022-containerd-20348.4405.251112",
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
