package plan

import (
	"strings"

	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// decided is an option, and the argument that stands for it.
type decided struct {
	option, argument string
}

// decidedForCluster has paths of arguments.
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

// decidedForPool has paths below that of the pool.
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

// decidedBesidePool has paths of the arguments beside the pool's options.
var decidedBesidePool = []decided{
	{"vnetSubnetID", "nodeSubnetID"},
	{"podSubnetID", "podSubnetID"},
}

// decidedAroundPool has paths of arguments.
var decidedAroundPool = []decided{
	{"resourceGroupName", "resourceGroupName"},
	{"resourceName", "clusterName"},
}

var poolOptionDecided = rule.Rule{
	ID: "MK772", Severity: rule.Error, Title: "an option of a pool that has a field of its own",
	Reason: "The component sets it from the pool's description, on which the placement of workloads depends too.",
	Source: poolAPI,
}

// poolOptions looks for options that the component itself decides on.
func (c *check) poolOptions(p pool) {
	at := p.givenAt + "options."
	c.Report(poolOptionDecided, decidedProblems(p.given.Options, at, p.at, decidedForPool)...)
	c.Report(poolOptionDecided, decidedProblems(p.given.Options, at, p.givenAt, decidedBesidePool)...)
	c.Report(poolOptionDecided, decidedProblems(p.given.Options, at, "", decidedAroundPool)...)
}

var firstPoolSecurityProfile = rule.Rule{
	ID: "MK774", Severity: rule.Warning, Title: "a security profile of the pool that the cluster begins with",
	Reason: "Azure has refused it there, although its reference lists it. Other pools can have it.",
	Source: clusterAPI,
}

// firstPoolOptions is about the first pool of mode System, which Azure makes together
// with the cluster.
func (c *check) firstPoolOptions() {
	for _, p := range c.pools {
		if p.Mode != topology.System {
			continue
		}
		if option(p.given.Options, "securityProfile") != nil {
			c.Report(firstPoolSecurityProfile, rule.Problem{
				Path:   p.givenAt + "options.securityProfile",
				Detail: "Azure may refuse it in the pool that a cluster begins with",
				Fix:    "use it in another pool",
			})
		}
		return
	}
}

// decidedProblems takes the places of the options and of the arguments.
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

// option looks up what is passed through, by a path such as
// "networkProfile.networkPlugin". It is [tree.Unknown] if it is, and nil if
// something around it is not known: then nobody can report whether it is set.
func option(options map[string]any, path string) any {
	keys := strings.Split(path, ".")
	last := len(keys) - 1
	around := tree.At(options, keys[:last]...)
	v := tree.Map(around)[keys[last]]
	if tree.Reveal(v) == nil {
		return nil
	}
	return v
}

// open is a text that is known and may be shown.
func open(v any) string {
	s, _ := v.(string)
	return s
}

// isTrue is false for what is not known or secret.
func isTrue(v any) bool {
	b, _ := v.(bool)
	return b
}

// meant is the words that can be used, with what was probably meant in front.
func meant(value string, words, usable []string) (fix string, near bool) {
	list := join(usable, "or")
	if word, ok := fielderrors.Nearest(value, words); ok {
		return "did you mean " + quote(word) + "? use " + list, true
	}
	return "use " + list, false
}

// unknownWord is an error for what is probably misspelled, and a warning for what may
// be new in Azure. The text what has an article.
func unknownWord(path, value, what string, known, usable []string) rule.Problem {
	fix, near := meant(value, known, usable)
	found := rule.Problem{Path: path, Value: value, Detail: "not " + what + " that this library knows", Fix: fix}
	if !near {
		found.Severity = rule.Warning
		found.Fix = "make sure that Azure does, or " + fix
	}
	return found
}

func quote(s string) string { return `"` + s + `"` }

// join writes a list as people do: a, b or c.
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
