package manifests_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// The documentation of YAMLToJSONDecoder says how kubectl reads such keys: the last one counts.
func TestDuplicateKeysOfObjects(t *testing.T) {
	t.Parallel()
	type (
		duplicates = []manifests.Duplicate
		object     = map[string]any
	)
	for _, tt := range []struct {
		name, in string
		value    any
		want     duplicates
	}{
		{"none", "a: b\nc: d\n", object{"a": "b", "c": "d"}, nil},
		{"another value", "a: b\na: c\n", object{"a": "c"}, duplicates{{Path: "a", Line: 2, Earlier: 1}}},
		{
			"the same value", "a: {b: [c]}\na:\n  b:\n  - c\n",
			object{"a": object{"b": []any{"c"}}},
			duplicates{{Path: "a", Line: 2, Earlier: 1, Same: true}},
		},
		{
			"three times", "a: 1\na: 2\na: 1\n",
			object{"a": int64(1)},
			duplicates{{Path: "a", Line: 2, Earlier: 1}, {Path: "a", Line: 3, Earlier: 2}},
		},
		{
			"mappings are not joined", "a: {b: 1}\na: {c: 2}\n",
			object{"a": object{"c": int64(2)}},
			duplicates{{Path: "a", Line: 2, Earlier: 1}},
		},
		{
			"in lists and under keys with periods", "x:\n- w\n- k8s.io/z: {b: 1, b: 2}\n",
			object{"x": []any{"w", object{"k8s.io/z": object{"b": int64(2)}}}},
			duplicates{{Path: "x[1][k8s.io/z].b", Line: 3, Earlier: 3}},
		},
		{
			"a label", "labels: {k8s.io/os: a, k8s.io/os: b}\n",
			object{"labels": object{"k8s.io/os": "b"}},
			duplicates{{Path: "labels[k8s.io/os]", Line: 1, Earlier: 1}},
		},
		{
			"a merge key overrides silently", "a: 1\n<<: {a: 2}\n", object{"a": int64(2)}, nil,
		},
		{
			"what aliases repeat is noted once", "a: &x {b: 1, b: 2}\nc: *x\nd: {<<: *x}\n",
			object{"a": object{"b": int64(2)}, "c": object{"b": int64(2)}, "d": object{"b": int64(2)}},
			duplicates{{Path: "a.b", Line: 1, Earlier: 1}},
		},
		{
			"JSON", "{\"a\": 1,\n\"b\": [{\"c\": 1, \"c\": 2}],\n\"a\": 1}",
			object{"a": int64(1), "b": []any{object{"c": int64(2)}}},
			duplicates{
				{Path: "b[0].c", Line: 2, Earlier: 2}, {Path: "a", Line: 3, Earlier: 1, Same: true},
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			docs, err := manifests.ReadObjects(strings.NewReader(tt.in), "web.yaml")
			if err != nil || len(docs) != 1 {
				t.Fatalf("%d documents, %v", len(docs), err)
			}
			if diff := cmp.Diff(tt.value, docs[0].Value); diff != "" {
				t.Errorf("value (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, docs[0].Duplicates); diff != "" {
				t.Errorf("duplicates (-want +got):\n%s", diff)
			}
			for _, d := range docs[0].Duplicates {
				if !strings.Contains(tt.name, "three") && d.Line != docs[0].Line(d.Path) {
					t.Errorf("the value of %s is in line %d, the key in %d", d.Path, docs[0].Line(d.Path), d.Line)
				}
			}
		})
	}
}

// Each object has its own duplicates. The ones of the list itself do not belong to an object.
func TestDuplicateKeysOfLists(t *testing.T) {
	t.Parallel()
	docs, err := manifests.ReadObjects(strings.NewReader(`apiVersion: v1
kind: List
kind: List
items:
- {kind: Pod, apiVersion: v1}
- kind: Pod
  apiVersion: v1
  metadata: {name: a, name: b}
- kind: Pod
  apiVersion: v1
  kind: Pod
`), "web.yaml")
	if want := "web.yaml:3: duplicate key in a List: line 2 has it already"; err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	var got []manifests.Duplicate
	for _, d := range docs {
		got = append(got, d.Duplicates...)
	}
	if diff := cmp.Diff([]manifests.Duplicate{
		{Path: "metadata.name", Line: 8, Earlier: 8}, {Path: "kind", Line: 11, Earlier: 9, Same: true},
	}, got); diff != "" || len(docs) != 3 {
		t.Errorf("%d objects, duplicates (-want +got):\n%s", len(docs), diff)
	}
}
