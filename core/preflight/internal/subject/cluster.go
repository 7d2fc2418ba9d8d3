package subject

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// Cluster is what is known in addition to the objects.
type Cluster struct {
	*pods.Context
	// Minor is the minor version of the API server, 0 if it is not known.
	Minor int
	// Today and Plan are the cluster and its planned topology, which are compared; nil without a plan.
	Today, Plan *pods.Context
	// Leaving is the cluster with only the pools that are drained; nil if there are none.
	Leaving *pods.Context
	// PlansClasses means that the planned topology lists RuntimeClasses.
	PlansClasses bool
	// Rules are all rules, which objects can ignore. See [Object.Ignored].
	Rules rule.Set
}

// knowsNodes reports whether the caller passed the nodes, and so how closely images must match them.
func (c *Cluster) knowsNodes() bool { return c.Nodes != nil || c.Platform.IsWindows() }

// MatchingOf returns how closely images must match a host. Version 23H2 has no images of its own: it is designed to run
// the images of Windows Server 2022.
func (c *Cluster) MatchingOf(host platform.Platform) platform.Matching {
	if host == platform.WindowsServer23H2 {
		return platform.Relaxed
	}
	return c.Matching
}

// Refuses reports whether the nodes of a Windows pool do not run an image.
func (c *Cluster) Refuses(host platform.Platform, image platform.Image) bool {
	return host.IsWindows() && platform.CanRun(host, image, c.MatchingOf(host)) == platform.No
}

// UnsupportedByAKS ends a sentence about relaxed matching, unless the cluster is in another cloud.
func (c *Cluster) UnsupportedByAKS() string {
	if cloud := c.Topology.Cloud; cloud == "" || cloud == topology.AKS {
		return ", which AKS does not support"
	}
	return ""
}

// Lists2019 reports whether the version of Kubernetes may list Windows Server 2019 for nodes. If the nodes are known,
// they decide.
func (c *Cluster) Lists2019() bool { return c.Nodes != nil || c.Minor < 36 }

// DropsClass reports whether the plan lists the RuntimeClasses of the cluster, and not this one.
func (c *Cluster) DropsClass(name string) bool {
	if c.Plan == nil || c.Plan.Topology.RuntimeClasses == nil {
		return false
	}
	class, _ := c.Plan.Existing(name)
	return class == nil
}

// InPlan begins the paths in a planned topology.
const InPlan = "to."

// TopologyClasses are the RuntimeClasses that the topology lists.
type TopologyClasses struct {
	Cluster *Cluster
	// IsObject reports whether a class is also an object, which is judged by itself.
	IsObject func(name string) bool
}
