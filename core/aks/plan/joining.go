package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var (
	platformUnknown = engine.Rule{
		Rule: rule.Rule{
			ID: "MK850", Severity: rule.Warning, Title: "a pool in Azure with an unknown platform",
			Page:   rulepages.AKSExisting,
			Reason: "This library can neither place pods on the nodes of an unknown platform nor keep pods off them.",
			Fix:    "give the pool a taint that no workload of this program tolerates",
			Source: poolAPI,
		},
		Checks: []engine.Check{engine.On(unknowns, func(p unknownPool) []rule.Problem {
			return []rule.Problem{{
				Path: p.at + "osSKU", Value: open(p.properties["osSKU"]),
				Detail: "not a Windows release that this library knows, so the topology does not have this pool",
			}}
		})},
	}
	poolNameExists = engine.Rule{
		Rule: rule.Rule{
			ID: "MK798", Severity: rule.Error, Title: "an existing cluster has a pool with this name",
			Page: rulepages.AKSExisting,
			Reason: "The topology identifies pools by their names, and azure-native does not create a pool that " +
				"already exists.",
			Source: createPoolsPage,
		},
		Checks: []engine.Check{engine.On(joinings, existingName)},
	}
)

// ofAzure is the prefix of the paths of findings about an existing cluster.
const ofAzure = "inAzure."

// owned returns the owner of the pool in Azure whose name the pool would have, and whether it is a pool of others.
func (j joining) owned() (of string, byOthers bool) {
	of, exists := j.inAzure.poolOwner(j.Options.Name(j.Pool.Pool.Pool))
	return of, exists && of != j.owner && !j.Options.Resource && !j.isTaken()
}

// isTaken reports whether another pool of the topology has the name.
func (j joining) isTaken() bool { return slices.Contains(j.others, j.Pool.Pool.Name) }

// existingName finds a name that another pool has: of the program, or of the cluster.
func existingName(j joining) []rule.Problem {
	name := j.Pool.Pool.Name
	problem := rule.Problem{Path: "pool.name", Value: name}
	owner, byOthers := j.owned()
	switch of, exists := j.inAzure.poolOwner(name); {
	case j.isTaken() && exists && of != j.owner:
		problem.Detail = fmt.Sprintf("the cluster has a pool %q%s", name, ofWhom(of))
		problem.Fix = takeOver(name)
	case j.isTaken():
		problem.Detail = "the program has another pool with this name in the cluster"
		problem.Fix = "use another name"
	case byOthers && j.Options.NameInAzure == "":
		// The program does not manage the pool with the name in Azure that this one would get.
		inAzure := j.Options.Name(j.Pool.Pool.Pool)
		problem.Detail = fmt.Sprintf("the cluster has a pool %q%s", inAzure, ofWhom(owner))
		problem.Fix = "add the alias {NoParent: pulumi.Bool(true)} to this one if aks.NewNodePool created it in this " +
			"stack; or " + takeOver(inAzure)
		if owner != "" {
			problem.Fix = "use another name" + orRenamed
		}
	default:
		return nil
	}
	return []rule.Problem{problem}
}

// notInState finds a pool that keeps its name and is not yet in the state of the program.
func notInState(j joining) []rule.Problem {
	of, byOthers := j.owned()
	if !byOthers || j.Options.NameInAzure == "" {
		return nil
	}
	problem := rule.Problem{
		Path: "nameInAzure", Value: j.Options.NameInAzure, Detail: "the pool already exists in Azure" + ofWhom(of),
		Fix: "set importID to its resource ID; or add an alias to the pool, if this stack has it under another name",
	}
	if of != "" {
		problem.Fix += orRenamed
	}
	return []rule.Problem{problem}
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
	return tagsOf(profile["tags"])[OwnerTag], exists
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

// renamePaths changes the paths of arguments to those of properties of an existing cluster.
func renamePaths(findings rule.Findings, rename ...func(path string) string) {
	for i := range findings {
		for _, to := range rename {
			findings[i].Path = to(findings[i].Path)
		}
	}
}

const anotherCluster = "create another cluster for Windows pools"
