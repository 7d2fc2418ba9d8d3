package plan

import "github.com/mixedkube/mixedkube/core/topology"

// Leaving returns the names of the pools of a program whose nodes AKS drains: those that change in place, and those
// that a new pool replaces. It takes pools with their defaults, and the name in Azure of a pool that no update removes.
// Pools that are no longer in the program are not known: others may have created them.
func (a InAzure) Leaving(pools []topology.Pool, options map[string]PoolOptions, stays string) []string {
	current, leaves := map[string]bool{stays: true}, map[string]bool{}
	for _, p := range pools {
		name := options[p.Name].Name(p)
		current[name] = true
		leaves[p.Name] = a.rolls(name, p) || options[p.Name].Change == InPlace && a.isUnfinished(name)
	}
	for _, profile := range a.profiles() {
		name := open(profile["name"])
		if number(profile["count"]) == 0 || current[name] || tagsOf(profile["tags"])[OwnerTag] != "" {
			continue
		}
		of := ""
		for _, p := range pools {
			o := options[p.Name]
			if o.NameInAzure == "" && isMadeFor(p, profile) && len(o.Name(p)) == len(name) && len(p.Name) > len(of) {
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
