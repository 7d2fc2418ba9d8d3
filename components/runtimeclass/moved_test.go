package runtimeclass

import (
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
)

func TestAClassThatSelectsOtherNodesIsReported(t *testing.T) {
	t.Parallel()
	class := func(selector map[string]any) resource.PropertyMap {
		return resource.NewPropertyMapFromMap(map[string]any{
			"metadata":   map[string]any{"name": "windows-2022"},
			"scheduling": map[string]any{"nodeSelector": selector},
		})
	}
	build := map[string]any{"kubernetes.io/os": "windows", "node.kubernetes.io/windows-build": "10.0.20348"}
	system := map[string]any{"kubernetes.io/os": "windows"}
	for name, tt := range map[string]struct {
		before, after resource.PropertyMap
		want          string
	}{
		"the same nodes": {class(build), class(build), ""},
		"fewer labels": {
			class(build), class(system),
			"the RuntimeClass windows-2022 will select kubernetes.io/os=windows, no longer " +
				"kubernetes.io/os=windows,node.kubernetes.io/windows-build=10.0.20348: existing pods keep what " +
				"admission gave them. Restart those that must move, for example with `kubectl rollout restart`; " +
				"create Pods and Jobs again",
		},
		"from all nodes": {
			resource.PropertyMap{},
			class(system),
			"the RuntimeClass windows-2022 will select kubernetes.io/os=windows, no longer all nodes: existing pods " +
				"keep what admission gave them. Restart those that must move, for example with `kubectl rollout " +
				"restart`; create Pods and Jobs again",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := moved(tt.before, tt.after); got != tt.want {
				t.Errorf("moved() = %q, want %q", got, tt.want)
			}
		})
	}
}
