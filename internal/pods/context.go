package pods

import (
	"slices"

	"github.com/mixedkube/mixedkube/components/images"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/placement"
)

// Context is what is known beside an object when its pods are asked what they are for. It
// never changes, so it can be used concurrently.
type Context struct {
	// Topology is the cluster's; without pools it is not known.
	Topology topology.Defaulted
	// Nodes is the topology made ready for placing pods, nil without pools.
	Nodes *placement.Nodes
	// OS and Platform are what the caller says that the pods are for; "" if nothing.
	OS       platform.OS
	Platform platform.Platform
	// Images are what is known about images beside their names, nil for nothing.
	Images *images.Lock
	// Matching is how well an image's Windows release must match its host's.
	Matching platform.Matching

	// classes are the RuntimeClasses that components/runtimeclass makes for the topology.
	classes map[platform.Platform]*placement.RuntimeClass
	// sized says that the capacity of the nodes of some pool is known.
	sized bool
}

// NewContext makes the context of a cluster, where images may be known by a lock.
func NewContext(t topology.Defaulted, matching platform.Matching, lock *images.Lock) *Context {
	c := &Context{Topology: t, Images: lock, Matching: matching}
	if len(t.Pools) == 0 {
		return c
	}
	c.Nodes = placement.NewNodes(c.Topology, matching)
	c.classes = map[platform.Platform]*placement.RuntimeClass{}
	for _, p := range c.Topology.Platforms() {
		if name := topology.RuntimeClassName(p); name != "" {
			c.classes[platform.Platform(name)] = &placement.RuntimeClass{
				Name: name, NodeSelector: topology.NodeSelector(p), Tolerations: c.Topology.Tolerations(p),
			}
		}
	}
	c.sized = slices.ContainsFunc(c.Topology.Pools, func(p topology.Pool) bool {
		return p.Size != "" || len(p.Reported.Capacity) > 0
	})
	return c
}

// Given returns the context of a caller who says what the pods are for: a platform, or an
// operating system alone. Both may be empty.
func (c *Context) Given(os platform.OS, p platform.Platform) *Context {
	given := *c
	given.OS, given.Platform = os, p
	if p.Valid() {
		given.OS = p.OS()
	}
	return &given
}

// KnowsClass reports whether the RuntimeClass with the name of a platform is known to be the
// platform's: the platform is in the topology, or the caller thinks in platforms.
func (c *Context) KnowsClass(p platform.Platform) bool {
	return c.classes[p] != nil || c.Platform.Valid()
}

// WindowsPlatforms are the releases of Windows that the topology has pools of.
func (c *Context) WindowsPlatforms() []platform.Platform {
	return slices.DeleteFunc(c.Topology.Platforms(), func(p platform.Platform) bool { return !p.IsWindows() })
}
