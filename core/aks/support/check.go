package support

import (
	"fmt"
	"slices"
	"time"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// Rules returns all rules, sorted by ID.
func Rules() rule.Set { return engine.Described(rules) }

// Checked returns all rules with their checks: package plan asks them about the arguments of clusters.
func Checked() []engine.Rule { return slices.Clone(rules) }

// rules are all rules of the package. Nothing writes to it.
var rules = []engine.Rule{versionUnknown, versionEnds, skuNotOfVersion, skuRefused, skuRetires, factsOld}

// index has the checks of the rules.
var index = engine.NewIndex(rules...)

// find returns what the rules find in a subject.
func find[S any](subject S) rule.Findings { return engine.Find(index, subject) }

// The pages that the rules come from.
const (
	aks = "https://learn.microsoft.com/azure/aks/"

	windowsFAQPage = aks + "windows-faq"
	upgradeOS      = aks + "upgrade-os-version"
	upgradeWindows = aks + "upgrade-windows-os"
	versionsPage   = aks + "supported-kubernetes-versions"
)

// CheckTopology returns what AKS does not support of a cluster, or will not support within the horizon, sorted by path.
// The paths are those of a topology, such as "pools[1].platform". There are no findings about a cluster of another
// cloud. If today is zero, checks that depend on the day are skipped. A horizon of 0 means two years, see [Nodes].
//
// The mistakes that [topology.Topology.Validate] finds are not reported again.
func CheckTopology(t topology.Topology, today time.Time, horizon int) []rule.Finding {
	if t.Cloud != topology.AKS {
		return nil
	}
	cluster := t.WithDefaults()
	found := find(Version{
		Path: "kubernetesVersion", Text: cluster.KubernetesVersion, Today: today, AnyPlan: true,
	})
	for i, p := range cluster.Pools {
		at := fmt.Sprintf("pools[%d].", i)
		for _, version := range PoolVersion(at+"kubernetesVersion", p.KubernetesVersion, cluster.KubernetesVersion) {
			found = append(found, find(version)...)
		}
		found = append(found, find(Nodes{
			SKU: SKUOf(p.Platform), Path: at + "platform", Value: p.Platform.String(), Version: p.KubernetesVersion,
			Today: today, Horizon: horizon,
		})...)
	}
	return found
}
