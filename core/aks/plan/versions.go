package plan

import (
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var versionMissing = engine.Rule{
	Rule: rule.Rule{
		ID: "MK710", Severity: rule.Error, Title: "a cluster without a version of Kubernetes",
		Page:   rulepages.AKS,
		Reason: "Azure's default changes over time, and the available Windows releases change with it.",
		Source: versionsPage,
	},
	Checks: []engine.Check{engine.On(programs, func(p program) []rule.Problem {
		if p.Topology.KubernetesVersion != "" {
			return nil
		}
		return []rule.Problem{{
			Path: "kubernetesVersion", Detail: "Azure's default changes over time",
			Fix: fmt.Sprintf("set a version, for example %q", p.of.newestForAll()),
		}}
	})},
}

// newestForAll returns the newest version that supports all platforms of the pools, or the newest version of AKS if
// there is none.
func (c *cluster) newestForAll() kubeversion.Version {
	for v := facts.AKSNewest; v.Compare(facts.AKSOldest) >= 0; v.Minor-- {
		if !slices.ContainsFunc(c.pools,
			func(p pool) bool { sku := support.SKUOf(p.Platform); return !v.Within(sku.First, sku.Last) }) {
			return v
		}
	}
	return facts.AKSNewest
}
