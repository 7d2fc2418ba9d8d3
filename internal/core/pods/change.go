package pods

import (
	"maps"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

// PlanTo returns two contexts to compare: of the cluster, and of what it is planned to become. Both have pools. A plan
// that does not list RuntimeClasses has those of the cluster.
func (c *Context) PlanTo(t topology.Defaulted, matching platform.Matching) (today, plan *Context) {
	cluster := *c
	plan = NewContext(t, matching, c.Images)
	cluster.Nodes, plan.Nodes = placement.NewChange(
		placement.Cluster{Defaulted: c.Topology, Matching: c.Matching},
		placement.Cluster{Defaulted: t, Matching: matching},
	)
	if plan.existing == nil {
		plan.existing = c.existing
	}
	// A partial plan does not have the classes of releases that it does not list.
	classes := maps.Clone(c.classes)
	maps.Copy(classes, plan.classes)
	plan.classes = classes
	return &cluster, plan.WithPlatform(c.OS, c.Platform)
}
