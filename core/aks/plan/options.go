package plan

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// decided is an option, and the argument that the component sets it from.
type decided struct {
	option, argument string
}

// decidedForCluster has the paths of arguments of a cluster.
var decidedForCluster = []decided{
	{"agentPoolProfiles", "pools"},
	{"windowsProfile.adminUsername", "windowsAdmin.username"},
	{"windowsProfile.adminPassword", "windowsAdmin.password"},
	{"windowsProfile.licenseType", "windowsAdmin.licenseType"},
	{"windowsProfile.gmsaProfile", "windowsAdmin.gmsa"},
	{"kubernetesVersion", "kubernetesVersion"},
	{"resourceGroupName", "resourceGroupName"},
	{"resourceName", "clusterName"},
	{"location", "location"},
	{"tags", "tags"},
	{"identity", "identity"},
	{"apiServerAccessProfile.authorizedIPRanges", "apiServer.authorizedIPRanges"},
	{"apiServerAccessProfile.enablePrivateCluster", "apiServer.private"},
	{"apiServerAccessProfile.privateDNSZone", "apiServer.privateDNSZone"},
	{"disableLocalAccounts", "apiServer.disableLocalAccounts"},
	{"networkProfile.networkPluginMode", "network.mode"},
	{"networkProfile.networkPolicy", "network.policy"},
	{"networkProfile.outboundType", "network.outboundType"},
}

// decidedForPool has the paths of fields of a pool.
var decidedForPool = []decided{
	{"agentPoolName", "name"},
	{"count", "count"},
	{"minCount", "autoscaling.min"},
	{"maxCount", "autoscaling.max"},
	{"enableAutoScaling", "autoscaling"},
	{"vmSize", "size"},
	{"osType", "platform"},
	{"mode", "mode"},
	{"maxPods", "maxPods"},
	{"osDiskSizeGB", "osDiskSizeGB"},
	{"osDiskType", "osDiskType"},
	{"availabilityZones", "zones"},
	{"nodeLabels", "labels"},
	{"nodeTaints", "taints"},
	{"orchestratorVersion", "kubernetesVersion"},
	{"scaleSetPriority", "spot"},
	{"spotMaxPrice", "spotMaxPrice"},
	{"enableFIPS", "fips"},
	{"upgradeSettings.maxSurge", "upgrade.maxSurge"},
	{"upgradeSettings.maxUnavailable", "upgrade.maxUnavailable"},
	{"upgradeSettings.drainTimeoutInMinutes", "upgrade.drainTimeoutMinutes"},
	{"upgradeSettings.nodeSoakDurationInMinutes", "upgrade.nodeSoakMinutes"},
	{"windowsProfile.disableOutboundNat", "disableOutboundNAT"},
}

// undrainableOption is an option that is older than the field of a pool: it still sets the property alone.
const undrainableOption = "upgradeSettings.undrainableNodeBehavior"

// decidedForPoolOptions has the paths of fields of [PoolOptions].
var decidedForPoolOptions = []decided{
	{"vnetSubnetID", "nodeSubnetID"},
	{"podSubnetID", "podSubnetID"},
}

// decidedForParent has the paths of arguments of the pool's cluster.
var decidedForParent = []decided{
	{"resourceGroupName", "resourceGroupName"},
	{"resourceName", "clusterName"},
}

var clusterOptionDecided = engine.Rule{
	Rule: rule.Rule{
		ID: "MK771", Severity: rule.Error, Title: "an option of the cluster that has an argument of its own",
		Page:   rulepages.AKS,
		Reason: "The component sets the option from an argument, which the rules check.",
		Source: clusterAPI,
	},
	Checks: []engine.Check{engine.On(programs, func(p program) []rule.Problem {
		return decidedProblems(p.Options, "options.", "", decidedForCluster)
	})},
}

var poolOptionDecided = engine.Rule{
	Rule: rule.Rule{
		ID: "MK772", Severity: rule.Error, Title: "an option of a pool that has a field of its own",
		Page: rulepages.AKSPools,
		Reason: "The component sets the option from the pool's description, which also decides where workloads can " +
			"run.",
		Source: poolAPI,
	},
	Checks: []engine.Check{engine.On(pools, decidedOptions)},
}

var evictionWithoutSpot = engine.Rule{
	Rule: rule.Rule{
		ID: "MK789", Severity: rule.Error, Title: "an eviction policy for a pool that is not spot",
		Page:   rulepages.AKSPools,
		Reason: "Only spot machines are evicted. Azure takes Delete for any pool, because it is the default.",
		Source: poolAPI,
	},
	Checks: []engine.Check{engine.On(pools, func(p pool) []rule.Problem {
		policy := open(option(p.options.Options, "scaleSetEvictionPolicy"))
		if policy == "" || policy == "Delete" || p.Spot {
			return nil
		}
		return []rule.Problem{{
			Path: p.optionsAt + "options.scaleSetEvictionPolicy", Value: policy,
			Detail: "the pool has no spot machines",
			Fix:    "remove it, or set " + p.at + "spot",
		}}
	})},
}

// decidedOptions finds options that the component sets itself.
func decidedOptions(p pool) []rule.Problem {
	at := p.optionsAt + "options."
	ofPool := decidedForPool
	if p.Upgrade.UndrainableNodes != "" {
		ofPool = append(slices.Clone(ofPool), decided{undrainableOption, "upgrade.undrainableNodes"})
	}
	return slices.Concat(
		decidedProblems(p.options.Options, at, p.at, ofPool),
		decidedProblems(p.options.Options, at, p.optionsAt, decidedForPoolOptions),
		decidedProblems(p.options.Options, at, "", decidedForParent),
	)
}

var firstPoolSecurityProfile = engine.Rule{
	Rule: rule.Rule{
		ID: "MK774", Severity: rule.Warning, Title: "a security profile for the initial pool of the cluster",
		Page: rulepages.AKSPools,
		Reason: "Azure has refused a security profile for the initial pool, although the reference of the API lists " +
			"it. Other pools can have one. Pools of AzureContainerLinux need one.",
		Fix:    "use it in another pool",
		Source: clusterAPI,
	},
	Checks: []engine.Check{engine.On(programs, func(c program) []rule.Problem {
		// Azure creates the first pool of mode System together with the cluster.
		i := slices.IndexFunc(c.of.pools, func(p pool) bool { return p.Mode == topology.System })
		if i < 0 || option(c.of.pools[i].options.Options, "securityProfile") == nil ||
			open(option(c.of.pools[i].options.Options, "osSKU")) == containerLinux {
			return nil
		}
		return []rule.Problem{{
			Path:   c.of.pools[i].optionsAt + "options.securityProfile",
			Detail: "Azure may refuse it for the initial pool of a cluster",
		}}
	})},
}

// decidedProblems returns a problem for each option in a table that is set. It takes the paths of the options and of
// the arguments.
func decidedProblems(options map[string]any, at, arguments string, table []decided) []rule.Problem {
	var found []rule.Problem
	for _, d := range table {
		if option(options, d.option) != nil {
			found = append(found,
				rule.Problem{
					Path: at + d.option, Detail: "the component sets it",
					Fix: "use " + arguments + d.argument + " instead",
				})
		}
	}
	return found
}

// option returns an option by a path such as "networkProfile.networkPlugin". It returns [tree.Unknown] if the option is
// unknown, and nil if a parent is unknown, because then it is not known whether the option is set.
func option(options map[string]any, path string) any {
	keys := strings.Split(path, ".")
	last := len(keys) - 1
	parent := tree.At(options, keys[:last]...)
	v := tree.Map(parent)[keys[last]]
	if tree.Reveal(v) == nil {
		return nil
	}
	return v
}

// open returns a string that is known and may be shown, and else an empty string.
func open(v any) string {
	s, _ := v.(string)
	return s
}

// openInt returns an integer that is known and may be shown; false if it is not.
func openInt(v any) (int, bool) {
	if _, secret := v.(tree.Secret); secret {
		return 0, false
	}
	n, ok := tree.Int(v)
	return int(n), ok
}

// isTrue returns false for a value that is unknown or secret.
func isTrue(v any) bool {
	b, _ := v.(bool)
	return b
}

// suggestion returns a fix with the words that can be used, and with the nearest known word first if one is near.
func suggestion(value string, words, usable []string) (fix string, near bool) {
	list := join(usable, "or")
	if word, ok := fielderrors.Nearest(value, words); ok {
		return "did you mean " + quote(word) + "? use " + list, true
	}
	return "use " + list, false
}

// unknownWord returns a problem that is an error if the value is probably misspelled, and a warning if it may be new in
// Azure. The text what has an article.
func unknownWord(path, value, what string, known, usable []string) rule.Problem {
	fix, near := suggestion(value, known, usable)
	found := rule.Problem{Path: path, Value: value, Detail: "not " + what + " that this library knows", Fix: fix}
	if !near {
		found.Severity = rule.Warning
		found.Fix = "make sure that Azure knows it, or " + fix
	}
	return found
}

func quote(s string) string { return `"` + s + `"` }

// join joins a list with commas and a word before the last item: a, b or c.
func join[T ~string](list []T, word string) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = string(s)
	}
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + word + " " + words[last]
}
