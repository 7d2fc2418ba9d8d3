package preflight

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var networkPolicyMissing = rule.Rule{
	ID: "MK806", Severity: rule.Warning, Title: "a NetworkPolicy that nothing enforces on Windows nodes",
	Reason: "The API server accepts every NetworkPolicy, but only a network engine enforces it. Calico and Antrea " +
		"enforce policies on Windows nodes. Cilium does not, flannel never does, and Azure's own engine has had no " +
		"support on Windows since 2026-09-30. According to the topology, no engine does (missingFeatures: " +
		"windows-network-policies): the Windows pods accept traffic that the policy forbids.",
	Source: "https://kubernetes.io/docs/concepts/services-networking/network-policies/#prerequisites, " +
		"https://learn.microsoft.com/azure/aks/use-network-policies, " +
		"https://docs.tigera.io/calico/latest/getting-started/kubernetes/windows-calico/, " +
		"https://antrea.io/docs/main/docs/windows/",
}

// networkPolicy checks a NetworkPolicy together with the pods that it selects.
func (c *check) networkPolicy(a *Collection) {
	if c.context.Topology.Has(topology.WindowsNetworkPolicies) {
		return
	}
	selector, known := readSelector(tree.At(c.object["spec"], "podSelector"))
	namespace, hasNamespace := namespaceOf(c.object)
	if !known || !hasNamespace {
		return
	}
	names := a.policies.of(namespace, selector.String(), func() []string { return a.onWindows(namespace, selector) })
	if len(names) == 0 {
		return
	}
	c.report(networkPolicyMissing, rule.Problem{
		Path:   "spec.podSelector",
		Detail: "selects Windows pods (" + together(names) + "), for which nothing enforces it",
		Fix: "install an engine that does and remove windows-network-policies from missingFeatures in the topology, " +
			"or keep these pods apart by other means",
	})
}

// onWindows returns the kinds and names of the Windows pods that a selector selects in a namespace, sorted.
func (a *Collection) onWindows(namespace string, selector labels.Selector) []string {
	selected, _ := a.workloadsOf(namespace, selector)
	var names []string
	for _, w := range selected {
		if w.guessed || w.os != platform.WindowsOS || w.hostProcess {
			continue
		}
		name, _ := w.name.(string) // a secret one is not shown
		names = append(names, strings.Trim(w.written+"/"+name, "/"))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// together lists the first of many names.
func together(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + " and others"
}
