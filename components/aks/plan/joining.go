package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/components/rule"
)

var (
	platformUnknown = rule.Rule{
		ID: "MK850", Severity: rule.Warning, Title: "a pool in Azure with an unknown platform",
		Reason: "This library can neither place pods on such nodes nor keep pods off them.",
		Source: poolAPI,
	}
	poolThere = rule.Rule{
		ID: "MK798", Severity: rule.Error, Title: "an existing cluster has a pool with this name",
		Reason: "The topology identifies pools by their names, and azure-native does not create a pool that already " +
			"exists.",
		Source: createPoolsPage,
	}
)

// ofAzure is where findings about a cluster that is there have their paths.
const ofAzure = "inAzure."

// CheckExisting returns what is worth knowing about a cluster that is there, sorted by path, and what
// is wrong with a login. What it is in Azure is a warning at most: it works as it is. Today is the day
// of the check; zero skips what depends on it.
func CheckExisting(a InAzure, l Login, today time.Time) []rule.Finding {
	check := &check{network: a.Network(), options: a.Properties, isThere: true, today: today}
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
		check.pools = append(check.pools, pool{Pool: p, at: at, givenAt: at})
	}
	check.knownVersion(ofAzure+"currentKubernetesVersion", a.KubernetesVersion())
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

// CheckJoining returns what is wrong with a pool of a cluster that is there, sorted by path: with the
// pool itself, and with the cluster for it. The owner is what [OwnerTag] says of the program's pools. The
// others are the names of the pools that the topology has without it.
func CheckJoining(p Pool, a InAzure, owner string, others []string) []rule.Finding {
	all := &check{}
	all.Findings = CheckPool(p)
	renamePaths(all.Findings, networkInAzure)
	joining := pool{Pool: p.Pool.WithDefaults(p.KubernetesVersion), at: "pool.", given: p.Options}
	if p.Pool.Platform.IsWindows() {
		cluster := &check{options: a.Properties, pools: []pool{joining}}
		cluster.checkNetwork()
		cluster.withWindows()
		renamePaths(cluster.Findings, optionsInCluster)
		cluster.windowsProfile(a)
		all.Findings = append(all.Findings, cluster.Findings...)
	}
	all.keptPool(joining, a)
	inAzure := p.Options.Name(p.Pool)
	switch of, there := a.poolOwner(inAzure); {
	case slices.Contains(others, p.Pool.Name):
		all.nameTaken(p.Pool.Name, a, owner)
	case !there || of == owner || p.Options.Resource:
	case p.Options.NameInAzure != "":
		all.notInState(inAzure, of)
	default:
		all.poolOfOthers(p.Pool.Name, inAzure, of)
	}
	return all.result()
}

// nameTaken is about a name that another pool of the topology has.
func (c *check) nameTaken(name string, a InAzure, owner string) {
	problem := rule.Problem{
		Path: "pool.name", Value: name,
		Detail: "the program has another pool with this name in the cluster", Fix: "use another name",
	}
	if of, there := a.poolOwner(name); there && of != owner {
		problem.Detail = fmt.Sprintf("the cluster has a pool %q%s", name, ofWhom(of))
		problem.Fix = takeOver(name)
	}
	c.Report(poolThere, problem)
}

// poolOfOthers is about a pool that has the name in Azure that this one would get.
func (c *check) poolOfOthers(name, inAzure, of string) {
	problem := rule.Problem{
		Path: "pool.name", Value: name, Detail: fmt.Sprintf("the cluster has a pool %q%s", inAzure, ofWhom(of)),
		Fix: "add the alias {NoParent: pulumi.Bool(true)} to this one if aks.NewNodePool created it in this stack; " +
			"or " + takeOver(inAzure),
	}
	if of != "" {
		problem.Fix = "use another name" + orRenamed
	}
	c.Report(poolThere, problem)
}

// notInState is about a pool that keeps its name, and that the program does not have yet.
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

// orRenamed is what to do about a pool that the program had before it got another name.
const orRenamed = "; or, if that is a former name of this stack or component, add its former name to the " +
	"ExistingCluster as an alias, or ignore this rule for one update, which rewrites the tag"

// ofWhom is a clause about a pool in Azure, by what [OwnerTag] says.
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

// poolOwner is what [OwnerTag] says of a pool in Azure; false if there is none.
func (a InAzure) poolOwner(name string) (owner string, there bool) {
	profile, there := a.profile(name)
	return textsOf(profile["tags"])[OwnerTag], there
}

// networkInAzure is the property of a cluster that an argument of its network stands for.
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

// optionsInCluster is the property of a cluster that an option stands for.
func optionsInCluster(path string) string {
	if below, ok := strings.CutPrefix(path, "options."); ok {
		return ofAzure + below
	}
	return path
}

// renamePaths gives findings about arguments the paths of a cluster that is there, and the fixes of
// one that keeps what it is.
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

const anotherCluster = "make another cluster for Windows pools"
