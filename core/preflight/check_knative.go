package preflight

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var knativeFlagNeeded = rule.Rule{
	ID: "MK416", Severity: rule.Warning, Title: "a pod field that Knative accepts only with a feature flag",
	Reason: "Knative refuses nodeSelector, tolerations, affinity and runtimeClassName in the template of a Service " +
		"or a Configuration (must not set the field) unless the ConfigMap config-features in knative-serving enables " +
		"or allows each of them. Without the flags, these pods cannot select nodes with their operating system.",
	Source: "https://knative.dev/docs/serving/configuration/feature-flags/; PodSpecMask in " +
		"https://github.com/knative/serving/blob/main/pkg/apis/serving/fieldmask.go",
}

// knativeFlags are pod fields and the keys of the ConfigMap that enable them.
var knativeFlags = []struct{ field, flag string }{
	{"nodeSelector", "kubernetes.podspec-nodeselector"},
	{"tolerations", "kubernetes.podspec-tolerations"},
	{"affinity", "kubernetes.podspec-affinity"},
	{"runtimeClassName", "kubernetes.podspec-runtimeclassname"},
}

// knative checks the fields that need a flag. The ConfigMap may be among the objects.
func (c *check) knative(p *judged, a *Collection) {
	if p.Kind != pods.KnativeService && p.Kind != pods.KnativeConfiguration {
		return
	}
	for _, f := range knativeFlags {
		if !pods.IsSet(p.Spec, f.field) || a.knativeFeatures[f.flag] {
			continue
		}
		c.report(knativeFlagNeeded, rule.Problem{
			Path:   p.Path(f.field),
			Detail: "is refused unless Knative has the flag " + f.flag,
			Fix:    "make sure that it is enabled in the ConfigMap config-features of knative-serving",
		})
	}
}

// knativeFeatures returns the flags that an object enables, or may enable, if it is the ConfigMap with the flags.
func knativeFeatures(object map[string]any) (flags []string) {
	if subject.IsConfigMap(object, "knative-serving", "config-features") == platform.No {
		return nil
	}
	for _, f := range knativeFlags {
		value := tree.At(object["data"], f.flag)
		if text, _ := tree.Text(value); text == "enabled" || text == "allowed" || tree.IsUnknown(value) {
			flags = append(flags, f.flag)
		}
	}
	return flags
}
