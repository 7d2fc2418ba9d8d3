package plan

import (
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/aged"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// Checked are all rules, with their checks.
var Checked = checked

// Use makes rules the only ones.
func Use(rules []engine.Rule) { index = index.With(rules...) }

// CheckUse is [support.CheckFacts] with the rules of this package, so that [Use] affects it.
func CheckUse(u aged.Use) []rule.Finding { return find(u) }
