package images

import (
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// Rules returns all rules of the package.
func Rules() []engine.Rule {
	return slices.Concat(
		fitRules, hostProcessRules, outdatedRules, referenceRules, architectureRules, baselineRules,
		userRules, pullRules, programRules, windowsProgramRules, lifecycleRules, baseTagRules,
		newerRules,
	)
}
