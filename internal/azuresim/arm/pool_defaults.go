package arm

import (
	"slices"
)

const (
	spotLabel = "kubernetes.azure.com/scalesetpriority"
	spotTaint = spotLabel + "=spot:NoSchedule"
)

// fillPool adds what Azure answers with for what a body leaves out.
func (a around) fillPool(properties Body, current release) {
	if properties["osDiskSizeGB"] == 0.0 {
		delete(properties, "osDiskSizeGB")
	}
	defaultAt(properties, "osType", "Linux")
	windows := properties["osType"] == "Windows"
	for path, value := range map[string]any{
		"osSKU":                          defaultOSSKU(windows, current),
		"mode":                           "User",
		"type":                           "VirtualMachineScaleSets",
		"osDiskSizeGB":                   128.0,
		"osDiskType":                     "Managed",
		"kubeletDiskType":                "OS",
		"maxPods":                        float64(a.defaultMaxPods(properties)),
		"scaleDownMode":                  "Delete",
		"workloadRuntime":                "OCIContainer",
		"enableFIPS":                     false,
		"enableEncryptionAtHost":         false,
		"enableUltraSSD":                 false,
		"enableNodePublicIP":             false,
		"enableAutoScaling":              false,
		"powerState.code":                "Running",
		"upgradeSettings.maxSurge":       "10%",
		"upgradeSettings.maxUnavailable": "0",
	} {
		defaultAt(properties, path, value)
	}
	if !windows {
		defaultAt(properties, "securityProfile.enableSecureBoot", false)
		defaultAt(properties, "securityProfile.enableVTPM", false)
	}
	if properties["scaleSetPriority"] == "Spot" {
		defaultAt(properties, "spotMaxPrice", -1.0)
		defaultAt(properties, "scaleSetEvictionPolicy", "Delete")
	}
	properties["currentOrchestratorVersion"] = current.String()
	properties["nodeImageVersion"] = nodeImage(textAt(properties, "osSKU"), properties["enableFIPS"] == true)
	properties["provisioningState"] = "Succeeded"
}

func defaultOSSKU(windows bool, current release) string {
	switch {
	case !windows:
		return "Ubuntu"
	case current.minor > lastWindows2022:
		return "Windows2025"
	default:
		return "Windows2022"
	}
}

// defaultMaxPods depends on where pods get their addresses from.
func (a around) defaultMaxPods(properties Body) int {
	network := a.cluster.NetworkProfile
	switch {
	case properties["podSubnetID"] != nil:
		return 110
	case network == nil || network.NetworkPlugin == nil || *network.NetworkPlugin != "azure":
		return 110
	case network.NetworkPluginMode != nil:
		return 250
	default:
		return 30
	}
}

func nodeImage(osSKU string, fips bool) string {
	builds := map[string]string{
		"Windows2019": "AKSWindows-2019-containerd-17763.8027.251112",
		"Windows2022": "AKSWindows-2022-containerd-20348.4405.251112",
		"Windows2025": "AKSWindows-2025-gen2-26100.7171.251112", "WindowsAnnual": "AKSWindows-23H2-25398.1965.251112",
	}
	if build, ok := builds[osSKU]; ok {
		return build
	}
	if fips {
		return "AKS" + osSKU + "-fipscontainerd-202611.01.0"
	}
	return "AKS" + osSKU + "-containerd-202611.01.0"
}

// addSpot adds the label and the taint that spot nodes have anyway, as Azure shows
// them.
func addSpot(properties Body) {
	if properties["scaleSetPriority"] != "Spot" {
		return
	}
	taints, _ := properties["nodeTaints"].([]any)
	if !slices.Contains(taints, any(spotTaint)) {
		properties["nodeTaints"] = append(taints, spotTaint)
	}
	labels, _ := properties["nodeLabels"].(Body)
	if labels == nil {
		labels = Body{}
		properties["nodeLabels"] = labels
	}
	labels[spotLabel] = "spot"
}
