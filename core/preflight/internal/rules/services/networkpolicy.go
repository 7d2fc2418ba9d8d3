package services

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var networkPolicyRules = []engine.Rule{networkPolicyMissing}

var networkPolicyMissing = engine.Rule{
	Rule: rule.Rule{
		ID: "MK806", Severity: rule.Warning, Title: "a NetworkPolicy that nothing enforces on Windows nodes",
		Page: rulepages.Networks,
		Reason: "The API server accepts every NetworkPolicy, but only a network engine enforces it. Calico and " +
			"Antrea enforce policies on Windows nodes. Cilium does not, flannel never does, and Azure's own engine " +
			"has had no support on Windows since " +
			facts.AKSOptionEnd("networkProfile.networkPolicy", "Windows").Ends + ". According to the topology, no " +
			"engine does (missingFeatures: windows-network-policies): the Windows pods accept traffic that the " +
			"policy forbids.",
		Fix: "install an engine that does and remove windows-network-policies from missingFeatures in the topology, " +
			"or keep these pods apart by other means",
		Source: "https://kubernetes.io/docs/concepts/services-networking/network-policies/#prerequisites, " +
			"https://learn.microsoft.com/azure/aks/use-network-policies, " +
			"https://docs.tigera.io/calico/latest/getting-started/kubernetes/windows-calico/, " +
			"https://antrea.io/docs/main/docs/windows/",
	},
	Checks: []engine.Check{engine.On(collection.NetworkPolicies, func(o *collection.Object) []rule.Problem {
		if o.Cluster.Topology.Has(topology.WindowsNetworkPolicies) {
			return nil
		}
		names := o.WindowsPods()
		if len(names) == 0 {
			return nil
		}
		return []rule.Problem{{
			Path:   "spec.podSelector",
			Detail: "selects Windows pods (" + firstOf(names) + "), for which nothing enforces it",
		}}
	})},
}

// firstOf lists the first of many names.
func firstOf(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + " and others"
}
