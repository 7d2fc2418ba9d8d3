package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/components/topology"
)

// movingChannels are the auto-upgrade channels that give a cluster and its pools other versions of
// Kubernetes. node-image, and the channels of nodeOSUpgradeChannel, change node images only.
var movingChannels = []string{"patch", "stable", "rapid"}

var versionMoved = rule.Rule{
	ID: "MK778", Severity: rule.Info, Title: "an auto-upgrade channel has moved a version of Kubernetes",
	Reason: "Azure upgrades a cluster with the channel patch, stable or rapid by itself, and refuses to go back. The " +
		"newer of the two versions, the program's and Azure's, is used and checked.",
	Source: aks + "auto-upgrade-cluster",
}

// channel is the auto-upgrade channel that moves versions; empty if none does. One that the
// options leave out is as it is in Azure.
func channel(options map[string]any, a InAzure) string {
	const path = "autoUpgradeProfile.upgradeChannel"
	c := cmp.Or(open(option(options, path)), open(option(a.Properties, path)))
	if !slices.Contains(movingChannels, c) {
		return ""
	}
	return c
}

// Moved are the versions to ask for, and what to say of them: a cluster with an auto-upgrade channel
// that moves versions, and its pools, keep a version of Azure's that is newer than the program's. It
// takes and returns pools as the program has written them, without defaults.
func Moved(c Cluster, a InAzure) (topology.Topology, []rule.Finding) {
	t, check := c.Topology, &check{}
	moves := channel(c.Options, a)
	if moves == "" {
		return t, nil
	}
	asked := strings.TrimPrefix(t.KubernetesVersion, "v")
	t.Pools = slices.Clone(t.Pools)
	for i, p := range t.Pools {
		have, there := a.Versions[c.PoolOptions[p.Name].Name(p)]
		if !there {
			continue
		}
		own := strings.TrimPrefix(p.KubernetesVersion, "v")
		wanted := newer(cmp.Or(own, asked), have)
		if own != "" && wanted != own {
			check.moved(fmt.Sprintf("pools[%d].kubernetesVersion", i), own, have, moves)
		}
		t.Pools[i].KubernetesVersion = wanted
	}
	if t.KubernetesVersion = newer(asked, a.KubernetesVersion()); t.KubernetesVersion != asked {
		check.moved("kubernetesVersion", asked, a.KubernetesVersion(), moves)
	}
	return t, check.result()
}

// MovedPool is [Moved] for a pool of a cluster that the program does not have. One that says no version
// has none to ask for.
func (a InAzure) MovedPool(p topology.Pool, o PoolOptions) (topology.Pool, []rule.Finding) {
	have, there := a.Versions[o.Name(p)]
	own, moves := strings.TrimPrefix(p.KubernetesVersion, "v"), channel(nil, a)
	if own == "" || !there || moves == "" {
		return p, nil
	}
	check := &check{}
	if p.KubernetesVersion = newer(own, have); p.KubernetesVersion != own {
		check.moved("pool.kubernetesVersion", own, have, moves)
	}
	return p, check.result()
}

func (c *check) moved(path, asked, have, channel string) {
	c.Report(versionMoved, rule.Problem{
		Path: path, Value: asked,
		Detail: fmt.Sprintf("the auto-upgrade channel %s has moved it to %s in Azure, and that version is used",
			channel, have),
		Fix: "write " + newer(asked, have),
	})
}

// newer is the version to ask for where there is another one: its own, or that one if it is newer,
// with the patch release only where the version has one too.
func newer(asked, have string) string {
	wanted, errWanted := version.ParseGeneric(asked)
	current, err := version.ParseGeneric(have)
	if errWanted != nil || err != nil {
		return asked
	}
	minorOnly := strings.Count(asked, ".") == 1
	if minorOnly {
		current = version.MajorMinor(current.Major(), current.Minor())
		have = fmt.Sprintf("%d.%d", current.Major(), current.Minor())
	}
	if wanted.LessThan(current) {
		return have
	}
	return asked
}
