package support

import (
	"slices"
	"time"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/aged"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

// usedFacts are the tables that the rules of this package use. A test compares them with the code.
var usedFacts = []string{"AKSNewest", "AKSOldest", "AKSReleases", "SKUReleases", "SKUs"}

// UsedFacts returns the names of the facts that a check of a topology uses.
func UsedFacts() []string { return slices.Clone(usedFacts) }

var factsOld = engine.Rule{
	Rule: rule.Rule{
		ID: "MK888", Severity: rule.Info, Title: "facts that are more than half a year old",
		Page: rulepages.AKS, Reason: aged.Reason, Source: versionsPage,
	},
	Checks: []engine.Check{engine.On(aged.Uses, aged.Problems)},
}

// CheckFacts returns an info if the source of a fact with one of these names was read more than half a year before
// today. It returns nothing if today is zero.
func CheckFacts(today time.Time, names []string) []rule.Finding {
	return find(aged.Use{Today: today, Names: names})
}
