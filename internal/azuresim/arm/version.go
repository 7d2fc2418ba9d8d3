package arm

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
)

// release is a version of Kubernetes, in full.
type release struct{ minor, patch int }

// firstLTSPatch is the first patch release of long-term support, after all of Kubernetes' own: AKS had
// 1.29.100-akslts (https://github.com/Azure/AKS/blob/master/CHANGELOG.md).
const firstLTSPatch = 100

func (r release) String() string {
	text := fmt.Sprintf("1.%d.%d", r.minor, r.patch)
	if r.patch >= firstLTSPatch {
		text += kubeversion.LTS
	}
	return text
}

func (r release) newer(than release) bool {
	return r.minor > than.minor || r.minor == than.minor && r.patch > than.patch
}

// minorVersion returns a version without its patch release.
func minorVersion(minor int) kubeversion.Version { return kubeversion.Version{Major: 1, Minor: minor} }

// latestPatch returns the newest patch release of a minor version that AKS has.
func latestPatch(minor int) (int, bool) {
	patch, known := facts.AKSPatches[minorVersion(minor)]
	return patch, known
}

// defaultVersion returns the version of a cluster that does not set one: the one before the newest that AKS has for
// everyone (https://learn.microsoft.com/azure/aks/supported-kubernetes-versions).
func defaultVersion(today time.Time) string {
	newest := facts.AKSReleases[0].Version
	for _, r := range facts.AKSReleases {
		if r.Starts <= today.Format(time.DateOnly) {
			newest = r.Version
		}
	}
	return minorVersion(newest.Minor - 1).String()
}

// oldestPoolSkew is how many minor versions a pool may be older than its cluster.
const oldestPoolSkew = 3

// resolve converts a version of a body to a release: "1.36" is the newest of its minor version.
func resolve(version string) (release, bool) {
	parts := strings.Split(version, ".")
	if len(parts) < 2 || len(parts) > 3 || parts[0] != "1" {
		return release{}, false
	}
	minor, err := strconv.Atoi(parts[1])
	latest, known := latestPatch(minor)
	if err != nil || !known {
		return release{}, false
	}
	if len(parts) == 2 {
		return release{minor, latest}, true
	}
	number, isLTS := strings.CutSuffix(parts[2], kubeversion.LTS)
	patch, err := strconv.Atoi(number)
	if isLTS {
		return release{minor, patch}, err == nil && patch >= firstLTSPatch
	}
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

// upgradeCluster returns the release for the version of an existing cluster. Only with long-term support may it skip
// minor versions (https://learn.microsoft.com/azure/aks/upgrade-aks-control-plane#kubernetes-version-upgrade-rules).
func upgradeCluster(name string, current release, version string, longTerm bool) (release, error) {
	desired, ok := follow(version, current)
	if !ok {
		return release{}, unsupportedVersion(name, version)
	}
	newest := current.minor + 1
	if longTerm {
		newest = facts.AKSNewest.Minor
	}
	if current.newer(desired) || desired.minor > newest {
		verb := "Upgrading"
		if current.newer(desired) {
			verb = "Downgrading"
		}
		return release{}, notAllowed("%s Kubernetes version %s to %s is not allowed. Available upgrades: [%s]. "+
			"Please see https://aka.ms/aks-supported-k8s-ver for version details.",
			verb, current, desired, strings.Join(availableUpgrades(current, newest), " "))
	}
	return desired, nil
}

const longTermPlan = "AKSLongTermSupport"

// checkSupport refuses a new cluster of a version that has no support, or none in the plan of the cluster. The message
// for long-term support is from apecloud/kubeblocks#10136.
func checkSupport(name string, version release, cluster clusterProperties, tier string, today time.Time) error {
	calendar, known := facts.AKSReleaseOf(minorVersion(version.minor))
	if !known {
		return nil
	}
	day := today.Format(time.DateOnly)
	longTerm := string(value(cluster.SupportPlan)) == longTermPlan
	switch {
	case longTerm && !strings.EqualFold(tier, "Premium"):
		return invalidParameter("supportPlan", "the support plan AKSLongTermSupport needs the tier Premium")
	case day > calendar.LTSEnds:
		return unsupportedVersion(name, version.String())
	case day > calendar.Ends && !longTerm:
		return refused("K8sVersionNotSupported", "", "Managed cluster %s is on version %s, which is only available "+
			"for Long-Term Support (LTS). If you intend to onboard to LTS, please ensure the cluster is in Premium "+
			"tier and LTS support plan (see https://aka.ms/aks/enable-lts). Otherwise, use [az aks get-versions] "+
			"command to get the supported version list in this region. For more information, please check "+
			"https://aka.ms/supported-version-list", name, version)
	}
	return nil
}

// checkTier checks what the tier of a cluster has.
func checkTier(cluster clusterProperties, body Body) error {
	costs := cluster.MetricsProfile
	if costs != nil && costs.CostAnalysis != nil && value(costs.CostAnalysis.Enabled) &&
		strings.EqualFold(textAt(body, "sku.tier"), "Free") {
		return invalidParameter("metricsProfile.costAnalysis.enabled", "cost analysis needs the tier Standard or "+
			"Premium")
	}
	return nil
}

func unsupportedVersion(name, version string) *Error {
	return refused("K8sVersionNotSupported", "", "Managed cluster %s is on version %s, which is not supported in this "+
		"region. Please use [az aks get-versions] command to get the supported version list in this region. For more "+
		"information, please check https://aka.ms/supported-version-list.", name, version)
}

// availableUpgrades returns the newest patch releases from the current minor version to the newest one.
func availableUpgrades(current release, newest int) []string {
	var list []string
	for minor := current.minor; minor <= newest; minor++ {
		if patch, known := latestPatch(minor); known && (release{minor, patch}).newer(current) {
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
