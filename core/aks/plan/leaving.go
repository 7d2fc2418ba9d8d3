package plan

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// Leaving returns the pools of a program whose nodes AKS drains, as they are in Azure and with their names in the
// program: those whose nodes a change in place replaces or takes away, and those that a new pool replaces. It takes
// pools with their defaults, and the name in Azure of a pool that no update removes. Pools that are no longer in the
// program are not known: others may have created them.
func (a InAzure) Leaving(pools []topology.Pool, options map[string]PoolOptions, stays string) []topology.Pool {
	var leaving []topology.Pool
	for _, profile := range a.profiles() {
		name := open(profile["name"])
		of, ok := a.madeFor(profile, pools, options, "")
		switch o := options[of.Name]; {
		case !ok:
		case name == o.Name(of) && (a.drains(name, of) || a.continuesDrain(name, of, o)),
			name != o.Name(of) && name != stays && runningNodes(profile) > 0:
			leaving = append(leaving, a.registered(profile, of.Name))
		}
	}
	return leaving
}

// continuesDrain reports whether an update continues a drain that a change in place has begun.
func (a InAzure) continuesDrain(name string, p topology.Pool, o PoolOptions) bool {
	profile, _ := a.profile(name)
	goesOn := a.goesOn(name, o, VMSSResize) ||
		p.Platform == platform.WindowsServer2025 && a.goesOn(name, o, WindowsOSUpgrade)
	return goesOn && runningNodes(profile) > 0 && !p.Spot
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
