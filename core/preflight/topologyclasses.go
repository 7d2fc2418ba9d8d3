package preflight

import (
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// CheckClasses returns the findings about the RuntimeClasses that the topology lists and no object is: what
// [Checker.Check] returns for the objects of classes. The paths are those of the topology, such as
// "runtimeClasses[0].nodeSelector[agentpool]", and begin with [InPlan] if the planned topology lists classes. There are
// findings only with a plan.
func (a *Collection) CheckClasses() []Finding {
	if a.all.HasAnonymousClass() {
		return nil // an object may be the class
	}
	return engine.Sorted(a.checks.classes.Find(
		&subject.TopologyClasses{Cluster: a.cluster, IsObject: a.all.HasClass}, a.cluster.Minor))
}

// CheckClasses is [Collection.CheckClasses] for objects whose pods have been parsed.
func (c *Checker) CheckClasses(objects []*pods.Object) []Finding {
	var gists []*Gist
	for _, o := range objects {
		if o.Kind == "RuntimeClass" {
			gists = append(gists, c.Gist(o))
		}
	}
	return c.Collect(gists).CheckClasses()
}
