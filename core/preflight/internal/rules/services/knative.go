package services

import (
	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var knativeRules = []engine.Rule{knativeFlagNeeded}

var knativeFlagNeeded = engine.Rule{
	Rule: rule.Rule{
		ID: "MK416", Severity: rule.Warning, Title: "a pod field that Knative accepts only with a feature flag",
		Page: rulepages.AddOns,
		Reason: "Knative refuses nodeSelector, tolerations, affinity and runtimeClassName in the template of a " +
			"Service or a Configuration (must not set the field) unless the ConfigMap config-features in " +
			"knative-serving enables or allows each of them. Without the flags, these pods cannot select nodes with " +
			"their operating system.",
		Fix: "make sure that it is enabled in the ConfigMap config-features of knative-serving",
		Source: "https://knative.dev/docs/serving/configuration/feature-flags/; PodSpecMask in " +
			"https://github.com/knative/serving/blob/main/pkg/apis/serving/fieldmask.go",
	},
	Checks: []engine.Check{engine.On(collection.KnativePods, func(p *collection.Pods) (found []rule.Problem) {
		for _, flag := range p.MissingFlags() {
			found = append(found, rule.Problem{
				Path: p.Path(flag.Field), Detail: "is refused unless Knative has the flag " + flag.Key,
			})
		}
		return found
	})},
}
