package azure

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/preflight"
)

// Rules returns all rules, in the order of their IDs.
func Rules() []preflight.Rule {
	return slices.SortedFunc(slices.Values(rules), func(a, b preflight.Rule) int { return strings.Compare(a.ID, b.ID) })
}

// rules is the whole table. Nothing writes to it.
var rules = slices.Concat(
	poolRules, systemRules, versionRules, skuRules, networkRules, nodeRules, poolOnWindowsRules,
	windowsAdminRules, apiServerRules, optionRules, clusterWithWindowsRules, sizeRules, inAzureRules,
)

func ruleOf(id string) preflight.Rule {
	i := slices.IndexFunc(rules, func(r preflight.Rule) bool { return r.ID == id })
	if i < 0 {
		panic("azure: no rule " + id)
	}
	return rules[i]
}

// Mandatory says whether the component relies on a rule, so that nobody can ignore
// it: a cluster cannot be made without, or it keeps code out of a [Command] of cmd.
func Mandatory(id string) bool {
	return slices.Contains([]string{"MK701", "MK704", "MK709", "MK750", "MK753"}, id)
}
