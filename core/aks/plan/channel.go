package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

// movingChannels are the auto-upgrade channels that change the version of Kubernetes of a cluster and its pools.
// node-image and the channels of nodeOSUpgradeChannel change node images only.
var movingChannels = []string{"patch", "stable", "rapid"}

var versionMoved = engine.Rule{
	Rule: rule.Rule{
		ID: "MK778", Severity: rule.Info, Title: "an auto-upgrade channel has moved a version of Kubernetes",
		Page: rulepages.AKSExisting,
		Reason: "Azure upgrades a cluster with the channel patch, stable or rapid by itself, and refuses to go back. The " +
			"newer of the two versions, the program's and Azure's, is used and checked.",
		Source: aks + "auto-upgrade-cluster",
	},
	Checks: []engine.Check{engine.On(movements, func(m moved) []rule.Problem {
		return []rule.Problem{{
			Path: m.path, Value: m.configured,
			Detail: fmt.Sprintf("the auto-upgrade channel %s has moved it to %s in Azure, and that version is used",
				m.channel, m.have),
			Fix: "write " + newer(m.configured, m.have),
		}}
	})},
}

// channel returns the auto-upgrade channel if it moves versions, and else an empty string. If the options do not set a
// channel, the channel in Azure counts.
func channel(options map[string]any, a InAzure) string {
	const path = "autoUpgradeProfile.upgradeChannel"
	c := cmp.Or(open(option(options, path)), open(option(a.Properties, path)))
	if !slices.Contains(movingChannels, c) {
		return ""
	}
	return c
}

// Moved returns the topology with the versions to request, and findings about them: if an auto-upgrade channel moves
// versions, the cluster and its pools keep a version in Azure that is newer than the program's. Moved takes and returns
// pools as the program has written them, without defaults.
func Moved(c Cluster, a InAzure) (topology.Topology, []rule.Finding) {
	t := c.Topology
	var found rule.Findings
	moves := channel(c.Options, a)
	if moves == "" {
		return t, nil
	}
	configured := strings.TrimPrefix(t.KubernetesVersion, "v")
	t.Pools = slices.Clone(t.Pools)
	for i, p := range t.Pools {
		have, exists := a.Versions[c.PoolOptions[p.Name].Name(p)]
		if !exists {
			continue
		}
		own := strings.TrimPrefix(p.KubernetesVersion, "v")
		desired := newer(cmp.Or(own, configured), have)
		if own != "" && desired != own {
			at := fmt.Sprintf("pools[%d].kubernetesVersion", i)
			found = append(found, checkedMovements.Find(moved{at, own, have, moves}, 0)...)
		}
		t.Pools[i].KubernetesVersion = desired
	}
	if t.KubernetesVersion = newer(configured, a.KubernetesVersion()); t.KubernetesVersion != configured {
		found = append(found,
			checkedMovements.Find(moved{"kubernetesVersion", configured, a.KubernetesVersion(), moves}, 0)...)
	}
	return t, sorted(found)
}

// MovedPool is [Moved] for a pool of a cluster that the program does not have. A pool without a version does not get
// one.
func (a InAzure) MovedPool(p topology.Pool, o PoolOptions) (topology.Pool, []rule.Finding) {
	have, exists := a.Versions[o.Name(p)]
	own, moves := strings.TrimPrefix(p.KubernetesVersion, "v"), channel(nil, a)
	if own == "" || !exists || moves == "" {
		return p, nil
	}
	if p.KubernetesVersion = newer(own, have); p.KubernetesVersion == own {
		return p, nil
	}
	return p, checkedMovements.Find(moved{"pool.kubernetesVersion", own, have, moves}, 0)
}

// newer returns the version to request: the configured version, or the version in Azure if that is newer. The result
// has a patch release only if the configured version has one.
func newer(configured, have string) string {
	desired, errDesired := version.ParseGeneric(configured)
	current, err := version.ParseGeneric(have)
	if errDesired != nil || err != nil {
		return configured
	}
	minorOnly := strings.Count(configured, ".") == 1
	if minorOnly {
		current = version.MajorMinor(current.Major(), current.Minor())
		have = fmt.Sprintf("%d.%d", current.Major(), current.Minor())
	}
	if desired.LessThan(current) {
		return have
	}
	return configured
}
