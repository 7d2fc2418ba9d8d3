package facts

import (
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
)

// minor returns a version of Kubernetes.
func minor(number int) kubeversion.Version { return kubeversion.Version{Major: 1, Minor: number} }

// AKSOldest is the oldest version of Kubernetes that the rules about AKS were compared with.
//
//facts:seen 2026-07-17 https://github.com/Azure/AKS/blob/master/CHANGELOG.md
var AKSOldest = minor(32)

// AKSNewest is the newest version of Kubernetes that the rules about AKS were compared with.
//
//facts:seen 2026-09-04 https://github.com/Azure/AKS/releases/tag/2026-09-04
var AKSNewest = minor(37)

// AKSRelease is a version of Kubernetes in the calendar of AKS.
type AKSRelease struct {
	Version kubeversion.Version
	// Starts is the first day of the month in which AKS has it for everyone. Ends is the last day of community support,
	// and LTSEnds the last day of long-term support. A month in the calendar means its last day for the ends.
	Starts, Ends, LTSEnds string
}

// AKSReleases are the versions in the calendar, from the oldest to the newest.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/supported-kubernetes-versions
var AKSReleases = []AKSRelease{
	{minor(29), "2024-03-01", "2025-03-31", "2026-04-30"},
	{minor(30), "2024-07-01", "2025-08-22", "2026-07-31"},
	{minor(31), "2024-11-01", "2025-11-01", "2026-11-30"},
	{minor(32), "2025-04-01", "2026-03-31", "2027-03-31"},
	{minor(33), "2025-06-01", "2026-07-31", "2027-07-31"},
	{minor(34), "2025-11-01", "2026-11-30", "2027-11-30"},
	{minor(35), "2026-03-01", "2027-03-31", "2028-03-31"},
	{minor(36), "2026-06-01", "2027-06-30", "2028-06-30"},
	{minor(37), "2026-10-01", "2027-10-31", "2028-10-31"},
}

// AKSReleaseOf returns the release of a version, or false if it is not in the calendar.
func AKSReleaseOf(v kubeversion.Version) (AKSRelease, bool) {
	i := slices.IndexFunc(AKSReleases, func(r AKSRelease) bool { return r.Version == v })
	if i < 0 {
		return AKSRelease{}, false
	}
	return AKSReleases[i], true
}

// AKSPatches are the newest patch releases that AKS has of its versions. The release notes announce a preview of 1.37
// without its patch release: on that day, 1.37.0 was the only one.
//
//facts:seen 2026-09-04 https://github.com/Azure/AKS/releases/tag/2026-09-04
var AKSPatches = map[kubeversion.Version]int{
	minor(32): 11, minor(33): 13, minor(34): 10, minor(35): 7, minor(36): 3, minor(37): 0,
}

// ContainerdOnWindows is the release of containerd that the Windows nodes of AKS have.
type ContainerdOnWindows struct {
	// Platform is the release of Windows Server; empty for all that are not named.
	Platform string
	// From is the first version of Kubernetes whose nodes have it.
	From kubeversion.Version
	// Containerd is its major and minor version.
	Containerd kubeversion.Version
}

// AKSContainerd are the releases, the newest versions of Kubernetes first for each platform. The sources differ about 1.31
// to 1.33: the page about versions has 1.6 for 1.31 and 1.32, and 1.7 for 1.33; the release notes of 2024-08-27 have 1.7
// with 1.28 and newer, and the output on the page upgrade-windows-os has 1.6 with 1.33.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/supported-kubernetes-versions
//facts:seen 2026-08-07 https://github.com/Azure/AKS/blob/master/CHANGELOG.md
var AKSContainerd = []ContainerdOnWindows{
	// https://github.com/Azure/AKS/blob/master/CHANGELOG.md and the page upgrade-windows-os.
	{"windows-2025", minor(32), kubeversion.Version{Major: 2, Minor: 0}},
	{"", minor(34), kubeversion.Version{Major: 2, Minor: 0}},
	{"", minor(31), kubeversion.Version{}},
}
