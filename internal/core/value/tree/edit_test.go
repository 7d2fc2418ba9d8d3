package tree_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

type (
	m = map[string]any
	l = []any
)

func TestEdits(t *testing.T) {
	t.Parallel()
	at := func(path ...string) []string { return path }
	unknown, sealed := tree.Unknown{}, func(v any) any { return tree.Secret{Value: v} }
	for _, tt := range []struct {
		name     string
		in, want m
		edits    []tree.Edit
	}{
		{
			"a key",
			m{"a": m{"b": "c", "d": "e"}},
			m{"a": m{"d": "e"}},
			[]tree.Edit{{Path: at("a", "b"), Value: "c", Remove: true}},
		},
		{
			"another value stays",
			m{"a": m{"b": "c"}},
			m{"a": m{"b": "c"}},
			[]tree.Edit{{Path: at("a", "b"), Value: "d", Remove: true}},
		},
		{
			"nil is any value",
			m{"a": m{"b": l{"c"}, "d": unknown, "e": "f"}},
			m{"a": m{"e": "f"}},
			[]tree.Edit{{Path: at("a", "b"), Remove: true}, {Path: at("a", "d"), Remove: true}},
		},
		{
			"parents that are empty then go, and others stay",
			m{"a": m{"b": m{"c": m{"d": "e"}}, "x": m{}}},
			m{"a": m{"x": m{}}},
			[]tree.Edit{{Path: at("a", "b", "c", "d"), Remove: true}},
		},
		{
			"but never the object",
			m{"a": m{"b": "c"}},
			m{},
			[]tree.Edit{{Path: at("a", "b"), Remove: true}},
		},
		{
			"elements, each of them",
			m{"a": l{"b", "c", "b"}, "d": l{"b"}},
			m{"a": l{"c"}},
			[]tree.Edit{
				{Path: at("a"), Value: l{"b", "x"}, Remove: true}, {Path: at("d"), Value: l{"b"}, Remove: true},
			},
		},
		{
			"an empty list or map stays if nothing is removed",
			m{"a": l{}, "b": m{}, "c": nil},
			m{"a": l{}, "b": m{}, "c": nil},
			[]tree.Edit{
				{Path: at("a"), Value: l{"b"}, Remove: true},
				{Path: at("b", "c"), Remove: true},
				{Path: at("c"), Remove: true},
				{Path: at("a", tree.Each, "b"), Remove: true},
			},
		},
		{
			"in each element",
			m{"a": l{m{"b": l{"c"}}, m{"b": l{"c", "d"}}, m{"e": "f"}, "g", nil}},
			m{"a": l{m{"b": l{"d"}}, m{"e": "f"}, "g", nil}},
			[]tree.Edit{{Path: at("a", tree.Each, "b"), Value: l{"c"}, Remove: true}},
		},
		{
			"the last element",
			m{"x": m{"a": l{m{"b": "c"}}}, "y": "z"},
			m{"y": "z"},
			[]tree.Edit{{Path: at("x", "a", tree.Each, "b"), Value: "c", Remove: true}},
		},
		{
			"below values of other types",
			m{"a": "b", "c": l{"d"}, "e": unknown, "*": m{"*": "f"}},
			m{"a": "b", "c": l{"d"}, "e": unknown, "*": m{"*": "f"}},
			[]tree.Edit{
				{Path: at("a", "b"), Remove: true},
				{Path: at("c", "d"), Remove: true},
				{Path: at("e", "f"), Remove: true},
				{Path: at(tree.Each), Remove: true},
				{Path: at("e"), Value: "f", Remove: true},
			},
		},
		{
			"a secret is the value that it holds, and an unknown value stays",
			m{"a": sealed("b"), "c": l{m{"d": sealed("e")}, m{"d": unknown}}},
			m{"c": l{m{"d": unknown}}},
			[]tree.Edit{
				{Path: at("a"), Value: "b", Remove: true}, {Path: at("c"), Value: l{m{"d": "e"}}, Remove: true},
			},
		},
		{
			"a value instead of another one",
			m{"a": m{"b": "c"}},
			m{"a": m{"b": "d"}},
			[]tree.Edit{{Path: at("a", "b"), Value: "c", Remove: true}, {Path: at("a", "b"), Value: "d"}},
		},
		{
			"additions to each element",
			m{"a": l{m{"b": l{"c"}}, m{}, "d"}, "e": m{}},
			m{"a": l{m{"b": l{"c", "x"}}, m{"b": l{"x"}}, "d"}, "e": m{}},
			[]tree.Edit{
				{Path: at("a", tree.Each, "b"), Value: l{"c", "x"}[1:]},
				{Path: at("f", "g", tree.Each), Value: "h"},
				{Path: at("e", tree.Each), Value: "h"},
			},
		},
		{
			"a secret element is not added again",
			m{"a": l{sealed("b")}},
			m{"a": l{sealed("b")}},
			[]tree.Edit{{Path: at("a"), Value: l{"b"}}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			before := fmt.Sprintf("%#v", tt.in)
			if diff := cmp.Diff(tt.want, tree.Edited(tt.in, tt.edits)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if after := fmt.Sprintf("%#v", tt.in); after != before {
				t.Errorf("the object is now %s, was %s", after, before)
			}
		})
	}
}

func TestEqualValues(t *testing.T) {
	t.Parallel()
	values := l{
		nil, "a", true, int64(1), 1.5,
		m{},
		m{"a": "b"},
		m{"a": "c"},
		m{"b": "b"},
		m{"a": nil},
		l{},
		l{"a"},
		l{"a", "b"},
	}
	for i, a := range values {
		for j, b := range values {
			if tree.Equal(a, b) != (i == j) || tree.Equal(tree.Secret{Value: a}, b) != (i == j) ||
				tree.MayEqual(a, l{b}[0]) != (i == j) {
				t.Errorf("%#v and %#v are equal: %t", a, b, i != j)
			}
		}
		unknown := m{"a": l{"b", tree.Unknown{}}, "c": tree.Unknown{}}
		if tree.Equal(m{"a": l{"b", a}}, unknown) || !tree.MayEqual(m{"a": l{"b", a}}, unknown) ||
			tree.MayEqual(m{"a": l{"c", a}}, unknown) {
			t.Errorf("%#v and a value that is not known", a)
		}
	}
}
