package preflight

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
)

// ClusterRules returns the rules of [Checker.CheckCluster], sorted by ID. They are not among [Rules], which are about
// objects: package aks/plan applies them to the arguments of clusters, too.
func ClusterRules() rule.Set { return support.Rules() }

// InPlan begins the paths of findings about the planned topology: see [Checker.CheckCluster].
const InPlan = subject.InPlan

// CheckCluster returns what is wrong with the topologies of the options, whatever the objects are, sorted by path. The
// paths are those of the topology, such as "pools[1].platform", and begin with [InPlan] in a planned topology, whose
// findings are those that the same pool does not have in the current one. Only a topology with a cloud has findings: on
// AKS, versions of Kubernetes and releases of Windows that AKS does not support, or not beyond [Options.Horizon].
//
// A plan without a version or a cloud has those of the current topology.
func (c *Checker) CheckCluster() []Finding {
	today, plan := c.options.Topology, c.options.To
	today.KubernetesVersion = cmp.Or(today.KubernetesVersion, c.options.KubernetesVersion)
	found := support.CheckTopology(today, c.options.Today, c.options.Horizon)
	if c.cluster.Plan == nil {
		return found
	}
	plan.KubernetesVersion = cmp.Or(plan.KubernetesVersion, today.KubernetesVersion)
	plan.Cloud = cmp.Or(plan.Cloud, today.Cloud)
	known := map[string]bool{}
	for _, f := range found {
		known[ofPool(today, f)+f.Message()] = true
	}
	for _, f := range support.CheckTopology(plan, c.options.Today, c.options.Horizon) {
		if !known[ofPool(plan, f)+f.Message()] {
			f.Path = InPlan + f.Path
			found = append(found, f)
		}
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(a.Path, b.Path) })
	return found
}

// ofPool returns the name of the pool that a finding is about, "" if it is about the whole cluster.
func ofPool(t topology.Topology, f Finding) string {
	var index int
	if n, _ := fmt.Sscanf(f.Path, "pools[%d]", &index); n == 0 {
		return ""
	}
	return t.Pools[index].Name
}
