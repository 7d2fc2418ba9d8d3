package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mixedkube/mixedkube/core/rule"
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
		Reason: "Azure upgrades a cluster with the channel patch, stable or rapid by itself, and refuses to go back. " +
			"The newer of the two versions, the program's and Azure's, is used and checked.",
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
