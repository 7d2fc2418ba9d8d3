package collection

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// KnativeFlag is a key of Knative's ConfigMap that enables a field of pods.
type KnativeFlag struct{ Field, Key string }

var knativeFlags = [...]KnativeFlag{
	{"nodeSelector", "kubernetes.podspec-nodeselector"},
	{"tolerations", "kubernetes.podspec-tolerations"},
	{"affinity", "kubernetes.podspec-affinity"},
	{"runtimeClassName", "kubernetes.podspec-runtimeclassname"},
}

// knativeFeatures returns the flags that an object enables, or may enable, if it is the ConfigMap with the flags.
func knativeFeatures(object map[string]any) (flags []string) {
	if subject.IsConfigMap(object, "knative-serving", "config-features") == platform.No {
		return nil
	}
	for _, f := range knativeFlags {
		value := tree.At(object["data"], f.Key)
		if text, _ := tree.Text(value); text == "enabled" || text == "allowed" || tree.IsUnknown(value) {
			flags = append(flags, f.Key)
		}
	}
	return flags
}

// ofKnative reports whether Knative creates the pods.
func ofKnative(p *pods.Pods) bool {
	return p.Kind == pods.KnativeService || p.Kind == pods.KnativeConfiguration
}

// MissingFlags returns the flags for fields of Knative's pods that no ConfigMap among the objects enables.
func (p *Pods) MissingFlags() (missing []KnativeFlag) {
	for _, f := range knativeFlags {
		if pods.IsSet(p.Spec, f.Field) && !p.others.knativeFeatures[f.Key] {
			missing = append(missing, f)
		}
	}
	return missing
}
