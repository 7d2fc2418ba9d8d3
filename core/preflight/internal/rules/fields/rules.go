package fields

import (
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// Rules returns all rules of the package.
func Rules() []engine.Rule {
	return slices.Concat(
		osRules, linuxOnlyRules, ignoredRules, hostProcessRules, containerRules, resourceRules, deviceRules,
		networkRules, selectorRules,
	)
}
