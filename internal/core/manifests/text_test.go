package manifests_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

type m = map[string]any

// added adds values to the first document of a text.
func added(text string, values m) (string, error) {
	t, err := manifests.NewText([]byte(text), "a.yaml")
	if err != nil {
		return "", err
	}
	err = t.Edit(t.Documents[0], additions(values))
	return string(t.Bytes()), err
}

// additions returns the edits that add values.
func additions(values m, path ...string) (edits []tree.Edit) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		at := append(slices.Clone(path), key)
		if below, isMap := values[key].(m); isMap {
			edits = append(edits, additions(below, at...)...)
			continue
		}
		edits = append(edits, tree.Edit{Path: at, Value: values[key]})
	}
	return edits
}

func TestAdd(t *testing.T) {
	t.Parallel()
	selector := m{"spec": m{"nodeSelector": m{"os": "linux"}}}
	list := m{"spec": m{"list": []any{m{"a": "1", "b": m{"c": "d"}}, "x y"}}}
	one := m{"spec": m{"list": []any{"x"}}}
	for _, tt := range []struct {
		name, text string
		values     m
		want       string
	}{
		{
			"below the key", "spec: # c\n  # d\n  a: b\n", selector,
			"spec: # c\n  nodeSelector:\n    os: linux\n  # d\n  a: b\n",
		},
		{
			"with the existing indentation", "spec:\n     a:\n       - b\n",
			m{"spec": m{"z": []any{"1"}, "n": m{"o": "p"}}},
			"spec:\n     \"n\":\n          o: p\n     z:\n       - \"1\"\n     a:\n       - b\n",
		},
		{
			"into an existing mapping", "spec:\n  nodeSelector:\n    a: b", selector,
			"spec:\n  nodeSelector:\n    os: linux\n    a: b",
		},
		{
			"existing values stay", "spec:\n  nodeSelector:\n    os: windows\n", selector,
			"spec:\n  nodeSelector:\n    os: windows\n",
		},
		{"a text in the way", "spec:\n  nodeSelector: x\n", selector, "spec:\n  nodeSelector: x\n"},
		{"a list in the way", "spec:\n  nodeSelector: [x]\n", selector, "spec:\n  nodeSelector: [x]\n"},
		{"a mapping in the way of a list", "spec: {list: {}}\n", list, "spec: {list: {}}\n"},
		{"no value", "spec:\n  nodeSelector: # c\n", selector, "spec:\n  nodeSelector: {os: linux} # c\n"},
		{"null", "spec:\n  nodeSelector:   null # c\n", selector, "spec:\n  nodeSelector:   {os: linux} # c\n"},
		{"null for a text", "spec: {os: ~}\n", m{"spec": m{"os": "linux"}}, "spec: {os: linux}\n"},
		{"no mapping", "spec:\n", selector, "spec: {nodeSelector: {os: linux}}\n"},
		{"braces", "spec: { a: '}' }\n", selector, "spec: {nodeSelector: {os: linux},  a: '}' }\n"},
		{"empty braces", "spec: {nodeSelector: { }}\n", selector, "spec: {nodeSelector: {os: linux }}\n"},
		{
			"braces over several lines", "spec: {\n    a: b,\n  }\n", selector,
			"spec: {\n    nodeSelector: {os: linux},\n    a: b,\n  }\n",
		},
		{
			"a list in lines", "spec:\n  list:\n  - a: 0 # first\n\n  b: c\n", list,
			"spec:\n  list:\n  - a: 0 # first\n  - a: \"1\"\n    b:\n      c: d\n  - \"x y\"\n\n  b: c\n",
		},
		{
			"a list at the end of a text without a line end", "spec:\n  list:\n    - a", list,
			"spec:\n  list:\n    - a\n    - a: \"1\"\n      b:\n        c: d\n    - \"x y\"",
		},
		{
			"a list that ends in brackets", "spec:\n  list:\n  - [a,\n     b]\n  c: d\n",
			m{"spec": m{"list": []any{"x"}}},
			"spec:\n  list:\n  - [a,\n     b]\n  - x\n  c: d\n",
		},
		{
			"above values that are empty", "a:\n  b: c\n  l: []\n  nn:\n  o: {}\n",
			m{"a": m{"k": "v", "l": []any{"x"}, "nn": m{"x": "z"}, "o": m{"x": "z"}, "p": "q"}},
			"a:\n  k: v\n  p: q\n  b: c\n  l: [x]\n  nn: {x: z}\n  o: {x: z}\n",
		},
		{
			"values of all kinds", "a:\n  l:\n  - b\n",
			m{"a": m{
				"l": []any{
					m{}, []any{}, true, int64(1), 0.5, nil, []any{[]any{"c"}}, m{"d": []any{m{"e": true}}, "f": m{}},
				},
				"t": true, "i": int64(-1), "u": []any{},
			}},
			"a:\n  i: -1\n  t: true\n  u: []\n  l:\n  - b\n  - {}\n  - []\n  - true\n  - 1\n  - 0.5\n  - null\n  - " +
				"[[c]]\n  - d:\n    - e: true\n    f: {}\n",
		},
		{
			"a list that ends in a text of several lines",
			"spec:\n  list:\n  - a: >-\n      b\n\n      c\n\n  c: d\n", one,
			"spec:\n  list:\n  - a: >-\n      b\n\n      c\n  - x\n\n  c: d\n",
		},
		{
			"a list in brackets", "spec: {list: [\"]\", ']''', it's, {a: [b]}]}\n",
			m{"spec": m{"list": []any{"x"}}},
			"spec: {list: [\"]\", ']''', it's, {a: [b]}, x]}\n",
		},
		{"a comma at its end", "spec: {list: [a, ]}\n", m{"spec": m{"list": []any{"x"}}}, "spec: {list: [a, x, ]}\n"},
		{
			"empty brackets", "spec: {list: []}\n",
			m{"spec": m{"list": []any{"x", m{"a": "b"}}}},
			"spec: {list: [x, {a: b}]}\n",
		},
		{
			"a comment in brackets", "spec:\n  list: [ # ] no\n    a]\n",
			m{"spec": m{"list": []any{"x"}}},
			"spec:\n  list: [ # ] no\n    a,\n    x]\n",
		},
		{
			"a comment behind the last comma", "spec:\n  list: [\n    a, # first\n  ]\n", one,
			"spec:\n  list: [\n    a, # first\n    x,\n  ]\n",
		},
		{
			"a comment behind the last element", "spec:\n  list: [\n    a # first\n  ]\n", one,
			"spec:\n  list: [\n    a, # first\n    x\n  ]\n",
		},
		{
			"and lines as Windows ends them", "spec:\r\n  list: [\r\n    a # first\r\n  ]\r\n", one,
			"spec:\r\n  list: [\r\n    a, # first\r\n    x\r\n  ]\r\n",
		},
		{
			"a comment before the bracket", "spec:\n  list: [\n    a\n    # more, ]\n  ]\n", one,
			"spec:\n  list: [\n    a,\n    x\n    # more, ]\n  ]\n",
		},
		{
			"a comment before the bracket, behind a comma", "spec:\n  list: [\n    a,\n    # more\n  ]\n", one,
			"spec:\n  list: [\n    a,\n    x,\n    # more\n  ]\n",
		},
		{
			"a comment in empty brackets", "spec:\n  list: [ # none yet\n  ]\n", one,
			"spec:\n  list: [x # none yet\n  ]\n",
		},
		{
			"a comment right behind a bracket", "spec:\n  list: [#none yet\n  ]\n", one,
			"spec:\n  list: [x #none yet\n  ]\n",
		},
		{
			"a comment right behind an element", "spec:\n  list: ['a'#first\n  ]\n", one,
			"spec:\n  list: ['a', x #first\n  ]\n",
		},
		{
			"what is not a comment", "spec:\n  list: [a#b, 'c #d', e:#f]\n", one,
			"spec:\n  list: [a#b, 'c #d', e:#f, x]\n",
		},
		{
			"behind an anchor", "spec: &a\n  b: &c {d: e}\n",
			m{"spec": m{"b": m{"f": "g"}}},
			"spec: &a\n  b: &c {f: g, d: e}\n",
		},
		{
			"JSON", "{\"spec\": {\n\t\"a\": \"\\\"}\"\n}}", list,
			"{\"spec\": {\n\t\"list\": [{\"a\": \"1\", \"b\": {\"c\": \"d\"}}, \"x y\"],\n\t\"a\": \"\\\"}\"\n}}",
		},
		{
			"JSON that is not YAML",
			"{\"\\ud83d\\ude00\": \"\x7f\", \"ä\": 1, \"spec\": {\"nodeSelector\" : null}}", selector,
			"{\"\\ud83d\\ude00\": \"\x7f\", \"ä\": 1, \"spec\": {\"nodeSelector\" : {\"os\": \"linux\"}}}",
		},
		{
			"JSON with null at its end", "---\n {\"spec\":\nnull\n}", selector,
			"---\n {\"spec\":\n{\"nodeSelector\": {\"os\": \"linux\"}}\n}",
		},
		{
			"JSON lists", "{\"spec\": {\"a\": [[1]], \"list\": [\n [2, \"]\"]]}}", one,
			"{\"spec\": {\"a\": [[1]], \"list\": [\n [2, \"]\"],\n \"x\"]}}",
		},
		{
			"lines as Windows ends them", "spec:\r\n  a: b\r\n", selector,
			"spec:\r\n  nodeSelector:\r\n    os: linux\r\n  a: b\r\n",
		},
		{
			"characters of several bytes", "ä: ö\nspec: {ü: 'ß', nodeSelector: {}}\n", selector,
			"ä: ö\nspec: {ü: 'ß', nodeSelector: {os: linux}}\n",
		},
		{
			"texts that need quotes", "spec:\n  a: b\n",
			m{"spec": m{"on": "y", "x": "1.5", "z": "a: b", "n": "null", "build": "10.0.20348", "e": ""}},
			"spec:\n  build: 10.0.20348\n  e: \"\"\n  \"n\": \"null\"\n  \"on\": \"y\"\n  x: \"1.5\"\n  z: \"a: " +
				"b\"\n  a: b\n",
		},
		{"a key in quotes", "\"spec\" :\n  a: b\n", selector, "\"spec\" :\n  nodeSelector:\n    os: linux\n  a: b\n"},
		{
			"a key of the object itself", "# c\na: # d\n  b: c # e\n\n# f\n",
			m{"spec": m{"os": "linux"}},
			"# c\na: # d\n  b: c # e\nspec:\n  os: linux\n\n# f\n",
		},
		{
			"a key of the object itself, without a line end", "a: b",
			m{"spec": "c"},
			"a: b\nspec: c",
		},
		{
			"an object of a list", "kind: List\napiVersion: v1\nitems:\n- spec:\n    a: b\n", selector,
			"kind: List\napiVersion: v1\nitems:\n- spec:\n    nodeSelector:\n      os: linux\n    a: b\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := added(tt.text, tt.values)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAddErrors(t *testing.T) {
	t.Parallel()
	values := m{"spec": m{"nodeSelector": m{"os": "linux"}, "list": []any{"x"}}}
	for _, tt := range []struct{ name, text, want string }{
		{
			"an alias", "a: &a {b: c}\nspec: *a\n",
			"a.yaml:2: *a stands for a value that is written elsewhere: write the value itself here, so that it can " +
				"be completed",
		},
		{
			"an anchor", "spec: &a\n  b: c\nd: *a\n",
			"a.yaml:1: *a repeats this value elsewhere: write the value itself there, so that each can be completed",
		},
		{
			"a list that is an alias", "a: &a [b]\nspec:\n  list: *a\n",
			"a.yaml:3: *a stands for a list that is written elsewhere: write the list itself here, so that it can be " +
				"completed",
		},
		{
			"a list with an anchor", "spec:\n  list: &a [b]\na: *a\n",
			"a.yaml:2: *a repeats this list elsewhere: write the list itself there, so that each can be completed",
		},
		{
			"a merge key", "a: &a\n  list: [b]\nspec:\n  <<: [*a]\n",
			"a.yaml:4: a merge key (<<) brings list: write list itself here, so that it can be completed",
		},
		{
			"items that a merge key brings", "kind: List\napiVersion: v1\n<<:\n  items:\n  - {spec: {}}\n",
			"a.yaml:5: a merge key (<<) brings the items of the list: write the items themselves here, so that " +
				"they can be completed",
		},
		{
			"items of a merge key that replace others",
			"kind: List\napiVersion: v1\nitems: [{spec: {}}]\n<<: {items: [{spec: {}}, {spec: {}}]}\n",
			"a.yaml:4: a merge key (<<) brings the items of the list: write the items themselves here, so that " +
				"they can be completed",
		},
		{
			"what is not YAML", "a: [\n",
			"a.yaml:1: did not find expected node content",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := added(tt.text, values)
			if err == nil {
				t.Fatalf("no error, want %s", tt.want)
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("the error (-want +got):\n%s", diff)
			}
			if got != "" && got != tt.text {
				t.Errorf("after an error the text is %q", got)
			}
		})
	}
}

func TestEachDocumentCanBeAddedTo(t *testing.T) {
	t.Parallel()
	const text = "# none\n---\na: b\n---\n# c\n\nd: e\n...\nnull\n---\n{\"a\": 1}\n{\"b\":\n 2} {\"c\": " +
		"3}\n---\nkind: PodList\napiVersion: v1\nitems:\n- a: b\n- kind: List\n  apiVersion: v1\n  items:\n  - c: " +
		"d\n---\ntext\n"
	parsed, err := manifests.NewText([]byte(text), "a.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var lines []int
	for _, o := range parsed.Documents {
		lines = append(lines, o.Line(""))
	}
	if diff := cmp.Diff([]int{3, 7, 11, 12, 13, 18, 22, 24}, lines); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if string(parsed.Bytes()) != text || len(parsed.Changes()) > 0 {
		t.Error("the text has changed")
	}
	for i, o := range parsed.Documents {
		if i > 1 && i < 7 {
			if err := parsed.Edit(o, additions(m{"x": m{"y": "z"}})); err != nil &&
				!strings.Contains(err.Error(), "line of its key") {
				t.Error(err)
			}
		}
	}
	const want = "{\"x\": {\"y\": \"z\"}, \"a\": 1}\n{\"x\": {\"y\": \"z\"}, \"b\":\n 2} {\"x\": {\"y\": \"z\"}, " +
		"\"c\": 3}\n"
	if got := string(parsed.Bytes()); !strings.Contains(got, want) {
		t.Errorf("the text is\n%s\nwant in it\n%s", got, want)
	}
}

// The result is in the encoding of the file, and the offsets are in UTF-8.
func TestAddToUTF16(t *testing.T) {
	t.Parallel()
	for name, encode := range map[string]func(string) string{
		"little": utf16LE, "big": utf16BE, "marked": func(s string) string { return "\uFEFF" + s },
	} {
		text, err := manifests.NewText([]byte(encode("ä:\r\n  ö: ü\r\n")), "a.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if err := text.Edit(text.Documents[0], additions(m{"ä": m{"a": "ß"}})); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(encode("ä:\r\n  a: \"ß\"\r\n  ö: ü\r\n"), string(text.Bytes())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff([]manifests.Change{{At: 5, Text: "  a: \"ß\"\r\n"}}, text.Changes()); diff != "" {
			t.Errorf("%s: the changes (-want +got):\n%s", name, diff)
		}
	}
}
