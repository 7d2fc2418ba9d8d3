package preflight

import (
	"cmp"

	"github.com/mixedkube/mixedkube/components/aks/support"
	"github.com/mixedkube/mixedkube/components/rule"
)

// ClusterRules returns the rules of [Checker.CheckCluster], sorted by ID. They are not among [Rules], which are about
// objects: package aks/plan applies them to the arguments of clusters, too.
func ClusterRules() rule.Set { return support.Rules() }

// CheckCluster returns what is wrong with the topology of the options, whatever the objects are, sorted by path. The
// paths are those of the topology, such as "pools[1].platform". Only a topology with a cloud has findings: on AKS,
// versions of Kubernetes and releases of Windows that AKS does not support, or not beyond [Options.Horizon].
func (c *Checker) CheckCluster() []Finding {
	t := c.options.Topology
	t.KubernetesVersion = cmp.Or(t.KubernetesVersion, c.options.KubernetesVersion)
	return support.CheckTopology(t, c.options.Today, c.options.Horizon)
}
