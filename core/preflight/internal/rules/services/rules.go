package services

import (
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// Rules returns all rules of the package.
func Rules() []engine.Rule {
	return slices.Concat(
		serviceRules, autoscalerRules, disruptionRules, networkPolicyRules, podSecurityRules, sidecarRules,
		knativeRules, ipamRules, featureRules, eksRules, winkernelRules, verticalRules,
	)
}
