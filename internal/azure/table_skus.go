package azure

import (
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/kubeversion"
)

// skuRules are about osSKU, and the platforms that it follows from.
var skuRules = []preflight.Rule{
	{
		ID: "MK712", Severity: preflight.Error, Title: "a Windows release that the Kubernetes version does not have",
		Reason: "AKS makes node images of a Windows release for some versions of Kubernetes only.",
		Source: upgradeWindows,
	},
	{
		ID: "MK713", Severity: preflight.Warning, Title: "an osSKU for existing pools only",
		Reason: "Azure refuses new pools of an osSKU that is not supported any more. Pools that exist keep working until their node images are removed.",
		Source: windowsFAQPage,
	},
	{
		ID: "MK714", Severity: preflight.Error, Title: "Windows Server 2025 without FIPS",
		Reason: "AKS makes Windows Server 2025 nodes with FIPS only.",
		Source: upgradeWindows,
	},
	{
		ID: "MK716", Severity: preflight.Error, Title: "an osSKU that contradicts the platform",
		Reason: "The platform says what the nodes run, and labels, taints and placement follow from it.",
		Source: poolAPI,
	},
	{
		ID: "MK717", Severity: preflight.Warning, Title: "an osSKU that this library does not know",
		Reason: "Azure has new ones from time to time.",
		Source: poolAPI,
	},
}

// windowsSKU is what AKS does with an osSKU of Windows.
type windowsSKU struct {
	name string
	// platform is empty for what is no platform of a pool.
	platform platform.Platform
	// first and last are the versions of Kubernetes that have it; zero for all.
	first, last kubeversion.Version
	// refused and removed are the days from which there are no new pools, and no
	// images for the existing ones. Empty where there is no such day yet.
	refused, removed string
	fips             bool
}

var windowsSKUs = []windowsSKU{
	{
		name: "Windows2019", platform: platform.WindowsServer2019, last: kubeversion.Version{Major: 1, Minor: 32},
		refused: "2026-03-01", removed: "2027-04-01",
	},
	{name: "Windows2022", platform: platform.WindowsServer2022, first: kubeversion.Version{Major: 1, Minor: 23}, last: kubeversion.Version{Major: 1, Minor: 36}},
	{name: "Windows2025", platform: platform.WindowsServer2025, first: kubeversion.Version{Major: 1, Minor: 32}, fips: true},
	{name: "WindowsAnnual", refused: "2026-05-15", removed: "2027-05-15"},
}

// linuxSKUs are the Linux distributions.
var linuxSKUs = []string{
	"Ubuntu", "Ubuntu2204", "Ubuntu2404", "AzureLinux", "AzureLinux3", "AzureLinuxOSGuard", "CBLMariner", "Mariner", "Flatcar",
}
