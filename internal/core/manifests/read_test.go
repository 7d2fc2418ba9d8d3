package manifests_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

type (
	object = map[string]any
	list   = []any
)

func TestReadYAML(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		want     []any
	}{
		{"nothing", "", nil},
		{"comments only", "# a\n\n  # b\n", nil},
		{"null", "~\n---\nnull\n", nil},
		{"one document", "a: {b: [1, x]}\n", list{object{"a": object{"b": list{int64(1), "x"}}}}},
		{
			"several documents, some empty", "---\n---\na: 1\n--- # next\n# nothing\n---\nb: 2",
			list{object{"a": int64(1)}, object{"b": int64(2)}},
		},
		{
			"documents that end in periods", "a: 1\n...\nb: 2\n... # end\n",
			list{object{"a": int64(1)}, object{"b": int64(2)}},
		},
		{"Windows line ends", "a: b\r\n---\r\nc: |\r\n  d\r\n  e\r\n", list{object{"a": "b"}, object{"c": "d\ne\n"}}},
		{"a byte order mark", "\uFEFFa: b", list{object{"a": "b"}}},
		{"UTF-16 from PowerShell", utf16LE("a: ä😀"), list{object{"a": "ä😀"}}},
		{"UTF-16, the other way round", utf16BE("a: ä"), list{object{"a": "ä"}}},
		{"hyphens in a text", "a: |\n  ---\n  b\nc: d", list{object{"a": "---\nb\n", "c": "d"}}},
		{"a text without a line end", "a: |\n  b", list{object{"a": "b\n"}}},
		{"no object", "- a\n---\nb\n", list{list{"a"}, "b"}},

		{
			"JSON", "{\"a\": 1.0, \"b\": [true, null, \"\\ud83d\\ude00\\/\"],\n\t\"c\": {}}",
			list{object{"a": int64(1), "b": list{true, nil, "😀/"}, "c": object{}}},
		},
		{
			"JSON numbers", `{"a": [2.5, 3.0, 9007199254740993, 1e3, 9223372036854775808]}`,
			list{object{"a": list{2.5, int64(3), int64(9007199254740993), int64(1000), float64(1 << 63)}}},
		},
		{
			"JSON objects after one another", `{"a": 1}{"a": 2} {"a": 3}`,
			list{object{"a": int64(1)}, object{"a": int64(2)}, object{"a": int64(3)}},
		},
		{
			"JSON objects between hyphens", "{\"a\": 1}\n---\n{\"a\": 2}",
			list{object{"a": int64(1)}, object{"a": int64(2)}},
		},
		{"JSON with a control character", "{\"a\": \"\x7f\"}", list{object{"a": "\x7f"}}},
		{"a flow mapping", "{a: 1, b: 'c'}", list{object{"a": int64(1), "b": "c"}}},

		{"an alias", "a: &x {b: [c]}\nd: *x", list{object{"a": object{"b": list{"c"}}, "d": object{"b": list{"c"}}}}},
		{"an alias as a key", "a: &x b\n*x : c", list{object{"a": "b", "b": "c"}}},
		{
			"a merge key is overridden by what comes after", "<<: {a: 1, b: 1}\na: 2",
			list{object{"a": int64(2), "b": int64(1)}},
		},
		{"a merge key overrides what comes before", "a: 2\n<<: {a: 1}", list{object{"a": int64(1)}}},
		{"of several merged the first wins", "<<: [{a: 1}, {a: 2, b: 2}]", list{object{"a": int64(1), "b": int64(2)}}},
		{"a merge key twice", "<<: {a: 1}\n<<: {a: 2}", list{object{"a": int64(2)}}},
		{"a merged alias", "x: &x {a: 1}\nz: &z\n  <<: *x\n  b: 2\nw: {<<: [*z, *x]}", list{object{
			"x": object{"a": int64(1)}, "z": object{"a": int64(1), "b": int64(2)},
			"w": object{"a": int64(1), "b": int64(2)},
		}}},
		{"a merge key in quotes is an ordinary key", "'<<': {a: 1}", list{object{"<<": object{"a": int64(1)}}}},
		{"a merge key as a value", "a: [<<]", list{object{"a": list{"<<"}}}},

		{
			"a List", "apiVersion: v1\nkind: List\nitems:\n- {kind: Pod}\n- {apiVersion: v1, kind: List, items: " +
				"[{kind: Service}]}\n- {apiVersion: v1, kind: List, items: []}\n",
			list{object{"kind": "Pod"}, object{"kind": "Service"}},
		},
		{
			"a list of one kind",
			"apiVersion: apps/v1\nkind: DeploymentList\nitems: [{metadata: {name: a}}, {kind: Odd}]",
			list{
				object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": object{"name": "a"}},
				object{"kind": "Odd"},
			},
		},
		{
			"a List in JSON", `{"apiVersion": "v1", "kind": "List", "items": [{"kind": "Pod"}]}`,
			list{object{"kind": "Pod"}},
		},
		{"a List without items", "apiVersion: v1\nkind: List", list{object{"apiVersion": "v1", "kind": "List"}}},
		{
			"items of another kind", "apiVersion: v1\nkind: Menu\nitems: [a]",
			list{object{"apiVersion": "v1", "kind": "Menu", "items": list{"a"}}},
		},
		{
			"objects as the items of another kind",
			"apiVersion: example.com/v1\nkind: Menu\nitems:\n- {apiVersion: v1, kind: Pod}\n" +
				"- {apiVersion: v1, kind: Service}\n",
			list{object{"apiVersion": "v1", "kind": "Pod"}, object{"apiVersion": "v1", "kind": "Service"}},
		},
		{
			"items that are not all objects of Kubernetes",
			"apiVersion: v1\nkind: Menu\nitems: [{apiVersion: v1, kind: Pod}, {name: a}]",
			list{object{"apiVersion": "v1", "kind": "Menu", "items": list{
				object{"apiVersion": "v1", "kind": "Pod"}, object{"name": "a"},
			}}},
		},
		{"a list that is not Kubernetes'", "kind: List\nitems: [a]", list{object{"kind": "List", "items": list{"a"}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, problem := read(tt.in)
			if diff := cmp.Diff("", problem); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("ReadYAML (-want +got):\n%s", diff)
			}
		})
	}
}

// Each was compared with sigs.k8s.io/yaml, which kubectl uses.
func TestScalarsAreReadAsByKubectl(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]any{
		"yes": true, "Yes": true, "on": true, "ON": true, "y": true, "Y": true, "true": true, "TRUE": true,
		"no": false, "No": false, "off": false, "n": false, "N": false, "False": false,
		"tRUE": "tRUE", "yES": "yES", "oN": "oN",
		"": nil, "~": nil, "null": nil, "NULL": nil, "nUll": "nUll",
		"0o17": int64(15), "017": int64(15), "-0o17": int64(-15), "08": int64(8), "08.5": 8.5, "0x1F": int64(31),
		"0b11": int64(3), "-0b11": int64(-3),
		"+1": int64(1), "1_000": int64(1000), "_1": "_1", "1__0": int64(10),
		"1e3": int64(1000), "1E3": int64(1000), "1e+3": int64(1000), "1.e3": int64(1000), "1.5": 1.5, ".5": 0.5,
		"-.5": -0.5, "1.0": int64(1), "-0.0": int64(0), "0.": int64(0),
		"1e400": "1e400", ".5e400": ".5e400", "._5": "._5", "1e": "1e", ".": ".", "+": "+", "1.2.3": "1.2.3",
		"9223372036854775807": int64(math.MaxInt64), "9223372036854775808": float64(1 << 63),
		"18446744073709551616": float64(1 << 64),
		"1:30":                 "1:30", "2001-01-01": "2001-01-01",
		"2001-12-14t21:59:43.10-05:00": "2001-12-14t21:59:43.10-05:00",
		"'yes'":                        "yes", `"017"`: "017", "'~'": "~", "80": int64(80), "'80'": "80", "1.36": 1.36,
		"a b":      "a b",
		"!!str 17": "17", "!!str yes": "yes", "!!int '17'": int64(17), "!!bool yes": true, "!!float 1": int64(1),
		"!!float '1.5'": 1.5, "!!null ''": nil,
		"!!binary aGVsbG8=": "hello", "!!timestamp 2001-01-01": "2001-01-01", "!mine 17": "17", "!mine yes": "yes",
		"!mine {b: c}": object{"b": "c"}, "!mine [1]": list{int64(1)},
		"!!set {b, c}": object{"b": nil, "c": nil},
	} {
		got, problem := read("a: " + text)
		if problem != "" {
			t.Errorf("%s: %s", text, problem)
		}
		if diff := cmp.Diff(list{object{"a": want}}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
	for text, want := range map[string]string{
		"1": "1", "true": "true", "yes": "true", "y": "true", "n": "false", "off": "false", "0x10": "16", "017": "15",
		"1.5": "1.5", "1.0": "1", "1.36": "1.36", "1e18": "1e+18",
		".inf": ".inf", "-.inf": "-.inf", ".nan": ".nan", "2001-01-01": "2001-01-01", "'1'": "1", "!!str 1": "1",
		"!!binary aGVsbG8=": "hello", "a.b/c": "a.b/c",
	} {
		got, problem := read(text + ": x")
		if problem != "" {
			t.Errorf("the key %s: %s", text, problem)
		}
		if diff := cmp.Diff(list{object{want: "x"}}, got); diff != "" {
			t.Errorf("the key %s (-want +got):\n%s", text, diff)
		}
	}
}

func TestReadYAMLErrors(t *testing.T) {
	t.Parallel()
	const hyphens = "three hyphens begin a document, and only a comment may follow them in their line"
	tests := []struct {
		name, in, want string
		// documents is the number of documents that are returned in spite of the error.
		documents int
	}{
		{"a tab as indentation", "a:\n\tb: c\n", "web.yaml:2: found character that cannot start any token", 0},
		{"in the first line", "\"a", "web.yaml:1: found unexpected end of stream", 0},
		{"a quote that is not closed", "a: b\nc: \"d\ne: f\n", "web.yaml:2: found unexpected end of stream", 0},
		{"a bracket that is not closed", "a: b\nc: [d\ne: f\n", "web.yaml:2: did not find expected ',' or ']'", 0},
		{"two values in a line", "a: b\nc: d: e\n", "web.yaml:2: mapping values are not allowed in this context", 0},
		{"less indented than the rest", "a:\n    b: c\n  d: e\n", "web.yaml:3: did not find expected key", 0},
		{"a list in a mapping", "a: b\n- c\n", "web.yaml:2: did not find expected key", 0},
		{"a key without a colon", "a: b\nc\nd: e\n", "web.yaml:2: could not find expected ':'", 0},
		{
			"an unknown escape", "a: b\nc: \"\\y\"\n", "web.yaml:2: found unknown escape character: " +
				`\ begins an escape in double quotes: use single quotes, or write \\ for each \`, 0,
		},
		{"two objects without hyphens", "{a: b}\n{c: d}\n", "web.yaml:2: did not find expected <document start>", 0},
		{"an unknown anchor", "a: b\nc: *d\n", "web.yaml:2: unknown anchor 'd' referenced", 0},
		{"a control character", "a: b\nc: \x01\n", "web.yaml:2: control characters are not allowed", 0},
		{"another encoding", "a: b\nc: \xe4\n", "web.yaml:2: not UTF-8: save the file as UTF-8", 0},
		{"a directive", "# a\n%YAML 1.1\n---\na: b", "web.yaml:2: a directive: kubectl reads none, remove the line", 1},
		{"text after hyphens", "a: b\n--- c\n---\nd: e\n", "web.yaml:2: " + hyphens, 2},
		{"too many hyphens", "a: b\n----\n", "web.yaml:2: " + hyphens, 1},

		{"a key twice", "a: b\nc: d\na: e\n", `web.yaml:3: duplicate key "a": line 1 has it already`, 0},
		{"a key twice with one text", "1: b\n'1': c\n", `web.yaml:2: duplicate key "1": line 1 has it already`, 0},
		{
			"a key twice in a merged mapping", "<<: {a: 1, a: 2}\n",
			`web.yaml:1: duplicate key "a": line 1 has it already`, 0,
		},
		{"null as a key", "a: b\n~: c\n", "web.yaml:2: null as a key: a key must be a text", 0},
		{"a list as a key", "? [a]\n: b\n", "web.yaml:1: a list or a mapping as a key: a key must be a text", 0},
		{"a key with a wrong tag", "!!int x: y\n", `web.yaml:1: "x" is not a valid !!int`, 0},
		{
			"infinity", "a: .inf\nb: -.INF\n",
			"web.yaml:1: .inf is not a number that JSON has\nweb.yaml:2: -.INF is not a number that JSON has", 0,
		},
		{"no number", "a: .nan\n", "web.yaml:1: .nan is not a number that JSON has", 0},
		{
			"a value with a wrong tag", "a: !!int 1.5\nb: !!bool x\nc: !!null x\n",
			`web.yaml:1: "1.5" is not a valid !!int` + "\n" + `web.yaml:2: "x" is not a valid !!bool` + "\n" +
				`web.yaml:3: "x" is not a valid !!null`, 0,
		},
		{"binary without base64", "a: !!binary '!'\n", "web.yaml:1: !!binary without base64", 0},
		{
			"a merge key with a text", "<<: x\n", "web.yaml:1: a merge key (<<) takes a mapping, or a list of mappings",
			0,
		},
		{
			"a merge key with lists in a list", "<<: [{a: b}, [{a: b}]]\n",
			"web.yaml:1: a merge key (<<) takes a mapping, or a list of mappings", 0,
		},
		{
			"a merge key with a list behind an alias", "a: &a [{b: c}]\nd:\n  <<: *a\n",
			"web.yaml:3: a merge key (<<) takes a mapping, or a list of mappings", 0,
		},
		{"an anchor in itself", "a: &a\n  b: *a\n", `web.yaml:2: anchor "a" contains itself`, 0},
		{"a merged anchor in itself", "a: &a\n  <<: *a\n", `web.yaml:2: anchor "a" contains itself`, 0},

		{
			"a template that is YAML", "a: {{ .Values.b }}\n",
			"web.yaml:1: a mapping as a key: a key must be a text: looks like a template: render it first", 0,
		},
		{
			"a template that is not YAML", "{{- if .Values.a }}\nb: c\n{{- end }}\n",
			"web.yaml:1: did not find expected node content: looks like a template: render it first", 0,
		},

		{"JSON with a mistake", "{\n\"a\": 1,\n\"b\": 2,\n}\n", "", 1},
		{"JSON that ends too early", "{\n\"a\": [1,\n", "web.yaml:2: not JSON: it ends too early", 0},
		{
			"JSON with a word", "{\"a\": 1}\n{\"a\": tru}",
			"web.yaml:2: not JSON: invalid character '}' in literal true (expecting 'e')", 0,
		},
		{
			"a key twice in JSON", "{\"a\": 1,\n\"b\": {\"c\": 1, \"c\": 2},\n\"a\": 3}",
			`web.yaml:2: duplicate key "c": line 2 has it already` + "\n" +
				`web.yaml:3: duplicate key "a": line 1 has it already`, 0,
		},
		{
			"a number beyond JSON readers", `{"a": 1e400}`,
			"web.yaml:1: 1e400 is too large for a number of JSON readers",
			0,
		},

		{
			"an item that is not an object", "apiVersion: v1\nkind: List\nitems:\n- {kind: Pod}\n- x\n",
			"web.yaml:5: items[1] of a List must be an object", 1,
		},

		{
			"all documents at once", "a: 1\na: 2\n---\nb: [\n---\nc: 1\n---\n\nd: 1\nd: 2\n~: 3\n",
			`web.yaml:2: duplicate key "a": line 1 has it already
web.yaml:4: did not find expected node content
web.yaml:10: duplicate key "d": line 9 has it already
web.yaml:11: null as a key: a key must be a text`, 1,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			docs, problem := read(tt.in)
			if diff := cmp.Diff(tt.want, problem); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if len(docs) != tt.documents {
				t.Errorf("%d documents beside it, want %d: %v", len(docs), tt.documents, docs)
			}
		})
	}
}

func TestErrorsAreStructured(t *testing.T) {
	t.Parallel()
	const tab = "---\na:\n  - b\n\t- c\n"
	for text, want := range map[string]manifests.Error{
		"a: 1\na: 2\n": {Line: 2, Detail: `duplicate key "a": line 1 has it already`},
		tab:            {Line: 3, Detail: "found a tab character that violates indentation", Tab: 4},
		tab + "{{ x }}": {
			Line: 3, Detail: "found a tab character that violates indentation", Tab: 4, Template: true,
		},
		"a: {{ x }}\n":    {Line: 1, Detail: "a mapping as a key: a key must be a text", Template: true},
		"a: \x01\n\t\n":   {Line: 1, Detail: "control characters are not allowed"},
		"a: [\n":          {Line: 1, Detail: "did not find expected node content"},
		"apiVersion: [\n": {Line: 1, Detail: "did not find expected node content"},
		"{APIVERSION: [":  {Line: 1, Detail: "did not find expected node content"},
		"a: \xff":         {Line: 1, Detail: "not UTF-8: save the file as UTF-8"},
		"a\x00p\x00i\x00V\x00e\x00r\x00s\x00i\x00o\x00n\x00:\x00\xff": {Line: 1, Detail: "not UTF-8: save the file " +
			"as UTF-8"},
	} {
		_, err := manifests.ReadYAML(strings.NewReader(text), "web.yaml")
		want.File = "web.yaml"
		want.NoObject = strings.HasPrefix(text, "a: ") || strings.HasPrefix(text, tab)
		var one *manifests.Error
		if !errors.As(err, &one) {
			t.Fatalf("%q: got %v", text, err)
		}
		if diff := cmp.Diff(want, *one); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	_, err := manifests.ReadYAML(iotest.ErrReader(os.ErrPermission), "web.yaml")
	if !errors.Is(err, os.ErrPermission) || err.Error() != "web.yaml: permission denied" {
		t.Errorf("got %v, want the reader's error with the file", err)
	}
}

// errorsOf returns a text with n mistakes.
func errorsOf(n int) string {
	return "a: 1\n" + strings.Repeat("a: 2\n", n)
}

func TestErrorsAreLimited(t *testing.T) {
	t.Parallel()
	_, problem := read(errorsOf(manifests.MaxErrors))
	listed := strings.Count(problem, "\n") + 1
	if listed != manifests.MaxErrors || strings.Contains(problem, "more errors") {
		t.Errorf("%d lines for %d errors", listed, manifests.MaxErrors)
	}
	_, problem = read(errorsOf(manifests.MaxErrors) + "---\n" + errorsOf(2) + "---\n{" + strings.Repeat(`"a": 1,`, 4) +
		`"b": 1}`)
	lines := strings.Split(problem, "\n")
	if got := lines[len(lines)-1]; got != "web.yaml: 5 more errors" || len(lines) != manifests.MaxErrors+1 {
		t.Errorf("%d lines, the last one is %q", len(lines), got)
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	const manifest = `# A comment.
---
apiVersion: apps/v1
kind: Deployment
metadata:
  labels: {app: web,
    tier: front}
  annotations:
    example.com/a: b
spec:
  template:
    spec:
      nodeSelector:
        kubernetes.io/os: windows
      containers:
        - name: one
          image: a
        -
          name: two
          args: [x,
            z]
      defaults: &d
        a: 1
        b: {c: 2}
      own:
        <<: *d
        a: 3
      same: *d
`
	object := mustRead(t, manifest)[0]
	for path, want := range map[string]int{
		"":                                    3,
		"kind":                                4,
		"metadata":                            5,
		"metadata.labels":                     6,
		"metadata.labels.app":                 6,
		"metadata.labels[tier]":               7,
		"metadata.annotations[example.com/a]": 9,
		"spec.template.spec.nodeSelector":     13,
		"spec.template.spec.nodeSelector[kubernetes.io/os]": 14,
		"spec.template.spec.containers":                     15,
		"spec.template.spec.containers[0]":                  16,
		"spec.template.spec.containers[0].image":            17,
		"spec.template.spec.containers[1]":                  19,
		"spec.template.spec.containers[1].args[1]":          21,
		"spec.template.spec.own.a":                          27,
		"spec.template.spec.own.b":                          24,
		"spec.template.spec.own.b.c":                        24,
		"spec.template.spec.same":                           28,
		"spec.template.spec.same.a":                         23,
		// The line of a missing value is the line of its nearest parent.
		"spec.template.spec.containers[0].resources.limits[cpu]": 16,
		"spec.template.spec.containers[2].image":                 15,
		"spec.template.spec.containers[-1]":                      15,
		"spec.template.spec.os.name":                             12,
		"status":                                                 3,
		"metadata.labels[app":                                    6,
		"]":                                                      3,
		"..":                                                     3,
	} {
		if got := object.Line(path); got != want {
			t.Errorf("Line(%q) = %d, want %d", path, got, want)
		}
	}
	if got := (manifests.Document{}).Line("a"); got != 0 {
		t.Errorf("Line of no document = %d, want 0", got)
	}
}

func TestLineOfObjectsInAList(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"YAML": "\n---\n# a\napiVersion: v1\nitems:\n- kind: A\n  spec: {}\n- apiVersion: v1\n  kind: List\n  " +
			"items:\n  -\n   kind: B\n   spec:\n    a: b\nkind: List\n",
		"JSON": "\n---\n\n{\"apiVersion\": \"v1\", \"kind\": \"List\",\n\"items\": [\n{\"kind\": \"A\",\n\"spec\": " +
			"{}},\n{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n\n\n{\"kind\":\n\n\"B\", " +
			"\"spec\":\n{\"a\": [\n{},\n{}]}}]}]}",
	} {
		docs := mustRead(t, text)
		if len(docs) != 2 {
			t.Fatalf("%s: %d documents, want 2", name, len(docs))
		}
		got := []int{
			docs[0].Line(""), docs[0].Line("spec"), docs[1].Line(""), docs[1].Line("spec"),
			docs[1].Line("spec.a"),
		}
		want := map[string][]int{"YAML": {6, 7, 12, 13, 14}, "JSON": {6, 7, 11, 13, 14}}[name]
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Keys that are added to a list's items do not change other values that share an anchor.
func TestDocumentsShareNothing(t *testing.T) {
	t.Parallel()
	docs := mustRead(t, "apiVersion: v1\nkind: PodList\nitems: [&p {spec: {a: b}}, *p]\n")
	docs[0].Value.(object)["spec"].(object)["a"] = "changed"
	if diff := cmp.Diff(object{"apiVersion": "v1", "kind": "Pod", "spec": object{"a": "b"}},
		docs[1].Value); diff != "" {
		t.Errorf("the second item (-want +got):\n%s", diff)
	}
}

// repeat returns a text of about a size.
func repeat(s string, size int) string { return strings.Repeat(s, size/len(s)) }

// deployments returns a large file without errors.
func deployments(size int) string {
	return repeat(`---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web}
spec:
  replicas: 3
  template:
    spec:
      containers:
      # The web.
      - name: web
        image: "mcr.microsoft.com/windows/servercore:ltsc2022"
        ports:
        - containerPort: 80
`, size)
}

// bomb returns a text whose aliases expand to a number of values with 30 digits.
func bomb(value, level string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "a0: &a0 %s\n", value)
	for i := range 30 {
		fmt.Fprintf(&b, "a%d: &a%d "+level+"\n", i+1, i+1,
			strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), ", "))
	}
	return b.String()
}

// No document may take long, or much memory.
func TestLimits(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("only with make unit, without -short: it reads many megabytes")
	}
	const (
		size   = manifests.MaxSize - 1000
		values = "web.yaml:1: more than 500000 values in one document: split it"
		deep   = "nested deeper than 1000"
	)
	indented := func() string {
		var b strings.Builder
		for i := 0; b.Len() < size/2; i++ {
			b.WriteString(strings.Repeat(" ", i) + "a:\n")
		}
		return b.String()
	}
	tests := []struct{ name, in, want string }{
		{"a plain big file", deployments(size), ""},
		{"a big text", "a: |\n" + repeat("  some words and some more words\n", size), ""},
		{"a long line", "a: " + repeat("word ", size), ""},
		{"blank lines", repeat("\n", size), ""},
		{"comments", repeat("#\n", size), ""},
		{"empty documents", repeat("---\n", size), ""},
		{
			"one byte too many", strings.Repeat("#", manifests.MaxFileSize+1),
			"web.yaml: larger than 32 MB, which is all that is read of a file: split it",
		},
		{"not one byte too many", strings.Repeat("#", manifests.MaxFileSize), ""},
		{
			"a document with one byte too many", "a: b\n---\nc: " + strings.Repeat("d", manifests.MaxSize-2),
			"web.yaml:3: a document larger than 5 MB: split it",
		},
		{
			"several documents of the largest size",
			strings.Repeat("c: "+strings.Repeat("d", manifests.MaxSize-4)+"\n---\n", 3), "",
		},
		{
			"too many values in all documents", strings.Repeat("["+strings.Repeat("a,", 400_000)+"a]\n---\n", 10),
			"web.yaml:9: more than 2000000 values in one file: split it",
		},
		{
			"too many documents", strings.Repeat("a: b\n---\n", manifests.MaxDocuments) + "a: b\n",
			"web.yaml:50001: more than 25000 documents: split the file",
		},
		{"not too many documents", strings.Repeat("a: b\n---\n", manifests.MaxDocuments), ""},

		{"values", "a:\n" + repeat("- a\n", size), values},
		{"values in a line", "[" + repeat("a,", size) + "a]", values},
		{"keys without values", "{" + repeat("a,", size) + "a}", values},
		{"empty keys", repeat("?\n", size), values},
		{"empty lists", "[" + repeat("[],", size) + "]", values},
		{"old line ends", repeat("a:\r", size), values},
		{"comments after values", repeat("- a # b\n# c\n", size), values},
		{"values in JSON", `{"a": [` + repeat("1,", size) + "1]}", values},
		{"JSON objects", repeat("{}", size), values},

		{"brackets", strings.Repeat("[", 100_000), "web.yaml:1: exceeded max depth of 10000"},
		{"braces", "a: " + strings.Repeat("{ ", 100_000), "web.yaml:1: exceeded max depth of 10000"},
		{"braces with keys", strings.Repeat("{a: ", 100_000), "web.yaml:1: exceeded max depth of 10000"},
		{"hyphens", strings.Repeat("- ", 100_000), "web.yaml:1: exceeded max depth of 10000"},
		{"question marks", strings.Repeat("? ", 100_000), "web.yaml:1: exceeded max depth of 10000"},
		{"indentation", indented(), "web.yaml:1002: " + deep},
		{"brackets that are closed", strings.Repeat("[", 1002) + strings.Repeat("]", 1002), "web.yaml:1: " + deep},
		{"brackets that are not too deep", strings.Repeat("[", 1001) + strings.Repeat("]", 1001), ""},
		{"brackets in JSON", `{"a":` + repeat("[", size), "web.yaml:1: " + deep},
		{"braces in JSON", repeat(`{"a":`, size), "web.yaml:1: " + deep},
		{"JSON that is not too deep", strings.Repeat(`{"a":`, 1000) + "1" + strings.Repeat("}", 1000), ""},

		{"a billion laughs", bomb("[lol]", "[%s]"), "web.yaml:6: aliases stand for more than 100000 values"},
		{"a billion merges", bomb("{}", "{<<: [%s]}"), "web.yaml:7: aliases stand for more than 100000 values"},
		{
			"wide aliases", "a: &a [" + repeat("a, ", 3000) + "]\nb: [" + repeat("*a, ", 400_000) + "]",
			"web.yaml:2: aliases stand for more than 100000 values",
		},
		{"directives", repeat("%TAG !a! x\n", size), "web.yaml:1: a directive: kubectl reads none, remove the line"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			_, problem := read(tt.in)
			// On an idle machine, each takes less than a second, and one without its limit takes hours. On a busy
			// machine 19 seconds were seen.
			if took := time.Since(start); took > time.Minute {
				t.Errorf("it takes %s", took)
			}
			if diff := cmp.Diff(tt.want, problem); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func utf16LE(s string) string {
	b := []byte{0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

func utf16BE(s string) string {
	b := []byte{0xFE, 0xFF}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u>>8), byte(u))
	}
	return string(b)
}

// Whatever the text, reading ends soon, has the same result twice, and returns valid trees.
func FuzzReadYAML(f *testing.F) {
	for _, seed := range []string{
		deployments(2000), bomb("[a]", "[%s]"), bomb("{}", "{<<: [%s]}"),
		"a: &a {b: *a}\n<<: [*a, {c: d}]\n? [x]\n: !!binary x\n--- # y\n{\"a\": 1}{\"a\": 1e400}\n...\n%TAG\n",
		"apiVersion: v1\nkind: PodList\nitems: [{}, 1, null, {kind: List, apiVersion: v1, items: []}]\n",
		"{\n\"a\": [1, 2.5, \"\\ud800\"],\r\n", "\xff\xfea\x00:\x00", "{{ .Values.a }}",
		"- |\n  a\n- >-\n  b\n-\t'c'\n", "y: yes\n0o17: .inf\n1.5: 2001-01-01\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		start := time.Now()
		docs, err := manifests.ReadYAML(strings.NewReader(string(text)), "fuzz.yaml")
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%d bytes take %s", len(text), took)
		}
		again, errAgain := manifests.ReadYAML(iotest.HalfReader(strings.NewReader(string(text))), "fuzz.yaml")
		if diff := cmp.Diff(fmt.Sprint(err), fmt.Sprint(errAgain)); diff != "" {
			t.Errorf("the second time, another error:\n%s", diff)
		}
		if len(docs) != len(again) {
			t.Fatalf("%d documents, then %d", len(docs), len(again))
		}
		edited, errEdited := manifests.NewText(text, "fuzz.yaml")
		if diff := cmp.Diff(fmt.Sprint(err), fmt.Sprint(errEdited)); diff != "" {
			t.Errorf("for an editor, another error:\n%s", diff)
		}
		if len(docs) != len(edited.Documents) {
			t.Fatalf("%d documents, for an editor %d", len(docs), len(edited.Documents))
		}
		lines := 1 + strings.Count(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n",
			"\u2029", "\n").Replace(string(text)), "\n")
		for i, d := range docs {
			if !reflect.DeepEqual(d.Value, again[i].Value) {
				t.Errorf("%v, the second time %v", d.Value, again[i].Value)
			}
			if !reflect.DeepEqual(d.Value, edited.Documents[i].Value) {
				t.Errorf("%v, for an editor %v", d.Value, edited.Documents[i].Value)
			}
			if normal := tree.Normalize(d.Value); !reflect.DeepEqual(d.Value, normal) {
				t.Errorf("Normalize makes %v of %v", normal, d.Value)
			}
			for key := range tree.Map(d.Value) {
				for _, path := range []string{"", key, "[" + key + "][0]"} {
					if line := d.Line(path); line < 1 || line > lines {
						t.Errorf("Line(%q) = %d of %d", path, line, lines)
					}
				}
			}
		}
	})
}

func BenchmarkReadYAML(b *testing.B) {
	for name, text := range map[string]string{
		"a manifest":    deployments(400),
		"100 manifests": deployments(40_000),
		"JSON": `{"apiVersion": "v1", "kind": "List", "items": [` +
			strings.TrimSuffix(
				repeat(
					`{"kind": "Pod", "metadata": {"name": "web"}, "spec": {"containers": [{"name": "web", "image": `+
						`"a:b"}]}},`, 40_000,
				), ",",
			) + "]}",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := manifests.ReadYAML(strings.NewReader(text), "web.yaml"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLine(b *testing.B) {
	docs, err := manifests.ReadYAML(strings.NewReader(deployments(400)), "web.yaml")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if docs[0].Line("spec.template.spec.containers[0].ports[0].containerPort") != 16 {
			b.Fatal("another line")
		}
	}
}
