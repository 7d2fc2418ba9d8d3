package cluster

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// Each stage that starts or ends something has KWOK's delay.
func TestDelaysOfStages(t *testing.T) {
	t.Parallel()
	got := map[string]any{}
	for _, text := range stages() {
		var stage struct {
			Metadata struct{ Name string }
			Spec     struct{ Delay any }
		}
		if err := yaml.Unmarshal([]byte(text), &stage); err != nil {
			t.Fatal(err)
		}
		got[stage.Metadata.Name] = stage.Spec.Delay
	}
	of := func(annotation string) any {
		return map[string]any{
			"durationMilliseconds": 50.0,
			"durationFrom":         map[string]any{"expressionFrom": `.metadata.annotations["` + annotation + `"]`},
		}
	}
	want := map[string]any{
		"node-initialize": of(NodeReadyDelay), "pod-ready": of(PodReadyDelay), "pod-delete": of(PodDeleteDelay),
		"pod-complete": nil,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("delays (-want +got):\n%s", diff)
	}
}
