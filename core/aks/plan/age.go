package plan

import "github.com/mixedkube/mixedkube/internal/core/facts/lives"

// UsedFacts returns the names of the facts that the checks of a cluster use: see [support.CheckFacts].
func UsedFacts() []string { return lives.UsedBy("core/aks/plan", "core/aks/support") }
