package pods

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

// Context has the facts outside an object that determine what its pods are for. It
// never changes, so it can be used concurrently.
type Context struct {
	// Topology is the topology of the cluster; without pools it is not known.
	Topology topology.Defaulted
	// Nodes is the topology prepared for placing pods, nil without pools.
	Nodes *placement.Nodes
	// OS and Platform are the caller's claim about the pods; "" if there is none.
	OS       platform.OS
	Platform platform.Platform
	// Images has facts about images in addition to their names, nil if there are none.
	Images *images.Lock
	// Matching is how well an image's Windows release must match its host's.
	Matching platform.Matching

	// classes are the RuntimeClasses that components/runtimeclass creates for platforms. A complete topology shows what
	// the classes of all platforms lead to, and a partial one only those of its own.
	classes map[platform.Platform]*placement.RuntimeClass
	// existing are the RuntimeClasses that the cluster has, by name, nil if they are not known.
	existing map[string]*Class
	// read are the images that have been read, nil if they are always read again.
	read *readImages
	// sized is true if the capacity of the nodes of a pool is known.
	sized bool
}

// NewContext returns the context of a cluster. The lock has facts about images, and may be nil.
func NewContext(t topology.Defaulted, matching platform.Matching, lock *images.Lock) *Context {
	t.Matching = matching
	c := &Context{Topology: t, Images: lock, Matching: matching, read: new(readImages)}
	if t.RuntimeClasses != nil {
		c.existing = map[string]*Class{}
		for _, class := range t.RuntimeClasses {
			c.existing[class.Name] = ReadClass(class.Object())
		}
	}
	if len(t.Pools) == 0 {
		return c
	}
	c.Nodes = placement.NewNodes(c.Topology, matching)
	c.classes = map[platform.Platform]*placement.RuntimeClass{}
	named := platform.All()
	if t.Partial {
		named = t.Platforms()
	}
	for _, p := range named {
		if name := topology.RuntimeClassName(p); name != "" {
			c.classes[platform.Platform(name)] = &placement.RuntimeClass{
				Name: name, NodeSelector: c.Topology.ClassSelector(p), Tolerations: c.Topology.ClassTolerations(p),
			}
		}
	}
	c.sized = slices.ContainsFunc(c.Topology.Pools, func(p topology.Pool) bool {
		return p.Size != "" || len(p.Reported.Capacity) > 0
	})
	return c
}

// WithPlatform returns the context with a claim of the caller: a platform, or only an
// operating system. Both may be empty.
func (c *Context) WithPlatform(os platform.OS, p platform.Platform) *Context {
	claimed := *c
	claimed.OS, claimed.Platform = os, p
	if p.Valid() {
		claimed.OS = p.OS()
	}
	return &claimed
}

// KnowsClass reports whether the RuntimeClass with the name of a platform is known to be for this
// platform: the pools of the cluster are known, or the caller passes a platform. In a partial topology only the classes
// of its platforms are known.
func (c *Context) KnowsClass(p platform.Platform) bool {
	return c.classes[p] != nil || c.Platform.Valid()
}

// Existing returns the RuntimeClass of the cluster with a name, nil if there is none. It returns false if the classes
// of the cluster are not known.
func (c *Context) Existing(name string) (*Class, bool) { return c.existing[name], c.existing != nil }

// WindowsPlatforms returns the releases of Windows for which the topology has pools.
func (c *Context) WindowsPlatforms() []platform.Platform {
	return slices.DeleteFunc(c.Topology.Platforms(), func(p platform.Platform) bool { return !p.IsWindows() })
}
