package mutate_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/mutate"
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
			"beside what is there",
			map[string]any{"spec": map[string]any{"a": "b", "list": []any{"a"}}},
			map[string]any{"spec": map[string]any{"a": "b", "os": "linux", "list": []any{"a", "b"}}},
		},
		{
			"what is there stays, of whatever type",
			map[string]any{"spec": map[string]any{"os": "windows", "list": map[string]any{"x": "y"}}},
			map[string]any{"spec": map[string]any{"os": "windows", "list": map[string]any{"x": "y"}}},
		},
		{"a list in the way", map[string]any{"spec": []any{}}, map[string]any{"spec": []any{}}},
		{"a text in the way", map[string]any{"spec": "x"}, map[string]any{"spec": "x"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			before := fmt.Sprint(tt.in)
			if diff := cmp.Diff(tt.want, mutate.Apply(tt.in, []mutate.Edit{set, more})); diff != "" {
				t.Errorf("the object (-want +got):\n%s", diff)
			}
			if after := fmt.Sprint(tt.in); after != before {
				t.Errorf("the object itself has become %s, from %s", after, before)
			}
		})
	}
}
