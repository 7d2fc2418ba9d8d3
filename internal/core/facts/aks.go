package facts

import "github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"

// AKSOldest is the oldest version of Kubernetes that the rules about AKS were compared with.
//
//facts:seen 2026-07-17 https://github.com/Azure/AKS/blob/master/CHANGELOG.md
var AKSOldest = kubeversion.Version{Major: 1, Minor: 32}

// AKSNewest is the newest version of Kubernetes that the rules about AKS were compared with.
//
//facts:seen 2026-07-17 https://github.com/Azure/AKS/blob/master/CHANGELOG.md
var AKSNewest = kubeversion.Version{Major: 1, Minor: 37}

// AKSRelease is a version of Kubernetes in the calendar of AKS.
type AKSRelease struct {
	Version kubeversion.Version
	// Ends is the last day of community support, and LTSEnds the last day of long-term support. A month in the calendar
	// means its last day.
	Ends, LTSEnds string
}

// AKSReleases are the versions in the calendar, from the oldest to the newest.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/supported-kubernetes-versions
var AKSReleases = []AKSRelease{
	{kubeversion.Version{Major: 1, Minor: 29}, "2025-03-31", "2026-04-30"},
	{kubeversion.Version{Major: 1, Minor: 30}, "2025-08-22", "2026-07-31"},
	{kubeversion.Version{Major: 1, Minor: 31}, "2025-11-01", "2026-11-30"},
	{kubeversion.Version{Major: 1, Minor: 32}, "2026-03-31", "2027-03-31"},
	{kubeversion.Version{Major: 1, Minor: 33}, "2026-07-31", "2027-07-31"},
	{kubeversion.Version{Major: 1, Minor: 34}, "2026-11-30", "2027-11-30"},
	{kubeversion.Version{Major: 1, Minor: 35}, "2027-03-31", "2028-03-31"},
	{kubeversion.Version{Major: 1, Minor: 36}, "2027-06-30", "2028-06-30"},
	{kubeversion.Version{Major: 1, Minor: 37}, "2027-10-31", "2028-10-31"},
}

// WindowsSKU is what AKS does with an osSKU of Windows.
type WindowsSKU struct {
	Name string
	// Platform is the platform of pools with this SKU, empty if there is none.
	Platform string
	// First and Last are the oldest and newest version of Kubernetes that have it; zero if there is no limit.
	First, Last kubeversion.Version
	// Refused is the day from which AKS refuses new pools, and Removed the day on which it
	// removes the images of existing ones. They are empty if there is no such day yet.
	// Retires is the future day on which AKS ends its support, and then refuses new pools. A
	// day that has passed is in Refused.
	Refused, Removed, Retires string
	FIPS                      bool
}

// WindowsSKUs are the values of osSKU for Windows in AKS.
//
//facts:seen 2026-07-17 https://github.com/Azure/AKS/blob/master/CHANGELOG.md
var WindowsSKUs = []WindowsSKU{
	{
		Name: "Windows2019", Platform: "windows-2019", Last: kubeversion.Version{Major: 1, Minor: 32},
		Refused: "2026-03-01", Removed: "2027-04-01",
	},
	{
		Name: "Windows2022", Platform: "windows-2022", First: kubeversion.Version{Major: 1, Minor: 23},
		Last:    kubeversion.Version{Major: 1, Minor: 36},
		Retires: "2028-06-30", Removed: "2029-06-30",
	},
	{
		Name: "Windows2025", Platform: "windows-2025", First: kubeversion.Version{Major: 1, Minor: 32},
		FIPS: true,
	},
	{Name: "WindowsAnnual", Refused: "2026-05-15", Removed: "2027-05-15"},
}

// LinuxSKUs are the Linux distributions of AKS.
//
//facts:seen 2026-07-17 https://github.com/Azure/AKS/blob/master/CHANGELOG.md
var LinuxSKUs = []string{
	"Ubuntu", "Ubuntu2204", "Ubuntu2404", "AzureLinux", "AzureLinux3", "AzureLinuxOSGuard", "AzureContainerLinux",
	"CBLMariner", "Mariner", Flatcar,
}

// Flatcar is a distribution that AKS no longer supports, since the day FlatcarUnsupported.
//
//facts:seen 2026-07-17 https://github.com/Azure/AKS/blob/master/CHANGELOG.md
const (
	Flatcar            = "Flatcar"
	FlatcarUnsupported = "2026-06-08"
)
