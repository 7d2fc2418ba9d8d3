package arm

import (
	"fmt"
	"strconv"
	"strings"
)

// release is a version of Kubernetes, in full.
type release struct{ minor, patch int }

func (r release) String() string { return fmt.Sprintf("1.%d.%d", r.minor, r.patch) }

func (r release) newer(than release) bool {
	return r.minor > than.minor || r.minor == than.minor && r.patch > than.patch
}

// latestPatches are the newest releases of the minor versions that AKS has.
var latestPatches = map[int]int{32: 11, 33: 7, 34: 4, 35: 1, 36: 3, 37: 0}

// defaultVersion is the version of a cluster that does not set one.
const defaultVersion = "1.35"

// oldestPoolSkew is how many minor versions a pool may be older than its cluster.
const oldestPoolSkew = 3

// resolve converts a version of a body to a release: "1.36" is the newest of its minor version.
func resolve(version string) (release, bool) {
	parts := strings.Split(version, ".")
	if len(parts) < 2 || len(parts) > 3 || parts[0] != "1" {
		return release{}, false
	}
	minor, err := strconv.Atoi(parts[1])
	latest, known := latestPatches[minor]
	if err != nil || !known {
		return release{}, false
	}
	if len(parts) == 2 {
		return release{minor, latest}, true
	}
	patch, err := strconv.Atoi(parts[2])
	return release{minor, patch}, err == nil && patch >= 0 && patch <= latest
}

// isMinor reports whether a version leaves the patch release to AKS.
func isMinor(version string) bool { return strings.Count(version, ".") == 1 }

// follow returns the release for a version if there is a current one: the minor version of the current release does not
// upgrade it.
func follow(version string, current release) (release, bool) {
	desired, ok := resolve(version)
	if ok && isMinor(version) && desired.minor == current.minor {
		return current, true
	}
	return desired, ok
}

// upgradeCluster returns the release for the version of an existing cluster.
func upgradeCluster(name string, current release, version string) (release, error) {
	desired, ok := follow(version, current)
	if !ok {
		return release{}, unsupportedVersion(name, version)
	}
	if current.newer(desired) || desired.minor > current.minor+1 {
		verb := "Upgrading"
		if current.newer(desired) {
			verb = "Downgrading"
		}
		return release{}, notAllowed("%s Kubernetes version %s to %s is not allowed. Available upgrades: [%s]. "+
			"Please see https://aka.ms/aks-supported-k8s-ver for version details.",
			verb, current, desired, strings.Join(availableUpgrades(current), " "))
	}
	return desired, nil
}

func unsupportedVersion(name, version string) *Error {
	return refused("K8sVersionNotSupported", "", "Managed cluster %s is on version %s, which is not supported in this "+
		"region. Please use [az aks get-versions] command to get the supported version list in this region. For more "+
		"information, please check https://aka.ms/supported-version-list.", name, version)
}

func availableUpgrades(current release) []string {
	var list []string
	for minor := current.minor; minor <= current.minor+1; minor++ {
		if patch, known := latestPatches[minor]; known && (release{minor, patch}).newer(current) {
			list = append(list, release{minor, patch}.String())
		}
	}
	return list
}

// checkSkew compares the release of a pool with the release of its cluster.
func checkSkew(pool, cluster release) error {
	var why string
	switch {
	case pool.minor > cluster.minor:
		why = fmt.Sprintf("Minor version of node pool version %d is bigger than control plane version %d", pool.minor,
			cluster.minor)
	case pool.newer(cluster):
		why = fmt.Sprintf("Patch version of node pool version %d is bigger than control plane version %d", pool.patch,
			cluster.patch)
	case pool.minor < cluster.minor-oldestPoolSkew:
		// SupportArticles-docs, error-codes/nodepoolmcversionincompatible-error.md
		why = fmt.Sprintf("Minor version of node pool cannot be more than %d versions less than control plane's "+
			"version. Minor version of node pool is %d and control plane is %d", oldestPoolSkew, pool.minor,
			cluster.minor)
	default:
		return nil
	}
	return refused("NodePoolMcVersionIncompatible", "", "Node pool version %s and control plane version %s are "+
		"incompatible. %s. For more information, please check https://aka.ms/version-skew-policy", pool, cluster, why)
}
