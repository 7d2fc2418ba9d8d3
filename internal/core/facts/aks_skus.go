package facts

import (
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
)

// FIPS is whether nodes can have FIPS 140.
type FIPS int

// FIPSOptional nodes have it if a pool enables it, FIPSOnly nodes always have it, and NoFIPS nodes cannot have it.
const (
	FIPSOptional FIPS = iota
	FIPSOnly
	NoFIPS
)

// SKU is a value of osSKU in AKS, and its life.
type SKU struct {
	Name string
	// Platform is the platform of Windows pools with it. It is empty for Linux, and if Windows has no such platform.
	Platform string
	Windows  bool
	// First and Last are the oldest and newest version of Kubernetes that have it; zero if there is no limit.
	First, Last kubeversion.Version
	// Refused is the day from which AKS refuses new pools, and Removed the day on which it
	// removes the images of existing ones. They are empty if there is no such day yet.
	// Retires is the future day on which AKS ends its support, and then refuses new pools. A
	// day that has passed is in Refused.
	Refused, Removed, Retires string
	FIPS                      FIPS
	// NoConfidential is true for a Linux SKU without images for confidential machines: see the page use-cvm.
	NoConfidential bool
	// Successor is the SKU to use instead of a Linux one that ends.
	Successor string
}

// SKUs are the values of osSKU.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/upgrade-os-version
var SKUs = []SKU{
	{
		Name: "Windows2019", Windows: true, Platform: "windows-2019", Last: minor(32),
		Refused: "2026-03-01", Removed: "2027-04-01",
	},
	{
		Name: "Windows2022", Windows: true, Platform: "windows-2022", First: minor(23), Last: minor(36),
		Retires: "2028-06-30", Removed: "2029-06-30",
	},
	{Name: "Windows2025", Windows: true, Platform: "windows-2025", First: minor(32), FIPS: FIPSOnly},
	{Name: "WindowsAnnual", Windows: true, Refused: "2026-05-15", Removed: "2027-05-15"},

	{Name: "Ubuntu"},
	{
		Name: "Ubuntu2204", First: minor(25), Last: minor(36), Retires: "2027-06-30", Removed: "2028-04-30",
		Successor: "Ubuntu2404", NoConfidential: true,
	},
	{Name: "Ubuntu2404", First: minor(32), Last: minor(38), FIPS: NoFIPS},
	{Name: "AzureLinux"},
	{Name: "AzureLinux3", First: minor(28), Last: minor(36), Successor: "AzureLinux"},
	{ // https://github.com/Azure/AKS/issues/5950
		Name: "AzureLinuxOSGuard", First: minor(32), FIPS: FIPSOnly, Retires: "2026-12-10", Removed: "2027-03-10",
		Successor: "AzureContainerLinux", NoConfidential: true,
	},
	{Name: "AzureContainerLinux", First: minor(34), NoConfidential: true},
	{
		Name: "Flatcar", Refused: "2026-06-08", Removed: "2026-09-08", FIPS: NoFIPS,
		Successor: "AzureLinux", NoConfidential: true,
	},
	{Name: "CBLMariner", Successor: "AzureLinux"},
	{Name: "Mariner", Successor: "AzureLinux"},
}

// ReleaseOf returns the release that the nodes of an osSKU without a release have, or false if there is none.
func ReleaseOf(sku string, fips bool, version kubeversion.Version) (SKURelease, bool) {
	i := slices.IndexFunc(SKUReleases, func(r SKURelease) bool {
		return r.SKU == sku && r.FIPS == fips && version.Compare(r.Since) >= 0
	})
	if i < 0 {
		return SKURelease{}, false
	}
	return SKUReleases[i], true
}

// SKUNamed returns the SKU with a name, or false if there is none.
func SKUNamed(name string) (SKU, bool) {
	i := slices.IndexFunc(SKUs, func(s SKU) bool { return s.Name == name })
	if i < 0 {
		return SKU{}, false
	}
	return SKUs[i], true
}

// SKURelease is the release that the nodes of an osSKU without a release have, from a version of Kubernetes on.
type SKURelease struct {
	SKU     string
	FIPS    bool
	Since   kubeversion.Version
	Release string
	// Ends is the day from which AKS does not support the release and has no images of it. It is empty for a release
	// in [SKUs], and if there is no such day.
	Ends string
}

// SKUReleases begin with the newest of each SKU. A release that is not in [SKUs] cannot be chosen. The ends of Ubuntu
// 20.04 and Azure Linux 2 are on each page about node images (includes/ubuntu-20-04-retirement.md,
// includes/azure-linux-retirement.md).
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/upgrade-os-version
var SKUReleases = []SKURelease{
	{"Ubuntu", false, minor(35), "Ubuntu2404", ""},
	{"Ubuntu", false, minor(25), "Ubuntu2204", ""},
	{"Ubuntu", true, minor(35), "Ubuntu2204", ""},
	{"Ubuntu", true, minor(27), "Ubuntu2004", "2027-03-17"},
	{"AzureLinux", false, minor(32), "AzureLinux3", ""},
	{"AzureLinux", false, minor(27), "AzureLinux2", "2026-03-31"},
	{"AzureLinux", true, minor(32), "AzureLinux3", ""},
	{"AzureLinux", true, minor(27), "AzureLinux2", "2026-03-31"},
}

// WindowsImages are the newest node images of each Windows release. The copies of the notes have no day: this is the
// day of the newest image.
//
//facts:seen 2026-09-09 https://github.com/Azure/AKS/tree/master/vhd-notes/AKSWindows
var WindowsImages = map[string]string{
	"Windows2019":   "AKSWindows-2019-containerd-17763.8389.260210",
	"Windows2022":   "AKSWindows-2022-containerd-20348.5622.260909",
	"Windows2025":   "AKSWindows-2025-gen2-26100.33438.260909",
	"WindowsAnnual": "AKSWindows-23H2-25398.2330.260513",
}

// WindowsDefault is the osSKU of a Windows pool without one, from a version of Kubernetes on.
type WindowsDefault struct {
	Since kubeversion.Version
	SKU   string
}

// WindowsDefaults begin with the newest. The pages upgrade-os-version and windows-best-practices of 2026-08-21 have 1.36
// for the change. The release notes announce it for 1.37, when 1.36 had been available for a month.
//
//facts:seen 2026-07-17 https://github.com/Azure/AKS/blob/master/CHANGELOG.md
var WindowsDefaults = []WindowsDefault{{minor(37), "Windows2025"}, {minor(25), "Windows2022"}}
