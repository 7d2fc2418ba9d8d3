package facts

import "github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"

// minor returns a version of Kubernetes.
func minor(number int) kubeversion.Version { return kubeversion.Version{Major: 1, Minor: number} }

// AKSOldest is the oldest version of Kubernetes that the rules about AKS were compared with.
//
//facts:seen 2026-07-17 https://github.com/Azure/AKS/blob/master/CHANGELOG.md
var AKSOldest = minor(32)

// AKSNewest is the newest version of Kubernetes that the rules about AKS were compared with.
//
//facts:seen 2026-07-17 https://github.com/Azure/AKS/blob/master/CHANGELOG.md
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

// AKSPatches are the newest patch releases that AKS has of its versions. Release notes about a patch release of 1.37
// have not been read.
//
//facts:seen 2026-07-17 https://github.com/Azure/AKS/blob/master/CHANGELOG.md
var AKSPatches = map[kubeversion.Version]int{
	minor(32): 11, minor(33): 13, minor(34): 9, minor(35): 6, minor(36): 2, minor(37): 0,
}
