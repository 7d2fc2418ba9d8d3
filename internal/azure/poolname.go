package azure

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/topology"
)

const (
	// maxLinuxName and maxWindowsName are the longest names of pools
	// (https://learn.microsoft.com/azure/aks/create-node-pools): a Windows node's
	// computer name has 15 characters, of which AKS needs 9.
	maxLinuxName   = 12
	maxWindowsName = 6

	// maxSuffix is as long as a suffix gets where there is room.
	maxSuffix = 3
)

// PoolName is the name of a pool in Azure: its own, and behind it up to three
// letters or digits made of the fields that Azure cannot change on a pool. So a
// pool that changes in one of them is a new pool with a name of its own, which can
// stand beside the old one until that is removed.
//
// Two versions of a pool get the same name with odds of 1 in 36 for each character
// of the suffix. A name that leaves no room has no suffix.
func PoolName(p topology.Pool) string {
	return p.Name + Suffix(immutable(p), min(maxSuffix, room(p)))
}

// room is how many characters the name leaves for a suffix.
func room(p topology.Pool) int {
	longest := maxLinuxName
	if p.Platform.IsWindows() {
		longest = maxWindowsName
	}
	return max(0, longest-len(p.Name))
}

// immutable writes down what Azure cannot change on a pool. What is not set is left
// out, so that a field that this library learns later renames no existing pool.
func immutable(p topology.Pool) string {
	var parts []string
	add := func(name string, set bool, value any) {
		if set {
			parts = append(parts, fmt.Sprintf("%s=%v", name, value))
		}
	}
	add("platform", true, p.Platform)
	add("vmSize", true, p.Size)
	add("maxPods", p.MaxPods != 0, p.MaxPods)
	add("osDiskSizeGB", p.OSDiskSizeGB != 0, p.OSDiskSizeGB)
	add("osDiskType", p.OSDiskType != "", p.OSDiskType)
	add("availabilityZones", len(p.Zones) > 0, strings.Join(slices.Sorted(slices.Values(p.Zones)), ","))
	add("spot", p.Spot, p.SpotMaxPrice)
	// Linux nodes get it in place, with new images.
	add("enableFIPS", p.FIPS && p.Platform.IsWindows(), true)
	add("disableOutboundNat", p.DisableOutboundNAT, true)
	return strings.Join(parts, "\n")
}

const suffixCharacters = "abcdefghijklmnopqrstuvwxyz0123456789"

// Suffix is a hash of a text, of letters and digits: what cannot be changed on a pool or
// a machine is in its name.
func Suffix(text string, length int) string {
	sum := sha256.Sum256([]byte(text))
	b := make([]byte, length)
	for i := range b {
		b[i] = suffixCharacters[int(sum[i])%len(suffixCharacters)]
	}
	return string(b)
}
