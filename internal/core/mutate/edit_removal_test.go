package mutate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// removal removes a value at a path.
func removal(value any, path ...string) mutate.Edit {
	return mutate.Edit{Path: path, Value: value, Remove: true}
}

// Pulumi ignores what an edit changes, so that it does not replace an object that exists.
func TestPathsToIgnore(t *testing.T) {
	t.Parallel()
	spec := map[string]any{
		"nodeSelector": map[string]any{"build": "1", "disk": "ssd"}, "affinity": map[string]any{"node": []any{"a"}},
		"terms": []any{map[string]any{"labels": []any{"build"}}, map[string]any{"own": "x"}}, "only": []any{"a"},
	}
	for _, tt := range []struct {
		name  string
		edits []mutate.Edit
		want  []string
	}{
		{"an addition", []mutate.Edit{{Path: []string{"spec", "os", "name"}, Value: "linux"}}, []string{"spec.os"}},
		{
			"a removed key",
			[]mutate.Edit{removal("1", "spec", "nodeSelector", "build")},
			[]string{"spec.nodeSelector.build"},
		},
		{"with its parents", []mutate.Edit{removal([]any{"a"}, "spec", "affinity", "node")}, []string{"spec.affinity"}},
		{
			"another value", []mutate.Edit{
				removal("1", "spec", "nodeSelector", "build"),
				{Path: []string{"spec", "nodeSelector", "build"}, Value: "2"},
			}, []string{"spec.nodeSelector.build"},
		},
		{
			"in the elements of a list",
			[]mutate.Edit{removal([]any{"build"}, "spec", "terms", tree.Each, "labels")},
			[]string{"spec.terms"},
		},
		{
			"a list", []mutate.Edit{
				removal([]any{"a"}, "spec", "only"), {Path: []string{"spec", "only"}, Value: []any{"b"}},
			}, []string{"spec.only"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			object := map[string]any{"apiVersion": "batch/v1", "kind": "Job", "spec": spec}
			if diff := cmp.Diff(tt.want, mutate.IgnoreChanges(object, tt.edits)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
