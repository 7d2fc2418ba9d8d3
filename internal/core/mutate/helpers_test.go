package mutate_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

type options struct {
	Topology                    topology.Topology
	AssumeLinux, RuntimeClasses bool
	Classes                     []map[string]any
}

// adopter decides about objects of manifests; the caller may pass their platform.
func adopter(o options) func(object map[string]any, answer platform.Platform) mutate.Decision {
	context := pods.NewContext(o.Topology.WithDefaults(), platform.Strict, nil)
	policy := mutate.Policy{AssumeLinux: o.AssumeLinux, RuntimeClasses: o.RuntimeClasses, Classes: o.Classes}
	return func(object map[string]any, answer platform.Platform) mutate.Decision {
		return mutate.Decide(pods.ReadObject(object), context.WithPlatform("", answer), policy)
	}
}

// editTexts returns edits as texts, with their paths.
func editTexts(edits []mutate.Edit) []string {
	var texts []string
	for _, e := range edits {
		texts = append(texts, fmt.Sprintf("%v: %v", e.Path, e.Value))
	}
	return texts
}
