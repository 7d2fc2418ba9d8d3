package manifests_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/tree"
)

func TestNewKeysAreInTheOrderOfTheOthers(t *testing.T) {
	t.Parallel()
	again := func(keys ...string) (edits []tree.Edit) {
		for _, key := range keys {
			edits = append(edits, without("a."+key, nil), with("a."+key, "x"))
		}
		return edits
	}
	for _, tt := range []struct {
		name, text, want string
		edits            []tree.Edit
	}{
		{
			"in lines", "a:\n  # 0\n  own: z\n\n  # 1\n  c: x # 2\n  f: \"y\" # 3\n  g: x\n",
			"a:\n  # 0\n  own: z\n\n  b: x\n  # 1\n  c: x # 2\n  d: x\n  e: x\n  f: \"x\" # 3\n  h: x\n",
			append(again("c", "f"), without("a.g", "x"), with("a.b", "x"), with("a.h", "x"), with("a.e", "x"),
				with("a.d", "x")),
		},
		{
			"at the end",
			"a:\n  c: x", "a:\n  b: x\n  c: x\n  d: x", append(again("c"), with("a.b", "x"), with("a.d", "x")),
		},
		{
			"the first one in the line of a hyphen", "a:\n- c: x\n  d: y\n", "a:\n- c: x\n  b: x\n  d: y\n",
			[]tree.Edit{without("a.*.c", nil), with("a.*.c", "x"), with("a.*.b", "x")},
		},
		{
			"in braces", "a: {c: x, f: x, own: z}\n", "a: {b: x, c: x, d: x, f: x, g: x, own: z}\n",
			append(again("c", "f"), with("a.b", "x"), with("a.d", "x"), with("a.g", "x")),
		},
		{
			"in braces over several lines", "a: {\n  c: x, # 1\n  own: z, f: x # 2\n}\n",
			"a: {\n  b: x,\n  c: x, # 1\n  d: x,\n  e: x,\n  own: z, f: x, g: x # 2\n}\n",
			append(again("c", "f"), with("a.b", "x"), with("a.d", "x"), with("a.e", "x"), with("a.g", "x")),
		},
		{
			"at the end of braces over several lines",
			"a: {\n  own: z,\n  c: x # 1\n}\n", "a: {\n  own: z,\n  c: x, # 1\n  d: x\n}\n",
			append(again("c"), with("a.d", "x")),
		},
		{
			"in place of others", "a: {\n  b: x, # 1\n  c: x,\n  d: x\n}\n", "a: {\n  a: x,\n  c: x,\n  e: x\n}\n",
			append(again("c"), without("a.b", "x"), without("a.d", "x"), with("a.a", "x"), with("a.e", "x")),
		},
		{
			"sorted by people", "a:\n  own: z\n  f: x\n  c: x\n", "a:\n  d: x\n  own: z\n  f: x\n  c: x\n",
			append(again("c", "f"), with("a.d", "x")),
		},
		{
			"JSON",
			"{\"a\": {\"c\": \"x\"}}",
			"{\"a\": {\"b\": \"x\", \"c\": \"x\", \"d\": \"x\"}}",
			append(again("c"), with("a.b", "x"), with("a.d", "x")),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			checkEdits(t, tt.text, tt.want, tt.edits...)
		})
	}
}

// values are edits that add some of the values that one program adds to a mapping.
func (w *writer) values(at []string) (additions []tree.Edit) {
	path := func(keys ...string) []string { return append(slices.Clone(at), keys...) }
	for _, name := range []string{"p", "q", "r", "s"} {
		if w.of(2) == 0 {
			additions = append(additions, tree.Edit{Path: path(name), Value: fmt.Sprintf("value %d", w.of(2))})
		}
		if w.of(3) == 0 {
			additions = append(additions, tree.Edit{Path: path("qq", name), Value: name})
		}
	}
	var elements []any
	for _, name := range []string{"p", "q", "r"} {
		if w.of(2) == 0 {
			elements = append(elements, m{"name": name})
		}
	}
	if len(elements) > 0 {
		additions = append(additions, tree.Edit{Path: path("list"), Value: elements})
	}
	return additions
}

// moved returns the edits that replace added values with others: elements of a list that the others begin with stay.
func moved(from, to []tree.Edit) (edits []tree.Edit) {
	for _, e := range from {
		e.Remove = true
		if elements, isList := e.Value.([]any); isList {
			for _, other := range to {
				again, isList := other.Value.([]any)
				for isList && len(again) > 0 && tree.Contains(elements, again[0]) {
					elements, again = tree.Missing(again[:1], elements), again[1:]
				}
			}
			e.Value = elements
		}
		edits = append(edits, e)
	}
	return append(edits, to...)
}

// FuzzBackAndForth replaces values that were added with others, and these with the ones before: then the text is the
// same, byte for byte.
func FuzzBackAndForth(f *testing.F) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		data := make([]byte, 150)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		w := &writer{data: data[len(data)/2:], full: true}
		text := w.document()
		document := mustRead(t, text)[0].Value.(m)
		w.data = data[:len(data)/2]
		var at []string
		for _, path := range paths(document) {
			_, isMap := valueAt(document, path).(m)
			if isMap && !slices.Contains(path, tree.Each) && w.of(2) == 0 {
				at = path
			}
		}
		first, at2 := w.values(at), text
		var last []tree.Edit
		var begin string
		for i, next := range [][]tree.Edit{first, w.values(at), w.values(at), first, nil} {
			after, err := edited(at2, moved(last, next)...)
			if err != nil {
				t.Fatalf("%v: %v in\n%s", moved(last, next), err, at2)
			}
			switch {
			case i == 0:
				begin = after
			case i == 3 && after != begin, i == 4 && after != text:
				t.Fatalf("back and forth (-want +got):\n%s\nafter %v\n%s",
					cmp.Diff([]string{begin, text}[i-3], after), next, at2)
			}
			if len(next) > 0 {
				if again, err := edited(after, moved(next, next)...); err != nil || again != after {
					t.Fatalf("again: %v\n%s\n----\n%s", err, after, again)
				}
			}
			last, at2 = next, after
		}
	})
}
