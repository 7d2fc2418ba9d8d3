package e2e

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

type object = map[string]any

// poolChange is a change of a property of a pool.
type poolChange struct {
	property string
	from, to object
}

func changeOf(property string, from, to any) poolChange {
	return poolChange{property, object{property: from}, object{property: to}}
}

// poolChanges are changes of properties that AKS makes in place. Those of withoutChange are the others.
var poolChanges = []poolChange{
	changeOf("nodeLabels", object{"a": "b"}, object{"a": "c"}),
	changeOf("nodeTaints", []any{}, []any{"a=b:PreferNoSchedule"}),
	changeOf("tags", object{"a": "b"}, object{"a": "c"}),
	changeOf("scaleDownMode", "Delete", "Deallocate"),
	changeOf("mode", "User", "System"),
	changeOf("count", 2, 3),
	{
		"enableAutoScaling",
		object{"enableAutoScaling": false},
		object{"enableAutoScaling": true, "minCount": 1, "maxCount": 3},
	},
	changeOf("upgradeSettings", object{"maxSurge": "1"}, object{"maxSurge": "50%"}),
	{
		"networkProfile.allowedHostPorts",
		object{"networkProfile": object{"allowedHostPorts": []any{}}},
		object{"networkProfile": object{"allowedHostPorts": []any{object{"portStart": 80, "portEnd": 81}}}},
	},
	changeOf("enableFIPS", false, true),
	changeOf("osSKU", "Ubuntu", "AzureLinux"),
	{
		"securityProfile.enableSecureBoot",
		object{"securityProfile": object{"enableSecureBoot": false}},
		object{"securityProfile": object{"enableSecureBoot": true}},
	},
	{
		"securityProfile.enableVTPM",
		object{"securityProfile": object{"enableVTPM": false}},
		object{"securityProfile": object{"enableVTPM": true}},
	},
	changeOf("localDNSProfile", object{"mode": "Preferred"}, object{"mode": "Required"}),
	changeOf("orchestratorVersion", "1.35", "1.36"),
	changeOf("vmSize", "Standard_D4s_v5", "Standard_D8s_v5"),
}

// withoutChange are the properties that AKS changes in place and that are not among [poolChanges], with the reason.
var withoutChange = map[string]string{
	"capacityReservationGroupID": "the preview is not simulated",
	"creationData":               "there are no snapshots",
	"maxCount":                   "with enableAutoScaling",
	"minCount":                   "with enableAutoScaling",
	"networkProfile.applicationSecurityGroups": "there are no such groups",
	"powerState":             "no pod runs on a stopped pool",
	"virtualMachinesProfile": "only for pools of the type VirtualMachines",
}

// effectOf returns what the change of a property of a Linux pool does to its nodes.
func effectOf(property string) facts.Effect {
	effect := facts.AKSPoolChangeOf(property).Linux
	for _, c := range facts.AKSPreviewChanges {
		if c.Property == property && !c.OnlyWindows {
			effect = c.Effect
		}
	}
	return effect
}

// Each property that AKS changes in place is among the random changes, or there is a reason.
func TestEachPropertyThatChangesInPlaceIsTried(t *testing.T) {
	t.Parallel()
	for _, c := range facts.AKSPoolChanges {
		_, left := withoutChange[c.Property]
		tried := slices.ContainsFunc(poolChanges, func(p poolChange) bool { return p.property == c.Property })
		inPlace := !slices.Contains([]facts.Effect{facts.NoEffect, facts.NewPool}, effectOf(c.Property))
		if inPlace != (tried || left) || tried && left {
			t.Errorf("%s: it changes in place: %t, it is tried: %t, there is a reason why not: %t", c.Property, inPlace,
				tried, left)
		}
	}
}

// randomChange returns a change of a pool, and the change back, if there is one, with one of three kinds of budget.
func randomChange(random *rand.Rand, budget int) (forth, back outcome) {
	c := poolChanges[random.IntN(len(poolChanges))]
	forth.Budget = []string{"", "allows", "blocks"}[budget%3]
	forth.Pool, forth.Change = c.from, c.to
	back.Budget, back.Change = forth.Budget, c.from
	if c.property == "orchestratorVersion" {
		back.Change = nil // a version never returns
	}
	forth.Nodes, back.Nodes = []string{"old", "old"}, []string{"old", "old"}
	if c.property == "count" {
		forth.Nodes = []string{"new", "old", "old"}
	}
	if effectOf(c.property) == facts.KeepsNodes {
		return forth, back
	}
	replaced := []string{"new", "new"}
	forth.Nodes, back.Nodes = replaced, replaced
	forth.Renamed, back.Renamed = c.property == "vmSize", c.property == "vmSize"
	if forth.Budget == "blocks" {
		forth.Code, forth.State = "UpgradeFailed", "Failed"
		forth.Nodes, forth.Resumed = []string{"old", "old"}, replaced
	}
	return forth, back
}
