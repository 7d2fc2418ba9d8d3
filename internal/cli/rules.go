package cli

import (
	"slices"

	aks "github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/manifests/helmchart"
	kubeadm "github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// Rules returns all rules of this library: the ones about files, about the arguments of a cluster, and about Helm
// charts in programs.
func Rules() rule.Set {
	return rule.NewSet(slices.Concat(preflight.Rules(), aks.Rules(), kubeadm.Rules(), helmchart.Rules())...)
}

// checkRules returns the rules of check: about files, and about the topology.
func checkRules() rule.Set {
	return rule.NewSet(slices.Concat(preflight.Rules(), preflight.ClusterRules())...)
}
