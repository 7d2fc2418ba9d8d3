package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/topology"
)

// FirstPoolTag is the tag of a cluster that records the state of the initial pool of the cluster, which is not
// recorded anywhere else. Its value is the name in Azure of the pool that the cluster has inline, the name after
// [leftPool] if the program no longer has the pool, or [NoFirstPool]. It is a single tag, because Azure may keep a tag
// that a request leaves out.
const FirstPoolTag = "mixedkube-first-pool"

const (
	leftPool = "left:"
	// NoFirstPool means that all pools are separate resources.
	NoFirstPool = "none"
)

// FirstPool is the state of the pool that a cluster began with.
type FirstPool struct {
	// Inline is the name of the pool in Azure if the cluster has it inline, and else empty.
	Inline string
	// Left is the name of the pool in Azure if the program no longer has it, and else empty.
	Left string
}

// Tag returns the value of [FirstPoolTag] that records the state.
func (f FirstPool) Tag() string {
	switch {
	case f.Inline != "":
		return f.Inline
	case f.Left != "":
		return leftPool + f.Left
	default:
		return NoFirstPool
	}
}

// setTheTag is the fix for a tag that is missing or not valid.
const setTheTag = "set the tag to the name of the pool in its agentPoolProfiles, or to " + NoFirstPool +
	" if all its pools are resources of their own"

// takenOver determines which pool is inline in a cluster that was created without this library: the system pool that
// the program takes over without making it a separate resource. All other pools are resources, with an import or an
// alias. If a pool has a name of this library, the library has created the pool and someone has removed the tag: then
// the inline pool is unknown.
func takenOver(pools []topology.Pool, options map[string]PoolOptions, inAzure []string) (FirstPool, error) {
	var inline, resources []string
	for _, p := range pools {
		o := options[p.Name]
		switch {
		case p.Mode != topology.System || !slices.Contains(inAzure, o.NameInAzure):
		case o.Resource:
			resources = append(resources, o.NameInAzure)
		default:
			inline = append(inline, o.NameInAzure)
		}
	}
	switch {
	case len(inline) == 1:
		return FirstPool{Inline: inline[0]}, nil
	case len(inline) > 1:
		return FirstPool{}, fmt.Errorf("a cluster with this name already exists, without the tag %s, and %s are "+
			"system pools that it may have inline: import all of them but one, which stays inline, or %s",
			FirstPoolTag, join(inline, "and"), setTheTag)
	case len(resources) > 0:
		return FirstPool{}, nil
	case len(inAzure) == 0:
		return FirstPool{}, fmt.Errorf("a cluster with this name already exists, without the tag %s: use another "+
			"name, or %s", FirstPoolTag, setTheTag)
	default:
		return FirstPool{}, fmt.Errorf("a cluster with this name already exists, without the tag %s: use another "+
			"name; or take it over, with nameInAzure in poolOptions of a system pool (its pools are %s); or %s",
			FirstPoolTag, join(inAzure, "and"), setTheTag)
	}
}

// firstPoolFormat matches the values that [FirstPool.Tag] writes. Anyone who may write tags can set any other value,
// and the program removes the pool that the tag names.
var firstPoolFormat = regexp.MustCompile(`^(` + leftPool + `)?[a-z][a-z0-9]{0,11}$`)

// FirstPoolOf determines the state of the first pool from the pools of the program, which have their defaults, with
// their options, and from the tags and pools of the cluster in Azure. The tags are nil if the cluster does not exist
// yet.
func FirstPoolOf(
	pools []topology.Pool, options map[string]PoolOptions, tags map[string]string, inAzure []string,
) (FirstPool, error) {
	nameOf := func(p topology.Pool) string { return options[p.Name].Name(p) }
	isDeclared := func(name string) bool {
		return slices.ContainsFunc(pools, func(p topology.Pool) bool { return nameOf(p) == name })
	}
	if tags == nil {
		i := slices.IndexFunc(pools, func(p topology.Pool) bool { return p.Mode == topology.System })
		return FirstPool{Inline: nameOf(pools[i])}, nil
	}
	first := tags[FirstPoolTag]
	if first != "" && !firstPoolFormat.MatchString(first) {
		return FirstPool{}, fmt.Errorf("its tag %s has the value %q, which does not name a pool: %s", FirstPoolTag,
			first, setTheTag)
	}
	left, isLeft := strings.CutPrefix(first, leftPool)
	switch {
	case first == "":
		return takenOver(pools, options, inAzure)
	case first == NoFirstPool:
		return FirstPool{}, nil
	case !isLeft && isDeclared(first):
		return FirstPool{Inline: first}, nil
	case !isDeclared(left):
		return FirstPool{Left: left}, nil
	case slices.Contains(inAzure, left):
		// The program has the pool again before it was removed: it cannot become a resource.
		return FirstPool{Inline: left}, nil
	default:
		return FirstPool{}, nil
	}
}
