package placement

import (
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// Rules returns all rules of the package.
func Rules() []engine.Rule {
	return slices.Concat(claimRules, labelRules, systemRules, poolRules, tolerationRules, releaseRules, fromZeroRules,
		strandedRules, strandedObjectRules, eksRules)
}
