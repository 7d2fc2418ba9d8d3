package cli

import (
	"slices"

	aks "github.com/mixedkube/mixedkube/components/aks/plan"
	kubeadm "github.com/mixedkube/mixedkube/components/kubeadm/plan"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/helmchart"
)

// Rules are all rules of this library: those that a file can break, and those that the arguments of a
// cluster can, and what a program does with Helm charts.
func Rules() rule.Set {
	return rule.NewSet(slices.Concat(preflight.Rules(), aks.Rules(), kubeadm.Rules(), helmchart.Rules())...)
}
