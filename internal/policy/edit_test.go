package policy

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	property "github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"

	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// A removal takes what is empty then with it, including in a secret, and leaves what is unknown.
func TestRemovalsFromProperties(t *testing.T) {
	t.Parallel()
	text := property.NewProperty[string]
	mapOf := property.NewProperty[property.PropertyMap]
	list := func(of ...property.PropertyValue) property.PropertyValue { return property.NewProperty(of) }
	toleration := func(key string) property.PropertyValue { return mapOf(property.PropertyMap{"key": text(key)}) }
	labels := mapOf(property.PropertyMap{"labels": list(text("build"))})
	edits := []mutate.Edit{
		{Path: []string{"spec", "nodeSelector", "build"}, Value: "1", Remove: true},
		{Path: []string{"spec", "tolerations"}, Value: []any{map[string]any{"key": "os"}}, Remove: true},
		{Path: []string{"spec", "terms", tree.Each, "labels"}, Value: []any{"build"}, Remove: true},
		{Path: []string{"spec", "terms", tree.Each, "labels"}, Value: []any{"zone"}},
	}
	for name, tt := range map[string]struct{ spec, want property.PropertyValue }{
		"all of it": {
			mapOf(property.PropertyMap{
				"nodeSelector": mapOf(property.PropertyMap{"build": text("1"), "null": property.NewNullProperty()}),
				"tolerations":  list(toleration("os"), toleration("os")), "os": text("windows"),
			}),
			mapOf(property.PropertyMap{"os": text("windows")}),
		},
		"a part": {
			mapOf(property.PropertyMap{
				"nodeSelector": mapOf(property.PropertyMap{"build": text("1"), "disk": text("ssd")}),
				"tolerations":  list(toleration("os"), toleration("own")),
				"terms": list(
					mapOf(property.PropertyMap{"labels": list(text("build"), text("own"))}),
					mapOf(property.PropertyMap{"labels": list(text("build"))}), text("x"),
				),
			}),
			mapOf(property.PropertyMap{
				"nodeSelector": mapOf(property.PropertyMap{"disk": text("ssd")}),
				"tolerations":  list(toleration("own")),
				"terms":        list(mapOf(property.PropertyMap{"labels": list(text("own"), text("zone"))}), text("x")),
			}),
		},
		"of a secret": {
			property.MakeSecret(mapOf(property.PropertyMap{
				"nodeSelector": property.MakeSecret(mapOf(property.PropertyMap{"build": text("1")})),
				"tolerations":  list(property.MakeSecret(toleration("os")), toleration("own")),
			})),
			property.MakeSecret(mapOf(property.PropertyMap{"tolerations": list(toleration("own"))})),
		},
		"something else": {
			mapOf(property.PropertyMap{
				"nodeSelector": mapOf(property.PropertyMap{"build": text("2")}), "tolerations": text("os"),
				"terms": mapOf(property.PropertyMap{"*": labels}),
			}),
			mapOf(property.PropertyMap{
				"nodeSelector": mapOf(property.PropertyMap{"build": text("2")}), "tolerations": text("os"),
				"terms": mapOf(property.PropertyMap{"*": labels}),
			}),
		},
		"unknown parts": {
			mapOf(property.PropertyMap{
				"nodeSelector": unknownProperty(text("")),
				"tolerations":  list(unknownProperty(text("")), toleration("os")),
			}),
			mapOf(property.PropertyMap{
				"nodeSelector": unknownProperty(text("")), "tolerations": list(unknownProperty(text(""))),
			}),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := onWire(t, property.PropertyMap{"spec": tt.spec, "kind": text("Pod")})
			out, err := apply(in, edits)
			if err != nil {
				t.Fatal(err)
			}
			want := property.PropertyMap{"spec": tt.want, "kind": text("Pod")}
			if got := fromWire(t, out); !got.DeepEquals(want) {
				t.Errorf("got %v, want %v", got, want)
			}
			if before := fromWire(t, in)["spec"]; !before.DeepEquals(tt.spec) {
				t.Errorf("the input has become %v", before)
			}
		})
	}
}

// A file is a map on the wire, with a text.
// Maps and lists that were empty before stay empty.
func TestEmptyPropertiesStay(t *testing.T) {
	t.Parallel()
	mapOf := property.NewProperty[property.PropertyMap]
	in := onWire(t, property.PropertyMap{
		"nodeSelector": mapOf(property.PropertyMap{"build": property.NewProperty("1")}),
		"tolerations":  property.NewProperty([]property.PropertyValue{property.NewProperty("os")}),
	})
	out, err := apply(in, []mutate.Edit{
		{Path: []string{"nodeSelector", "build"}, Value: "1", Remove: true},
		{Path: []string{"nodeSelector"}, Value: map[string]any{}},
		{Path: []string{"tolerations"}, Value: []any{"os"}, Remove: true},
		{Path: []string{"tolerations"}, Value: []any{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"nodeSelector": map[string]any{}, "tolerations": []any{}}
	if diff := cmp.Diff(want, out.AsMap()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFilesAreNotEdited(t *testing.T) {
	t.Parallel()
	file, err := asset.FromText("x")
	if err != nil {
		t.Fatal(err)
	}
	in := onWire(t, property.PropertyMap{"file": property.NewProperty(file)})
	out, err := apply(in, []mutate.Edit{
		{Path: []string{"file", "text"}, Value: "x", Remove: true},
		{Path: []string{"file", "more"}, Value: "x"},
		{Path: []string{"file"}, Value: map[string]any{}, Remove: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(in.AsMap(), out.AsMap()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// choices chooses from bytes.
type choices struct{ data []byte }

func (c *choices) of(n int) int {
	if len(c.data) == 0 {
		return 0
	}
	first := c.data[0]
	c.data = c.data[1:]
	return int(first) % n
}

// keys are the keys of generated maps.
var keys = []string{"a", "b", "c"}

// value returns a property, and its plain value.
func (c *choices) value(depth int) (of property.PropertyValue, plain any) {
	switch kind := c.of(9); {
	case kind < 3 && depth > 0:
		m, values := property.PropertyMap{}, map[string]any{}
		for range c.of(4) {
			key := keys[c.of(len(keys))]
			m[property.PropertyKey(key)], values[key] = c.value(depth - 1)
		}
		of, plain = property.NewProperty(m), values
	case kind < 5 && depth > 0:
		list, values := []property.PropertyValue{}, []any{}
		for range c.of(4) {
			element, value := c.value(depth - 1)
			list, values = append(list, element), append(values, value)
		}
		of, plain = property.NewProperty(list), values
	case kind == 5:
		return property.NewNullProperty(), "null"
	case kind == 6:
		return unknownProperty(property.NewProperty("")), "unknown"
	case kind == 7:
		of, plain = property.NewProperty(float64(len(c.data)%2)), int64(len(c.data)%2)
	default:
		text := keys[c.of(len(keys))]
		of, plain = property.NewProperty(text), text
	}
	if c.of(6) == 5 {
		of = property.MakeSecret(of)
	}
	return of, plain
}

// edit returns an edit, whose value is perhaps a part of a value.
func (c *choices) edit(of any) mutate.Edit {
	e := mutate.Edit{Remove: c.of(3) > 0}
	for at := of; ; {
		key := keys[c.of(len(keys))]
		switch v := at.(type) {
		case map[string]any:
			at = v[key]
		case []any:
			key, at = tree.Each, nil
			if len(v) > 0 {
				at = v[c.of(len(v))]
			}
		}
		e.Path = append(e.Path, key)
		e.Value = at
		if len(e.Path) > 4 || c.of(3) == 0 {
			break
		}
	}
	if list, isList := e.Value.([]any); isList && len(list) > 0 {
		e.Value = list[c.of(len(list)):]
	}
	if e.Value == nil || !e.Remove && c.of(2) == 0 {
		_, e.Value = c.value(1)
	}
	if e.Remove && c.of(4) == 0 {
		e.Value = nil
	}
	return e
}

// FuzzApply compares edited properties with the edited tree.
func FuzzApply(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		data := make([]byte, 80)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := &choices{data: data}
		m, plain := property.PropertyMap{}, map[string]any{}
		for _, key := range keys {
			m[property.PropertyKey(key)], plain[key] = c.value(3)
		}
		var edits []mutate.Edit
		for range 1 + c.of(4) {
			edits = append(edits, c.edit(plain))
		}
		in := onWire(t, m)
		out, err := apply(in, edits)
		if err != nil {
			t.Fatal(err)
		}
		want := mutate.Apply(revealed(properties(in)).(map[string]any), edits)
		if diff := cmp.Diff(any(want), revealed(properties(out))); diff != "" {
			t.Errorf("%v in %v (-edited tree +edited properties):\n%s", edits, m, diff)
		}
	})
}

// revealed returns a tree without secrets.
func revealed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := maps.Clone(v)
		for key := range out {
			out[key] = revealed(out[key])
		}
		return out
	case []any:
		out := slices.Clone(v)
		for i := range out {
			out[i] = revealed(out[i])
		}
		return out
	default:
		return tree.Reveal(v)
	}
}
