package volumes

import (
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// Rules returns all rules of the package.
func Rules() []engine.Rule {
	return slices.Concat(typeRules, fileSystemRules, shareRules, hostPathRules, podLogRules, mountRules, missingRules,
		fileRules, pathRules, shareUpdateRules, sharedDiskRules, classRules)
}
