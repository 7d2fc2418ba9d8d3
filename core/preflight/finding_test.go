package preflight_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
)

// mistaken returns an object of a kind and a group with a mistake about Windows.
func mistaken(apiVersion any, kind string) map[string]any {
	object := map[string]any{"kind": kind, "spec": map[string]any{"template": map[string]any{"spec": map[string]any{
		"os": map[string]any{"name": "windows"}, "hostPID": true,
	}}}}
	if apiVersion != nil {
		object["apiVersion"] = apiVersion
	}
	return object
}

func TestOnlyGroupsOfKubernetesAreChecked(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		apiVersion any
		kind       string
		want       bool
	}{
		{"the group of Deployments", "apps/v1", "Deployment", true},
		{"the one of long ago", "extensions/v1beta1", "Deployment", true},
		{"no group", nil, "Deployment", true},
		{"one that is not known yet", preflight.Unknown{}, "Deployment", true},
		{"the core group for a workload of apps", "v1", "Deployment", false},
		{"another group", "shop.example/v1", "Deployment", false},
		{"Volcano's Job", "batch.volcano.sh/v1alpha1", "Job", false},
		{"a Job", "batch/v1", "Job", true},
		{"the long ago of other groups", "extensions/v1beta1", "Job", false},
		{"a ReplicationController", "v1", "ReplicationController", true},
		{"another kind", "apps/v1", "Rollout", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			found := preflight.Check(mistaken(tt.apiVersion, tt.kind), preflight.Options{})
			got := slices.ContainsFunc(found, func(f preflight.Finding) bool { return f.Rule == "MK111" })
			if got != tt.want {
				t.Errorf("%s %s: found is %t, want %t (%v)", tt.apiVersion, tt.kind, got, tt.want, found)
			}
		})
	}
}

func TestPartsOfSecretObjectsAreNotShown(t *testing.T) {
	t.Parallel()
	pod := map[string]any{"kind": "Pod", "spec": preflight.Secret{Value: map[string]any{
		"os": map[string]any{"name": "hunter2"},
		"containers": []any{map[string]any{
			"image":           "hunter2/web:ltsc2022",
			"securityContext": map[string]any{"windowsOptions": map[string]any{"runAsUserName": `hunter2\a\b`}},
		}},
	}}}
	var text strings.Builder
	for _, f := range preflight.Check(pod, preflight.Options{}) {
		fmt.Fprintln(&text, f, f.Value)
	}
	for _, rule := range []string{"MK102", "MK145"} {
		if !strings.Contains(text.String(), rule) {
			t.Errorf("%s is silent", rule)
		}
	}
	if strings.Contains(text.String(), "hunter2") {
		t.Errorf("shown:\n%s", text.String())
	}
}
