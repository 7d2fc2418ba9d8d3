package users

import (
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// Rules returns all rules of the package.
func Rules() []engine.Rule {
	return slices.Concat(nameRules, credentialSpecRules, nonRootRules, hostAccountRules, optionRules,
		accountRules, serviceMonitorRules)
}
