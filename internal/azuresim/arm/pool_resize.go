package arm

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// FeatureResize is the feature that a subscription needs for another VM size of a pool, for [Options.Features]
// (https://github.com/Azure/azure-cli-extensions/pull/9732).
const FeatureResize = "Microsoft.ContainerService/AgentPoolVMSSResize"

// ResizeAPI is the first version of the API in which the VM size of a pool can change.
var ResizeAPI = facts.AKSPreviewChanges[slices.IndexFunc(facts.AKSPreviewChanges, func(c facts.PreviewChange) bool {
	return c.Property == "vmSize"
})].API

// previews are the previews with which a pool can change more.
type previews struct {
	// API is the version of the API, empty if the request names none.
	api string
	// resize is true if the subscription has registered for [FeatureResize], and windows if it has the preview
	// [Options.WindowsUpgrade].
	resize, windows bool
}

func (r *request) previews() previews {
	return previews{
		api: r.query.Get("api-version"), resize: r.registered(FeatureResize), windows: r.cloud.options.WindowsUpgrade,
	}
}

// resizes reports whether the API knows that the VM size can change: only previews since [ResizeAPI].
func (p previews) resizes() bool { return strings.HasSuffix(p.api, "-preview") && p.api >= ResizeAPI }

// fixedProperties returns the properties that a request cannot change.
func (c poolCluster) fixedProperties(before, sent Body) []string {
	fixed := slices.Clone(immutablePool)
	if before["osType"] == "Windows" && !c.upgradesWindows(before, sent) {
		fixed = append(fixed, immutableWindowsPool...)
	}
	return slices.DeleteFunc(fixed, func(path string) bool {
		switch path {
		case allocationPath:
			// The default can be sent.
			return before[allocationPath] == nil && allocationMode(sent) == allocationMode(before)
		case "vmSize":
			return c.previews.resizes() && before["type"] == "VirtualMachineScaleSets"
		}
		return false
	})
}

// upgradesWindows reports whether a request makes Windows Server 2022 to 2025, the only direction that AKS accepts
// (https://github.com/Azure/azure-cli-extensions/pull/10255). It enables FIPS, which Windows Server 2025 requires.
func (c poolCluster) upgradesWindows(before, sent Body) bool {
	return c.previews.windows && isWindows2022(before) && sent["osSKU"] == "Windows2025"
}

func isWindows2022(properties Body) bool { return properties["osSKU"] == "Windows2022" }

// checkResize checks another VM size of an existing pool
// (https://learn.microsoft.com/azure/aks/resize-node-pool#validation-and-unsupported-combinations). The status is
// documented, and the texts are our own.
func (c poolCluster) checkResize(before, after Body) error {
	from, to := textAt(before, "vmSize"), textAt(after, "vmSize")
	if from == "" || strings.EqualFold(from, to) {
		return nil
	}
	if !c.previews.resize {
		// The text is from hashicorp/terraform-provider-azurerm#19664, about another feature.
		namespace, name, _ := strings.Cut(FeatureResize, "/")
		return refused("BadRequest", "", "The feature '%s' is not registered for subscription %s. Please register the "+
			"feature '%s/%s' to use this feature.", name, subscription, namespace, name)
	}
	a, _ := sizeNamed(from)
	b, known := sizeNamed(to)
	windows2022 := isWindows2022(before)
	refuse := func(what string) error {
		return refused("BadRequest", "agentPoolProfile.vmSize",
			"Resizing an agent pool from VM size %s to %s is not supported: %s.", from, to, what)
	}
	switch {
	case !known:
		return nil // checkSize refuses it
	case a.arm != b.arm:
		return refuse("the CPU architecture differs")
	case a.confidential() != b.confidential():
		return refuse("the support of confidential computing differs")
	case a.nvme() != b.nvme():
		return refuse("the disk controller type differs")
	case a.generation(windows2022) != b.generation(windows2022):
		return refuse("the hypervisor generation differs")
	case before["currentOrchestratorVersion"] != after["currentOrchestratorVersion"]:
		return refuse("it cannot be combined with an upgrade of Kubernetes")
	case before["count"] != after["count"]:
		return refuse("it cannot be combined with another node count")
	case isZero(textAt(after, "upgradeSettings.maxSurge")):
		return refuse("it needs a maxSurge of at least 1")
	}
	return nil
}

// nvme reports whether machines have NVMe as their disk controller: those of version 6 and newer, which is
// in the name (https://learn.microsoft.com/azure/virtual-machines/enable-nvme-interface).
func (s vmSize) nvme() bool { return s.version >= 6 }

// generation is the generation of the hypervisor. All images of Windows Server 2022 have the first one, except on sizes
// that do not boot it.
func (s vmSize) generation(windows2022 bool) int {
	if s.onlyGen1 || windows2022 && !s.onlyGen2 {
		return 1
	}
	return 2
}
