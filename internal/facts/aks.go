package facts

import "github.com/mixedkube/mixedkube/internal/kubeversion"

// AKSOldest is the oldest version of Kubernetes that the rules about AKS were compared with.
//
//facts:seen 2026-07-17 https://github.com/Azure/AKS/blob/master/CHANGELOG.md
var AKSOldest = kubeversion.Version{Major: 1, Minor: 32}

// AKSNewest is the newest version of Kubernetes that the rules about AKS were compared with.
//
//facts:seen 2026-07-17 https://github.com/Azure/AKS/blob/master/CHANGELOG.md
var AKSNewest = kubeversion.Version{Major: 1, Minor: 37}

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
