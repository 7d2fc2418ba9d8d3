package plan

import (
	"errors"
	"fmt"
	"maps"
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

// errNotTagged is about a cluster that somebody else has made, or one whose tags
// somebody has removed.
var errNotTagged = errors.New("a cluster of this name is there already, without the tag " + FirstPoolTag +
	": use another name, or " + setTheTag)

// firstPoolFormat is what [FirstPool.Tag] writes. Azure takes any other value too, from
// whoever may write tags, and the pool that it names is removed.
var firstPoolFormat = regexp.MustCompile(`^(` + leftPool + `)?[a-z][a-z0-9]{0,11}$`)

// FirstPoolOf decides it from the pools of the program, which have their defaults, with
// their options, and from the tags and pools of the cluster in Azure: nil tags for one
// that is not there yet.
func FirstPoolOf(
	pools []topology.Pool, options map[string]PoolOptions, tags map[string]string, inAzure []string,
) (FirstPool, error) {
	nameOf := func(p topology.Pool) string { return PoolName(p, options[p.Name].Options) }
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
		return FirstPool{}, errNotTagged
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

// InAzure is what a cluster is in Azure at the moment.
type InAzure struct {
	// Tags are the cluster's; not nil.
	Tags map[string]string
	// Versions are those of Kubernetes of the pools, by their names in Azure.
	Versions map[string]string
	// LicenseType and GMSA are those of the Windows profile.
	LicenseType LicenseType
	GMSA        GMSA
}

// Pools are the names of the pools, sorted.
func (a InAzure) Pools() []string { return slices.Sorted(maps.Keys(a.Versions)) }
