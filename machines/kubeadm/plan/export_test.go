package plan

import "github.com/mixedkube/mixedkube/internal/core/rule/engine"

// Checked are all rules, with their checks.
var Checked = checked

// Use makes rules the only ones.
func Use(rules []engine.Rule) { index = index.With(rules...) }
