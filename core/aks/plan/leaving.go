package plan

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/topology"
)

// Leaving returns the names of the pools of a program whose nodes AKS drains: those whose nodes a change in place
// replaces or takes away, and those that a new pool replaces. It takes pools with their defaults, and the name in Azure
// of a pool that no update removes. Pools that are no longer in the program are not known: others may have created them.
func (a InAzure) Leaving(pools []topology.Pool, options map[string]PoolOptions, stays string) []string {
	leaves := map[string]bool{}
	for _, p := range pools {
		name := options[p.Name].Name(p)
		leaves[p.Name] = a.drains(name, p) || options[p.Name].Change == InPlace && a.isUnfinished(name)
	}
	for _, profile := range a.profiles() {
		name := open(profile["name"])
		of, ok := a.madeFor(profile, pools, options, "")
		if ok && name != stays && name != options[of.Name].Name(of) && number(profile["count"]) > 0 {
			leaves[of.Name] = true
		}
	}
	var names []string
	for _, p := range pools {
		if leaves[p.Name] {
			names = append(names, p.Name)
		}
	}
	return names
}

// madeFor returns the pool of a program that has a pool in Azure, or for which this library has made it with other
// properties: then it has the name of the pool with a suffix of the same length, its operating system, and the owner,
// which is the value of [OwnerTag].
func (a InAzure) madeFor(
	profile map[string]any, pools []topology.Pool, options map[string]PoolOptions, owner string,
) (of topology.Pool, ok bool) {
	name := open(profile["name"])
	if tagsOf(profile["tags"])[OwnerTag] != owner {
		return of, false
	}
	isWindows := strings.EqualFold(open(profile["osType"]), "Windows")
	for _, p := range pools {
		o := options[p.Name]
		if o.Name(p) == name {
			return p, true
		}
		_, keepsAnother := a.profile(o.NameInAzure)
		generated := PoolName(p, o.Options)
		if !keepsAnother && strings.HasPrefix(name, p.Name) && len(name) == len(generated) &&
			isWindows == p.Platform.IsWindows() && len(p.Name) > len(of.Name) {
			of, ok = p, true
		}
	}
	return of, ok
}
