package mutate_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/mutate"
)

func TestEditsAddAndReplaceNothing(t *testing.T) {
	t.Parallel()
	set := mutate.Edit{Path: []string{"spec", "os"}, Value: "linux"}
	more := mutate.Edit{Path: []string{"spec", "list"}, Value: []any{"b"}}
	tests := []struct {
		name     string
		in, want map[string]any
	}{
		{"into nothing", nil, map[string]any{"spec": map[string]any{"os": "linux", "list": []any{"b"}}}},
		{
			"in addition to existing values",
			map[string]any{"spec": map[string]any{"a": "b", "list": []any{"a"}}},
			map[string]any{"spec": map[string]any{"a": "b", "os": "linux", "list": []any{"a", "b"}}},
		},
		{
			"an existing value of any type stays",
			map[string]any{"spec": map[string]any{"os": "windows", "list": map[string]any{"x": "y"}}},
			map[string]any{"spec": map[string]any{"os": "windows", "list": map[string]any{"x": "y"}}},
		},
		{"a list on the path", map[string]any{"spec": []any{}}, map[string]any{"spec": []any{}}},
		{"a text on the path", map[string]any{"spec": "x"}, map[string]any{"spec": "x"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			before := fmt.Sprint(tt.in)
			if diff := cmp.Diff(tt.want, mutate.Apply(tt.in, []mutate.Edit{set, more})); diff != "" {
				t.Errorf("the object (-want +got):\n%s", diff)
			}
			if after := fmt.Sprint(tt.in); after != before {
				t.Errorf("the original object is now %s, was %s", after, before)
			}
		})
	}
}
