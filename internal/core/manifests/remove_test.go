package manifests_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// edited makes edits in the first document of a text.
func edited(text string, edits ...tree.Edit) (string, error) {
	t, err := manifests.NewText([]byte(text), "a.yaml")
	if err != nil {
		return "", err
	}
	err = t.Edit(t.Documents[0], edits)
	return string(t.Bytes()), err
}

// without removes values at a path with dots; nil is any value.
func without(path string, value any) tree.Edit {
	return tree.Edit{Path: strings.Split(path, "."), Value: value, Remove: true}
}

// with adds a value.
func with(path string, value any) tree.Edit {
	return tree.Edit{Path: strings.Split(path, "."), Value: value}
}

// checkEdits compares the edited text, with each line end, and its value with the edited value.
func checkEdits(t *testing.T, text, want string, edits ...tree.Edit) {
	t.Helper()
	for _, end := range []string{"\n", "\r\n"} {
		text, want := strings.ReplaceAll(text, "\n", end), strings.ReplaceAll(want, "\n", end)
		got, err := edited(text, edits...)
		if err != nil {
			t.Fatalf("line ends %q: %v", end, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("line ends %q (-want +got):\n%s", end, diff)
		}
		before := mustRead(t, text)[0].Value.(m)
		if diff := cmp.Diff(tree.Edited(before, edits), mustRead(t, got)[0].Value); diff != "" {
			t.Errorf("line ends %q: the value (-want +got):\n%s", end, diff)
		}
	}
}

func TestRemove(t *testing.T) {
	t.Parallel()
	b := without("a.b", nil)
	x := without("a.l", []any{"x"})
	for _, tt := range []struct {
		name, text, want string
		edits            []tree.Edit
	}{
		{
			"a line, with the comment at its end", "a:\n  # above\n  b: c # of it\n  # below\n  d: e # stays\n",
			"a:\n  # above\n  # below\n  d: e # stays\n",
			[]tree.Edit{b},
		},
		{"the last line", "a:\n  d: e\n  b: c", "a:\n  d: e", []tree.Edit{b}},
		{
			"the last lines", "a:\n  d: e\n  b:\n    c: 1\n\n    f: 2",
			"a:\n  d: e",
			[]tree.Edit{b},
		},
		{"another value", "a:\n  b: c\n", "a:\n  b: c\n", []tree.Edit{without("a.b", "d")}},
		{
			"a mapping, with the comments in it",
			"a:\n  b: # 1\n    c: d # 2\n    # 3\n\n    e: |\n      # f\n\n      g\n\n  # 4\n  h: i\n",
			"a:\n  # 3\n\n  # 4\n  h: i\n",
			[]tree.Edit{b},
		},
		{
			"parents that are empty then", "z: y\na: # 1\n  # 2\n  b: # 3\n    c: d\n# 4\nx: y\n",
			"z: y\n# 2\n# 4\nx: y\n",
			[]tree.Edit{without("a.b.c", "d")},
		},
		{
			"texts of several lines",
			"a:\n  k: 'l\n    # m\n\n    n'\n  b: \"c\n    # d\n    e\"\n  f: g\n    h\n  i: j\n",
			"a:\n  k: 'l\n    # m\n\n    n'\n  i: j\n",
			[]tree.Edit{b, without("a.f", "g h")},
		},
		{
			"blocks",
			"a:\n  b: >2- # c\n      d\n     # e\n\n    f\n\n   # g\n  h: |+\n    i\n\n  j: |\n\n    k\n" +
				"  l: |\n  m: n\n",
			"a:\n\n   # g\n  h: |+\n    i\n\n  m: n\n",
			[]tree.Edit{b, without("a.j", nil), without("a.l", nil)},
		},
		{
			"comments after a block",
			"a:\n  l:\n  - c: |\n      d\n  - x\n         # 1\n  - x\n\n         # 2\n  - y\n         # 3\n",
			"a:\n  l:\n  - c: |\n      d\n  # 1\n\n  # 2\n  - y\n         # 3\n",
			[]tree.Edit{x},
		},
		{
			"comments after other values", "a:\n  c: d\n  b: |\n   d\n       # 1\n  # 2\n      # 3\n",
			"a:\n  c: d\n  # 2\n      # 3\n",
			[]tree.Edit{b},
		},
		{
			"no values", "a:\n  c:\n  b: {}\n  d: [] # e\n  f: g\n", "a:\n  c:\n  f: g\n",
			[]tree.Edit{b, without("a.d", nil), without("a.c", nil)},
		},
		{
			"keys and values with names", "a:\n  &k \"b\" : &v !!str c\n  d: &w\n    e: f\n  g: &x !!null\n  h: i\n",
			"a:\n  g: &x !!null\n  h: i\n",
			[]tree.Edit{b, without("a.d.e", "f"), without("a.g", nil)},
		},
		{
			"the first key of an element", "a:\n- b: c # d\n  e: f\n",
			"a:\n- e: f\n",
			[]tree.Edit{without("a.*.b", "c")},
		},
		{
			"the first keys of an element, with comments",
			"a:\n-   b: c # d\n    # e\n    g: |\n      # h\n    e: f # i\n",
			"a:\n-\n    # e\n    e: f # i\n",
			[]tree.Edit{without("a.*.b", "c"), without("a.*.g", nil)},
		},
		{
			"comments in the first key of an element", "a:\n- b:\n    # 1\n    c: d # 2\n  e: f\n",
			"a:\n-\n    # 1\n  e: f\n",
			[]tree.Edit{without("a.*.b", nil)},
		},
		{
			"the first keys of an element, with texts",
			"a:\n-   b: c # d\n    g:\n     'h\n\n     i'\n    e: f # i\n",
			"a:\n-   e: f # i\n",
			[]tree.Edit{without("a.*.b", "c"), without("a.*.g", nil)},
		},
		{
			"elements",
			"a:\n  l:\n  # 1\n  - x # 2\n  # 3\n  - b: c\n\n  -\n    x\n  - # 4\n    x\n  - y # 5\nz: 1\n",
			"a:\n  l:\n  # 1\n  # 3\n  - b: c\n\n  - y # 5\nz: 1\n",
			[]tree.Edit{x},
		},
		{
			"elements after names and comments",
			"a:\n  l: &l # 0\n    # 1\n    - x\n    - &y y\n    - &x x\n    - &n\n",
			"a:\n  l: &l # 0\n    # 1\n    - &y y\n    - &n\n",
			[]tree.Edit{x},
		},
		{
			"a list, with its key", "a:\n  l: # 1\n  - x\n  # 2\n  - x\n  b: c\n", "a:\n  # 2\n  b: c\n",
			[]tree.Edit{x},
		},
		{
			"lists in lists", "a:\n- - x\n  - y\n- - y\n  - - z\n", "a:\n- - y\n- - y\n",
			[]tree.Edit{without("a.*", []any{"x", []any{"z"}})},
		},
		{
			"an element that is empty then", "a:\n- b: c\n- d:\n  - x\n  - b: c\n- d: [x]\n- e: f\n",
			"a:\n- d:\n  - b: c\n- e: f\n",
			[]tree.Edit{without("a.*.b", "c"), without("a.*.d", []any{"x"})},
		},
		{"the first entry in braces", "a: {b: c, d: e}\n", "a: {d: e}\n", []tree.Edit{b}},
		{"the last entry in braces", "a: { d: e, b: c }\n", "a: { d: e }\n", []tree.Edit{b}},
		{"a comma at the end", "a: {d: e, b: c, }\n", "a: {d: e, }\n", []tree.Edit{b}},
		{
			"entries in the middle", "a: {d: e,  b: {x: '}'},f: &n \"g, \", h: i}\n", "a: {d: e, h: i}\n",
			[]tree.Edit{b, without("a.f", "g, ")},
		},
		{"all but the last", "a: {b: c,d: ,f: g}\n", "a: {d: ,f: g}\n", []tree.Edit{b}},
		{"braces", "z: {a: {b: c}, x: y}\n", "z: {x: y}\n", []tree.Edit{without("z.a.b", "c")}},
		{
			"braces over several lines", "a: {\n    # 1\n    b: c, # 2\n    # 3\n    d: e, # 4\n    f: g # 5\n  }\n",
			"a: {\n    # 1\n    # 3\n    d: e # 4\n  }\n",
			[]tree.Edit{b, without("a.f", "g")},
		},
		{
			"braces over several lines, with a comma at the end",
			"a: {\n  d: e,\n  b: {\n    # 1\n    c: d, # 2\n  },\n}\n",
			"a: {\n  d: e,\n    # 1\n}\n",
			[]tree.Edit{b},
		},
		{
			"several in a line", "a: {b: c, # 1\n  d: e, f: g,\n  h: i, j: k}\n",
			"a: { # 1\n  d: e, j: k}\n",
			[]tree.Edit{b, without("a.f", "g"), without("a.h", "i")},
		},
		{
			"comments between the last ones", "a: {d: e, # 1\n  # 2\n  b: c}\n", "a: {d: e # 1\n  # 2\n  }\n",
			[]tree.Edit{b},
		},
		{
			"comments between those that are removed",
			"a: {d: e, b: c, # 1\n  # 2\n  f: g }\n", "a: {d: e\n  # 2\n }\n",
			[]tree.Edit{b, without("a.f", "g")},
		},
		{
			"a line break before the last one", "a: {d: e,\n  b: c}\n", "a: {d: e}\n",
			[]tree.Edit{b},
		},
		{
			"a comma in a line of its own", "a: {\n  b: c\n  , d: e\n  , f: g\n  }\n",
			"a: {\n  d: e\n  }\n",
			[]tree.Edit{b, without("a.f", "g")},
		},
		{
			"elements in brackets", "a: {l: [x, 'y, x',x, \"x\", {b: [x]}, x]}\n",
			"a: {l: ['y, x', {b: [x]}]}\n",
			[]tree.Edit{x},
		},
		{
			"elements in brackets over several lines", "a:\n  l: [\n    y, # 1\n    x, # 2\n    # 3\n    x\n  ]\n",
			"a:\n  l: [\n    y # 1\n    # 3\n  ]\n",
			[]tree.Edit{x},
		},
		{"pairs in brackets", "a: [b: c, d: e]\n", "a: [d: e]\n", []tree.Edit{without("a", []any{m{"b": "c"}})}},
		{
			"JSON", "{\"a\": {\n\t\"d\": \"\\\"}\",\n\t\"b\" : {\"c\": [1, null]}\n}, \"l\" : [1, \"x\"]}",
			"{\"a\": {\n\t\"d\": \"\\\"}\"\n}, \"l\" : [\"x\"]}",
			[]tree.Edit{b, without("l", []any{int64(1)})},
		},
		{
			"JSON in a line", "{\"a\":{\"b\":{\"c\":\"d\"}},\"e\":{\"f\":1,\"g\":[]}}", "{\"e\":{\"g\":[]}}",
			[]tree.Edit{without("a.b.c", "d"), without("e.f", int64(1))},
		},
		{
			"an object of a list", "kind: List\napiVersion: v1\nitems:\n- a:\n    b: c\n  d: e\n- {x: 1}\n",
			"kind: List\napiVersion: v1\nitems:\n- d: e\n- {x: 1}\n",
			[]tree.Edit{b},
		},
		{
			"an alias is not what it stands for", "z: &z c\na:\n  d: e\n  b: *z\n", "z: &z c\na:\n  d: e\n",
			[]tree.Edit{b},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if strings.HasPrefix(tt.text, "kind: List") {
				got, err := edited(tt.text, tt.edits...)
				if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
					t.Errorf("%v (-want +got):\n%s", err, diff)
				}
				return
			}
			checkEdits(t, tt.text, tt.want, tt.edits...)
		})
	}
}

func TestReplace(t *testing.T) {
	t.Parallel()
	b := []tree.Edit{without("a.b", nil), with("a.b", "10.1")}
	for _, tt := range []struct {
		name, text, want string
		edits            []tree.Edit
	}{
		{"a text that needs quotes", "a:\n  b: c # d\n", "a:\n  b: \"10.1\"\n", b},
		{"a number with a text", "a: {b: 1, c: 2}\n", "a: {b: \"10.1\", c: 2}\n", b},
		{"JSON", "{\"a\": {\"b\" : \"}\", \"c\": 1}}", "{\"a\": {\"b\": \"10.1\", \"c\": 1}}", b},
		{"the same text", "a:\n  b: \"c\" # d\n", "a:\n  b: \"c\" # d\n", []tree.Edit{b[0], with("a.b", "c")}},
		{"a mapping with a text", "a:\n  c: d\n  b: {x: y}\n", "a:\n  b: \"10.1\"\n  c: d\n", b},
		{
			"a text with a list", "a: {c: d, b: x}\n",
			"a: {b: [e], c: d}\n",
			[]tree.Edit{b[0], with("a.b", []any{"e"})},
		},
		{"a tagged text", "a:\n  c: d\n  b: !!str 1\n", "a:\n  b: \"10.1\"\n  c: d\n", b},
		{
			"the only key",
			"x:\n  a: # 1\n    # 2\n    b: c # 3\n  d: e\n", "x:\n  a: # 1\n    e: f\n    # 2\n  d: e\n",
			[]tree.Edit{without("x.a.b", "c"), with("x.a.e", "f")},
		},
		{
			"the only key, at the end", "x:\n  a:\n    b: c",
			"x:\n  a:\n    e: f",
			[]tree.Edit{without("x.a.b", "c"), with("x.a.e", "f")},
		},
		{
			"the only key in braces", "x: {a: { b: c }}\n",
			"x: {a: { e: f }}\n",
			[]tree.Edit{without("x.a.b", "c"), with("x.a.e", "f")},
		},
		{
			"the only key in braces, in a line",
			"a: {\n  # 1\n  b: { # 2\n    c: d }, # 3\n}\n", "a: {\n  # 1\n  e: f,\n}\n",
			[]tree.Edit{b[0], with("a.e", "f")},
		},
		{
			"all elements", "a:\n  # 1\n  - b\n  # 2\n  - c # 3\n", "a:\n  # 1\n  # 2\n  - d\n",
			[]tree.Edit{without("a", []any{"b", "c"}), with("a", []any{"d"})},
		},
		{
			"the last element, at the end", "a:\n- b\n- c",
			"a:\n- b\n- d",
			[]tree.Edit{without("a", []any{"c"}), with("a", []any{"d"})},
		},
		{
			"the last elements in brackets", "a: [b, c, d]\n", "a: [b, e, f]\n",
			[]tree.Edit{without("a", []any{"c", "d"}), with("a", []any{"e", "f"})},
		},
		{
			"the last elements in lines in brackets", "a: [\n  b, # 1\n  c, # 2\n  # 3\n  d # 4\n  ]\n",
			"a: [\n  b, # 1\n  e,\n  f\n  # 3\n  ]\n",
			[]tree.Edit{without("a", []any{"c", "d"}), with("a", []any{"e", "f"})},
		},
		{
			"another element in brackets", "a: [b, c, ]\n", "a: [c, d, ]\n",
			[]tree.Edit{without("a", []any{"b"}), with("a", []any{"d"})},
		},
		{
			"the keys of elements", "a:\n- b: c # 1\n- d: e\n  b: c\n- b: c # 2\n  # 3\n  f: g\n",
			"a:\n- x:\n  - \"y\"\n- d: e\n  x:\n  - \"y\"\n-\n  # 3\n  f: g\n  x:\n  - \"y\"\n",
			[]tree.Edit{with("a.*.x", []any{"y"}), without("a.*.b", "c")},
		},
		{
			"all keys of an element",
			"a:\n- b: |\n    x\n  c: y\n      # 1\n- d: e\n", "a:\n- z: w\n      # 1\n- d: e\n  z: w\n",
			[]tree.Edit{with("a.*.z", "w"), without("a.*.b", nil), without("a.*.c", nil)},
		},
		{
			"a key with comments in it",
			"a: {\n  b: {\n    # 1\n    c: d\n  }, # 2\n}\n", "a: {\n  e: f\n    # 1\n,\n}\n",
			[]tree.Edit{b[0], with("a.e", "f")},
		},
		{
			"a mapping of other keys", "x:\n  y: z\n  a: # 1\n    b: c\n", "x:\n  y: z\n  a: # 1\n    e: f\n",
			[]tree.Edit{without("x.a.b", "c"), with("x.a", m{"e": "f"})},
		},
		{
			"removed and added again", "a:\n  l:\n  - x # 1\n  - y\n", "a:\n  l:\n  - y\n  - x\n",
			[]tree.Edit{without("a.l", []any{"x"}), with("a.l", []any{"x"})},
		},
		{
			"added and removed", "a:\n  b: c\nd:\n", "a:\n  b: c\nd:\n",
			[]tree.Edit{with("a.x.y", "z"), without("a.x.y", "z")},
		},
		{
			"null, added and removed", "a:\n  b: c\nd:\n",
			"a:\n  b: c\n",
			[]tree.Edit{with("d", "x"), without("d", "x")},
		},
		{
			"other things in one mapping", "a:\n  b: c\n  l: [x]\n", "a:\n  new:\n    o: p\n  l: [x, z]\n",
			[]tree.Edit{b[0], with("a.l", []any{"z"}), with("a.new.o", "p")},
		},
		{
			"a mapping instead of a list", "x:\n  a: [b]\n  c: d\n",
			"x:\n  a:\n    e: f\n  c: d\n",
			[]tree.Edit{without("x.a", []any{"b"}), with("x.a.e", "f")},
		},
		{
			"emptied brackets", "a: {b: c} # 1\nl: [x] # 2\nx: y\n", "a: {} # 1\nl: [] # 2\nx: y\n",
			[]tree.Edit{without("a.b", "c"), with("a", m{}), without("l", []any{"x"}), with("l", []any{})},
		},
		{
			"emptied brackets in brackets", "x: {a: {b: {c: d}}, e: f}\n", "x: {a: {}, e: f}\n",
			[]tree.Edit{without("x.a.b.c", "d"), with("x.a", m{})},
		},
		{
			"emptied brackets in lines", "a: {\n  b: c, # 1\n  # 2\n} # 3\nl: [ # 4\n  x\n]\n",
			"a: {\n  # 2\n} # 3\nl: [ # 4\n]\n",
			[]tree.Edit{without("a.b", "c"), with("a", m{}), without("l", []any{"x"}), with("l", []any{})},
		},
		{
			"emptied lines", "x:\n  y: z\n  a: # 1\n    b: c\n", "x:\n  a: {}\n  y: z\n",
			[]tree.Edit{without("x.a.b", "c"), with("x.a", m{})},
		},
		{
			"emptied, and filled again", "x:\n  y: z\n  a: {b: c} # 1\n", "x:\n  y: z\n  a: {d: e} # 1\n",
			[]tree.Edit{without("x.a.b", "c"), with("x.a", m{}), with("x.a.d", "e")},
		},
		{
			"emptied, and removed", "x:\n  y: z\n  a: {b: c} # 1\n", "x:\n  y: z\n",
			[]tree.Edit{without("x.a.b", "c"), with("x.a", m{}), without("x.a", nil)},
		},
		{
			"emptied JSON", "{\n  \"a\": {\"b\": 1},\n  \"l\": [\"x\"]\n}\n", "{\n  \"a\": {},\n  \"l\": []\n}\n",
			[]tree.Edit{without("a.b", nil), with("a", m{}), without("l", []any{"x"}), with("l", []any{})},
		},
		{"null with a name", "a:\n  b: &x # c\n", "a:\n  b: &x \"10.1\" # c\n", b},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			checkEdits(t, tt.text, tt.want, tt.edits...)
		})
	}
}

func TestEditErrors(t *testing.T) {
	t.Parallel()
	b := without("a.b", nil)
	for _, tt := range []struct {
		name, text, want string
		edits            []tree.Edit
	}{
		{
			"in an alias", "z: &z {b: c, d: e}\na: *z\n",
			"a.yaml:2: *z stands for a value that is written elsewhere: write the value itself here, so that it can " +
				"be changed",
			[]tree.Edit{b},
		},
		{
			"in an alias, all of it", "z: &z {b: c}\na: *z\n",
			"a.yaml:2: *z stands for a value that is written elsewhere: write the value itself here, so that it can " +
				"be changed",
			[]tree.Edit{b},
		},
		{
			"in a value that an alias repeats", "a: &a\n  b: c\n  d: e\nz: *a\n",
			"a.yaml:1: *a repeats this value elsewhere: write the value itself there, so that each can be changed",
			[]tree.Edit{b},
		},
		{
			"in a value that a merge key repeats", "a: &a\n  b: c\n  d: e\nz:\n  <<: *a\n",
			"a.yaml:1: *a repeats this value elsewhere: write the value itself there, so that each can be changed",
			[]tree.Edit{b},
		},
		{
			"from a list that an alias repeats", "a: &a [b, c]\nz: *a\n",
			"a.yaml:1: *a repeats this list elsewhere: write the list itself there, so that each can be changed",
			[]tree.Edit{without("a", []any{"b"})},
		},
		{
			"a value that an alias repeats", "a:\n  b: &b c\n  d: *b\n",
			"a.yaml:2: *b repeats this value elsewhere: write the value itself there, so that it can be removed here",
			[]tree.Edit{b},
		},
		{
			"a value that an alias repeats in a removed one", "a:\n  b:\n  - c: [&b c]\nd: *b\n",
			"a.yaml:3: *b repeats this value elsewhere: write the value itself there, so that it can be removed here",
			[]tree.Edit{b},
		},
		{
			"an element that an alias repeats", "a: [&b c, d]\ne: *b\n",
			"a.yaml:1: *b repeats this value elsewhere: write the value itself there, so that it can be removed here",
			[]tree.Edit{without("a", []any{"c"})},
		},
		{
			"an element that is an alias", "z: &z {b: c}\na:\n- *z\n- d: e\n",
			"a.yaml:3: *z stands for a value that is written elsewhere: write the value itself here, so that it can " +
				"be changed",
			[]tree.Edit{without("a.*.b", "c")},
		},
		{
			"a key that an alias repeats", "a:\n  &b b: c\n  d: *b\n",
			"a.yaml:2: *b repeats this value elsewhere: write the value itself there, so that it can be removed here",
			[]tree.Edit{b},
		},
		{
			"an alias with another value", "z: &z c\na:\n  b: *z\n",
			"a.yaml:3: *z stands for a value that is written elsewhere: write the value itself here, so that it can " +
				"be changed",
			[]tree.Edit{b, with("a.b", "d")},
		},
		{
			"a merge key", "z: &z {b: c}\na:\n  <<: *z\n  d: e\n",
			"a.yaml:3: a merge key (<<) brings b: write b itself here, so that it can be changed",
			[]tree.Edit{b},
		},
		{
			"a key that a merge key brings again", "z: &z {b: d}\na:\n  <<: *z\n  b: c\n  e: f\n",
			"a.yaml:3: a merge key (<<) brings b: write b itself here, so that it can be changed",
			[]tree.Edit{b},
		},
		{
			"a duplicate key", "a:\n  b: c\n  b: d\n  e: f\n",
			`a.yaml:3: duplicate key "b": remove one, so that it can be changed`,
			[]tree.Edit{b},
		},
		{
			"a key that is not a text", "a: {yes: c, d: e}\n",
			"a.yaml:1: true is not written as a text: put the key in quotes, so that its value can be changed",
			[]tree.Edit{without("a.true", nil)},
		},
		{
			"a question mark", "a:\n  ? b\n  : c\n  d: e\n",
			"a.yaml:2: the places to change are not found: write each key in a line of its own",
			[]tree.Edit{b},
		},
		{
			"the whole object", "a: {b: c}\n",
			"a.yaml:1: nothing would be left of the object: delete it instead",
			[]tree.Edit{b},
		},
		{
			"tagged null", "a: {b: !!null }\n", "a.yaml:1: there is no place for the values to add",
			[]tree.Edit{with("a.b", "c")},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := edited(tt.text, tt.edits...)
			if err == nil {
				t.Fatalf("no error, want %s", tt.want)
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("the error (-want +got):\n%s", diff)
			}
			if got != tt.text {
				t.Errorf("after an error the text is %q", got)
			}
			// An edit without effect does not fail.
			for _, no := range []tree.Edit{
				without("a.b", "another"), without("a.x", nil), without("x.y", nil), with("x.*.y", "z"),
			} {
				if got, err := edited(tt.text, no); err != nil || got != tt.text {
					t.Errorf("%v: %v, %q", no, err, got)
				}
			}
		})
	}
}
