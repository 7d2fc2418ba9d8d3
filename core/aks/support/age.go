package support

import (
	"time"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/aged"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

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
