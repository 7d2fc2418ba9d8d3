package arm

import (
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

const (
	spotLabel = "kubernetes.azure.com/scalesetpriority"
	spotTaint = spotLabel + "=spot:NoSchedule"

	// defaultSize is the size of a pool without a VM size: AKS chooses it
	// (https://learn.microsoft.com/azure/aks/quotas-skus-regions).
	defaultSize = "Standard_D4s_v5"
	// defaultRuntime is not shown unless it was sent.
	defaultRuntime = "OCIContainer"
)

// fillPool sets the properties that a body leaves out to Azure's defaults.
func (c poolCluster) fillPool(properties Body, current release) {
	if properties["osDiskSizeGB"] == 0.0 {
		delete(properties, "osDiskSizeGB")
	}
	defaultAt(properties, "osType", "Linux")
	defaultAt(properties, "vmSize", defaultSize)
	windows := properties["osType"] == "Windows"
	for path, value := range map[string]any{
		"osSKU":                          defaultOSSKU(windows, current),
		"mode":                           "User",
		"type":                           "VirtualMachineScaleSets",
		"kubeletDiskType":                "OS",
		"maxPods":                        float64(c.defaultMaxPods(properties)),
		"scaleDownMode":                  "Delete",
		"enableFIPS":                     false,
		"enableNodePublicIP":             false,
		"powerState.code":                "Running",
		"upgradeSettings.maxSurge":       "10%",
		"upgradeSettings.maxUnavailable": "0",

		"securityProfile.enableSecureBoot": false,
		"securityProfile.enableVTPM":       false,
		"securityProfile.sshAccess":        "LocalUser",
	} {
		defaultAt(properties, path, value)
	}
	size, _ := sizeNamed(textAt(properties, "vmSize"))
	size.fillDisk(properties)
	if properties["scaleSetPriority"] == "Spot" {
		defaultAt(properties, "spotMaxPrice", -1.0)
		defaultAt(properties, "scaleSetEvictionPolicy", "Delete")
	}
	properties["currentOrchestratorVersion"] = current.String()
	properties["nodeImageVersion"] = nodeImage(textAt(properties, "osSKU"), current, size,
		properties["enableFIPS"] == true)
	properties["provisioningState"] = "Succeeded"
}

func defaultOSSKU(windows bool, current release) string {
	if !windows {
		return "Ubuntu"
	}
	for _, d := range facts.WindowsDefaults {
		if minorVersion(current.minor).Compare(d.Since) >= 0 {
			return d.SKU
		}
	}
	return ""
}

// defaultMaxPods depends on where the addresses of pods come from.
func (c poolCluster) defaultMaxPods(properties Body) int {
	network := c.cluster.NetworkProfile
	switch {
	case properties["podSubnetID"] != nil:
		return facts.AKSDefaultPods.PodSubnet
	case network == nil || network.NetworkPlugin == nil || *network.NetworkPlugin != "azure":
		return 110
	case network.NetworkPluginMode != nil:
		return facts.AKSDefaultPods.Overlay
	default:
		return facts.AKSDefaultPods.NodeSubnet
	}
}

// dropRegular removes the priority Regular, which is not shown.
func dropRegular(properties Body) {
	if properties["scaleSetPriority"] == "Spot" {
		return
	}
	for _, path := range []string{"scaleSetPriority", "scaleSetEvictionPolicy", "spotMaxPrice"} {
		delete(properties, path)
	}
}

// addSpot adds the label and the taint of spot nodes, as Azure shows them.
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
