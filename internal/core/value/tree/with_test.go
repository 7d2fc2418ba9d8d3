package tree_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

func TestWith(t *testing.T) {
	t.Parallel()
	type m = map[string]any
	for _, tt := range []struct {
		name, path string
		in, want   any
	}{
		{"a value", "", "a", "x"},
		{"a key", "a", m{"a": "b", "c": "d"}, m{"a": "x", "c": "d"}},
		{"a missing key", "a b", m{"c": "d"}, m{"a": m{"b": "x"}, "c": "d"}},
		{"nothing", "a b", nil, m{"a": m{"b": "x"}}},
		{"an unknown value", "a b", m{"a": tree.Unknown{}}, m{"a": m{"b": "x"}}},
		{"an element", "a 1 b", m{"a": []any{m{"b": "1"}, m{"b": "2"}}}, m{"a": []any{m{"b": "1"}, m{"b": "x"}}}},
		{"past the end of a list", "a 2", m{"a": []any{"1", "2"}}, m{"a": []any{"1", "2"}}},
		{"a key of a list", "a b", m{"a": []any{"1"}}, m{"a": []any{"1"}}},
		{"a text in the way", "a b", m{"a": "1"}, m{"a": "1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			before := tree.Normalize(tt.in)
			if diff := cmp.Diff(tt.want, tree.With(tt.in, strings.Fields(tt.path), "x")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, tt.in); diff != "" {
				t.Errorf("the original tree has changed (-before +after):\n%s", diff)
			}
		})
	}
}
