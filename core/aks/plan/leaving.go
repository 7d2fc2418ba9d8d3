package plan

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/topology"
)

// Leaving returns the names of the pools of a program whose nodes AKS drains: those that change in place, and those
// that a new pool replaces. It takes pools with their defaults. Pools that are no longer in the program are not known:
// others may have created them.
func (a InAzure) Leaving(pools []topology.Pool, options map[string]PoolOptions) []string {
	current, leaves := map[string]bool{}, map[string]bool{}
	for _, p := range pools {
		name := options[p.Name].Name(p)
		current[name] = true
		leaves[p.Name] = a.rolls(name, p) || options[p.Name].Change == InPlace && a.isUnfinished(name)
	}
	for _, profile := range a.profiles() {
		if number(profile["count"]) == 0 || current[open(profile["name"])] || tagsOf(profile["tags"])[OwnerTag] != "" {
			continue
		}
		of := ""
		for _, p := range pools {
			if options[p.Name].NameInAzure == "" && isMadeFor(p, profile) && len(p.Name) > len(of) {
				of = p.Name
			}
		}
		leaves[of] = true
	}
	var names []string
	for _, p := range pools {
		if leaves[p.Name] {
			names = append(names, p.Name)
		}
	}
	return names
}

// rolls reports whether a pool with its desired properties changes in place in a way that replaces its nodes.
func (a InAzure) rolls(name string, desired topology.Pool) bool {
	existing, ok := a.Pool(name)
	return ok && existing.Count > 0 && (existing.Size != desired.Size || existing.Platform != desired.Platform)
}

// isUnfinished reports whether the last change of a pool has failed, was canceled, or is in progress.
func (a InAzure) isUnfinished(name string) bool {
	profile, _ := a.profile(name)
	state := open(profile["provisioningState"])
	return state != "" && state != "Succeeded"
}

// isMadeFor reports whether a program without NameInAzure may have made a pool in Azure for a pool, with the same or
// with other properties: the name begins with that of the pool, and the operating system is the same.
func isMadeFor(p topology.Pool, profile map[string]any) bool {
	suffix, ok := strings.CutPrefix(open(profile["name"]), p.Name)
	isWindows := strings.EqualFold(open(profile["osType"]), "Windows")
	return ok && len(suffix) <= maxSuffix && isWindows == p.Platform.IsWindows()
}
