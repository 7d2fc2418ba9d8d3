package support

import (
	"fmt"
	"slices"
	"time"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
)

// Rules returns all rules, sorted by ID.
func Rules() rule.Set { return slices.Clone(rules) }

// rules are all rules of the package. Nothing writes to it.
var rules = rule.NewSet(versionUnknown, skuNotOfVersion, skuRefused, skuRetires)

// The pages that the rules come from.
const (
	aks = "https://learn.microsoft.com/azure/aks/"

	windowsFAQPage = aks + "windows-faq"
	upgradeWindows = aks + "upgrade-windows-os"
	versionsPage   = aks + "supported-kubernetes-versions"
)

// Check collects findings. The zero value is ready to use.
type Check struct {
	rule.Findings
	// Today is the day of the check. If it is zero, checks that depend on it are skipped.
	Today time.Time
	// Horizon is how many days before the end of its support in AKS a release of Windows is reported. 0 means two
	// years.
	Horizon int
}

// CheckTopology returns what AKS does not support of a cluster, or will not support within the horizon, sorted by path.
// The paths are those of a topology, such as "pools[1].platform". There are no findings about a cluster of another
// cloud. If today is zero, checks that depend on the day are skipped. A horizon of 0 means two years, see [Check].
//
// The mistakes that [topology.Topology.Validate] finds are not reported again.
func CheckTopology(t topology.Topology, today time.Time, horizon int) []rule.Finding {
	if t.Cloud != topology.AKS {
		return nil
	}
	c, cluster := Check{Today: today, Horizon: horizon}, t.WithDefaults()
	c.Version("kubernetesVersion", cluster.KubernetesVersion)
	for i, p := range cluster.Pools {
		at := fmt.Sprintf("pools[%d].", i)
		c.PoolVersion(at+"kubernetesVersion", p.KubernetesVersion, cluster.KubernetesVersion)
		c.Windows(SKUOf(p.Platform), at+"platform", p.Platform.String(), p.KubernetesVersion)
	}
	return c.Findings
}
