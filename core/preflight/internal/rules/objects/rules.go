package objects

import (
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// Rules returns all rules of the package.
func Rules() []engine.Rule {
	return slices.Concat(versionRules, fieldRules, annotationRules, textRules, nameRules)
}
