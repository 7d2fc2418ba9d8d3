package cli

import (
	aks "github.com/mixedkube/mixedkube/internal/core/aks/examples"
	"github.com/mixedkube/mixedkube/internal/core/preflight/examples"
	kubeadm "github.com/mixedkube/mixedkube/machines/kubeadm/examples"
)

// exampleOf returns the example of a rule, or nil if it has none.
func exampleOf(id string) (*examples.Example, error) {
	e, found, err := examples.Of(id)
	if err != nil || found {
		return &e, err
	}
	f, found := aks.Finding(id)
	if !found {
		f, found = kubeadm.Finding(id)
	}
	if !found {
		return nil, nil
	}
	return &examples.Example{Findings: []string{string(f.Severity) + ": " + f.String()}, Fix: f.Fix}, nil
}
