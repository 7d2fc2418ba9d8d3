package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/core/rule"
)

var (
	platformUnknown = rule.Rule{
		ID: "MK850", Severity: rule.Warning, Title: "a pool in Azure with an unknown platform",
		Reason: "This library can neither place pods on the nodes of an unknown platform nor keep pods off them.",
		Source: poolAPI,
	}
	poolNameExists = rule.Rule{
		ID: "MK798", Severity: rule.Error, Title: "an existing cluster has a pool with this name",
		Reason: "The topology identifies pools by their names, and azure-native does not create a pool that already " +
			"exists.",
		Source: createPoolsPage,
	}
)

// ofAzure is the prefix of the paths of findings about an existing cluster.
const ofAzure = "inAzure."

// CheckExisting returns findings about an existing cluster, and about what is wrong with a login, sorted by path. The
// severity of a finding about the cluster in Azure is at most a warning, because the cluster already works. Today is
// the day of the check. If it is zero, checks that depend on it are skipped.
func CheckExisting(a InAzure, l Login, today time.Time) []rule.Finding {
	check := &check{
		Check: support.Check{Today: today}, network: a.Network(), options: a.Properties, exists: true,
	}
	for _, profile := range a.profiles() {
		at := ofAzure + "agentPoolProfiles[" + open(profile["name"]) + "]."
		p, known := poolInAzure(profile)
		if !known {
			check.Report(platformUnknown, rule.Problem{
				Path: at + "osSKU", Value: open(profile["osSKU"]),
				Detail: "not a Windows release that this library knows, so the topology does not have this pool",
				Fix:    "give the pool a taint that no workload of this program tolerates",
			})
			continue
		}
		check.pools = append(check.pools, pool{Pool: p, at: at, optionsAt: at})
	}
	check.Version(ofAzure+"currentKubernetesVersion", a.KubernetesVersion())
	check.checkNetwork()
	check.withWindows()
	check.windowsProfile(a)
	for _, p := range check.pools {
		check.osSKU(p)
	}
	renamePaths(check.Findings, networkInAzure, optionsInCluster)
	for i := range check.Findings {
		if check.Findings[i].Severity == rule.Error {
			check.Findings[i].Severity = rule.Warning
		}
	}
	check.login(l, a.apiServer())
	return check.result()
}

// CheckJoining returns what is wrong with a pool that joins an existing cluster, sorted by path: with the pool itself,
// and with the cluster for that pool. The owner is the value of [OwnerTag] of the program's pools. The others are the
// names of the other pools of the topology.
func CheckJoining(p Pool, a InAzure, owner string, others []string) []rule.Finding {
	all := &check{}
	all.Findings = checkOfPool(p).result()
	renamePaths(all.Findings, networkInAzure)
	joining := pool{Pool: p.Pool.Pool, at: "pool.", options: p.Options}
	if p.Pool.Platform.IsWindows() {
		cluster := &check{options: a.Properties, pools: []pool{joining}}
		cluster.checkNetwork()
		cluster.withWindows()
		renamePaths(cluster.Findings, optionsInCluster)
		cluster.windowsProfile(a)
		all.Findings = append(all.Findings, cluster.Findings...)
	}
	all.retainedPool(joining, a)
	inAzure := p.Options.Name(p.Pool.Pool)
	switch of, exists := a.poolOwner(inAzure); {
	case slices.Contains(others, p.Pool.Name):
		all.nameTaken(p.Pool.Name, a, owner)
	case !exists || of == owner || p.Options.Resource:
	case p.Options.NameInAzure != "":
		all.notInState(inAzure, of)
	default:
		all.poolOfOthers(p.Pool.Name, inAzure, of)
	}
	return all.result()
}

// nameTaken reports a name that another pool of the topology has.
func (c *check) nameTaken(name string, a InAzure, owner string) {
	problem := rule.Problem{
		Path: "pool.name", Value: name,
		Detail: "the program has another pool with this name in the cluster", Fix: "use another name",
	}
	if of, exists := a.poolOwner(name); exists && of != owner {
		problem.Detail = fmt.Sprintf("the cluster has a pool %q%s", name, ofWhom(of))
		problem.Fix = takeOver(name)
	}
	c.Report(poolNameExists, problem)
}

// poolOfOthers reports a pool that the program does not manage, with the name in Azure that this pool would get.
func (c *check) poolOfOthers(name, inAzure, of string) {
	problem := rule.Problem{
		Path: "pool.name", Value: name, Detail: fmt.Sprintf("the cluster has a pool %q%s", inAzure, ofWhom(of)),
		Fix: "add the alias {NoParent: pulumi.Bool(true)} to this one if aks.NewNodePool created it in this stack; " +
			"or " + takeOver(inAzure),
	}
	if of != "" {
		problem.Fix = "use another name" + orRenamed
	}
	c.Report(poolNameExists, problem)
}

// notInState reports a pool that keeps its name and is not yet in the state of the program.
func (c *check) notInState(name, of string) {
	problem := rule.Problem{
		Path: "nameInAzure", Value: name, Detail: "the pool already exists in Azure" + ofWhom(of),
		Fix: "set importID to its resource ID; or add an alias to the pool, if this stack has it under another name",
	}
	if of != "" {
		problem.Fix += orRenamed
	}
	c.Report(poolWithoutImport, problem)
}

// orRenamed is the fix for a pool that the program had before the program was renamed.
const orRenamed = "; or, if that is a former name of this stack or component, add its former name to the " +
	"ExistingCluster as an alias, or ignore this rule for one update, which rewrites the tag"

// ofWhom returns a clause about the owner of a pool in Azure, which is the value of [OwnerTag].
func ofWhom(owner string) string {
	if owner == "" {
		return ", without the tag " + OwnerTag + " that pools of aks.Existing have"
	}
	return fmt.Sprintf(", which belongs to another program: its tag %s is %q", OwnerTag, owner)
}

func takeOver(inAzure string) string {
	return fmt.Sprintf("set nameInAzure to %q and importID to its resource ID to take it over, or use another name",
		inAzure)
}

// poolOwner returns the value of [OwnerTag] of a pool in Azure, or false if there is no such pool.
func (a InAzure) poolOwner(name string) (owner string, exists bool) {
	profile, exists := a.profile(name)
	return textsOf(profile["tags"])[OwnerTag], exists
}

// networkInAzure returns the path of the property of a cluster for the path of an argument of its network.
func networkInAzure(path string) string {
	switch path {
	case "network.mode":
		return ofAzure + "networkProfile.networkPluginMode"
	case "network.policy":
		return ofAzure + "networkProfile.networkPolicy"
	case "network.outboundType":
		return ofAzure + "networkProfile.outboundType"
	case "network.nodeSubnetID", "network.podSubnetID":
		return strings.TrimPrefix(path, "network.")
	}
	return path
}

// optionsInCluster returns the path of the property of a cluster for the path of an option.
func optionsInCluster(path string) string {
	if below, ok := strings.CutPrefix(path, "options."); ok {
		return ofAzure + below
	}
	return path
}

// renamePaths changes findings about arguments into findings about an existing cluster: the paths are those of its
// properties, and a fix does not suggest a change that the cluster cannot make.
func renamePaths(findings rule.Findings, rename ...func(path string) string) {
	for i, f := range findings {
		for _, to := range rename {
			findings[i].Path = to(findings[i].Path)
		}
		if f.Rule == pluginWithoutWindows.ID || f.Rule == dataplaneWithoutWindows.ID {
			findings[i].Fix = anotherCluster
		}
	}
}

const anotherCluster = "create another cluster for Windows pools"
