package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/topology"
)

// FirstPoolTag is the tag of a cluster that says what became of the pool that it began
// with: nobody else remembers it. Its value is the name in Azure of the pool that the
// cluster has inline, the name behind [leftPool] once the program has it no longer, or
// [NoFirstPool]. It is one tag, as Azure may keep a tag that is left out.
const FirstPoolTag = "mixedkube-first-pool"

const (
	leftPool = "left:"
	// NoFirstPool says that all pools are resources of their own.
	NoFirstPool = "none"
)

// FirstPool is what becomes of the pool that a cluster began with.
type FirstPool struct {
	// Inline is its name in Azure as long as the cluster has it inline; else empty.
	Inline string
	// Left is its name in Azure once the program has it no longer; else empty.
	Left string
}

// Tag is the value of [FirstPoolTag] that remembers it.
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

// setTheTag is what to do about a tag that cannot be relied on.
const setTheTag = "set the tag to the name of the pool in its agentPoolProfiles, or to " + NoFirstPool +
	" if all its pools are resources of their own"

// takenOver finds out which pool a cluster has inline that was made without this library: the
// system pool that the program takes over without making it a resource of its own. All others are
// resources, which is what an import or an alias says. A pool that this library has named is one
// that it has made, and somebody has removed the tag: then nobody knows.
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

// firstPoolFormat is what [FirstPool.Tag] writes. Azure takes any other value too, from
// whoever may write tags, and the pool that it names is removed.
var firstPoolFormat = regexp.MustCompile(`^(` + leftPool + `)?[a-z][a-z0-9]{0,11}$`)

// FirstPoolOf decides it from the pools of the program, which have their defaults, with
// their options, and from the tags and pools of the cluster in Azure: nil tags for one
// that is not there yet.
func FirstPoolOf(
	pools []topology.Pool, options map[string]PoolOptions, tags map[string]string, inAzure []string,
) (FirstPool, error) {
	nameOf := func(p topology.Pool) string { return options[p.Name].Name(p) }
	wanted := func(name string) bool {
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
	case !isLeft && wanted(first):
		return FirstPool{Inline: first}, nil
	case !wanted(left):
		return FirstPool{Left: left}, nil
	case slices.Contains(inAzure, left):
		// Taken back before it was removed: no resource can be made of it.
		return FirstPool{Inline: left}, nil
	default:
		return FirstPool{}, nil
	}
}
