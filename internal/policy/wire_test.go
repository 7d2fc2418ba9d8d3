package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	property "github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// onWire returns a map as the engine sends it.
func onWire(t *testing.T, m property.PropertyMap) *structpb.Struct {
	t.Helper()
	s, err := plugin.MarshalProperties(m, plugin.MarshalOptions{KeepUnknowns: true, KeepSecrets: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fromWire returns a map as the engine reads it.
func fromWire(t *testing.T, s *structpb.Struct) property.PropertyMap {
	t.Helper()
	m, err := plugin.UnmarshalProperties(s, plugin.MarshalOptions{KeepUnknowns: true, KeepSecrets: true})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func unknownProperty(of property.PropertyValue) property.PropertyValue {
	return property.MakeComputed(of)
}

func TestPropertiesAreReadAsTheEngineSendsThem(t *testing.T) {
	t.Parallel()
	text := property.NewProperty("")
	in := property.PropertyMap{
		"text": property.NewProperty("a"), "bool": property.NewProperty(true), "whole": property.NewProperty(3.0),
		"half": property.NewProperty(0.5), "null": property.NewNullProperty(),
		"unknown":       unknownProperty(text),
		"unknownBool":   unknownProperty(property.NewProperty(false)),
		"unknownNumber": unknownProperty(property.NewProperty(0.0)),
		"unknownList":   unknownProperty(property.NewProperty([]property.PropertyValue{})),
		"unknownMap":    unknownProperty(property.NewProperty(property.PropertyMap{})),
		"secret": property.MakeSecret(property.NewProperty(property.PropertyMap{
			"a":    property.NewProperty("b"),
			"list": property.NewProperty([]property.PropertyValue{text, unknownProperty(text)}),
		})),
		"list": property.NewProperty([]property.PropertyValue{
			text, property.NewNullProperty(), property.MakeSecret(text),
		}),
	}
	want := map[string]any{
		"text": "a", "bool": true, "whole": int64(3), "half": 0.5,
		"unknown": tree.Unknown{}, "unknownBool": tree.Unknown{}, "unknownNumber": tree.Unknown{},
		"unknownList": tree.Unknown{}, "unknownMap": tree.Unknown{},
		"secret": map[string]any{
			"a": tree.Secret{Value: "b"}, "list": []any{tree.Secret{Value: ""}, tree.Unknown{}},
		},
		"list": []any{"", nil, tree.Secret{Value: ""}},
	}
	if diff := cmp.Diff(want, properties(onWire(t, in))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The result has the additions of an edit, and existing values do not change: secret and unknown ones stay so.
func TestEditsOfProperties(t *testing.T) {
	t.Parallel()
	text := property.NewProperty[string]
	list := func(of ...property.PropertyValue) property.PropertyValue { return property.NewProperty(of) }
	edits := []mutate.Edit{
		{Path: []string{"spec", "os", "name"}, Value: "windows"},
		{Path: []string{"spec", "tolerations"}, Value: []any{
			map[string]any{"key": "os"}, map[string]any{"key": "new"},
		}},
	}
	toleration := func(key string) property.PropertyValue {
		return property.NewProperty(property.PropertyMap{"key": text(key)})
	}
	windows := property.NewProperty(property.PropertyMap{"name": text("windows")})
	for name, tt := range map[string]struct{ spec, want property.PropertyValue }{
		"nothing is there": {
			property.NewNullProperty(),
			property.NewProperty(property.PropertyMap{
				"os": windows, "tolerations": list(toleration("os"), toleration("new")),
			}),
		},
		"something is there": {
			property.NewProperty(property.PropertyMap{
				"os":          property.NewProperty(property.PropertyMap{"name": text("linux")}),
				"tolerations": list(toleration("own"), toleration("os")), "more": unknownProperty(text("")),
			}),
			property.NewProperty(property.PropertyMap{
				"os":          property.NewProperty(property.PropertyMap{"name": text("linux")}),
				"tolerations": list(toleration("own"), toleration("os"), toleration("new")),
				"more":        unknownProperty(text("")),
			}),
		},
		"it is secret": {
			property.MakeSecret(property.NewProperty(property.PropertyMap{"a": text("b")})),
			property.MakeSecret(property.NewProperty(property.PropertyMap{
				"a": text("b"), "os": windows, "tolerations": list(toleration("os"), toleration("new")),
			})),
		},
		"it is not known":         {unknownProperty(text("")), unknownProperty(text(""))},
		"something else is there": {text("pods"), text("pods")},
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

func TestTheAnnotationsBecomeUnknown(t *testing.T) {
	t.Parallel()
	text := property.NewProperty("a")
	annotations := unknownProperty(property.NewProperty(""))
	for name, tt := range map[string]struct{ in, want property.PropertyMap }{
		"no metadata": {
			property.PropertyMap{"kind": text},
			property.PropertyMap{
				"kind": text, "metadata": property.NewProperty(property.PropertyMap{"annotations": annotations}),
			},
		},
		"a name and annotations": {
			property.PropertyMap{
				"metadata": property.NewProperty(property.PropertyMap{"name": text, "annotations": text}),
			},
			property.PropertyMap{
				"metadata": property.NewProperty(property.PropertyMap{"name": text, "annotations": annotations}),
			},
		},
		"metadata that are secret": {
			property.PropertyMap{
				"metadata": property.MakeSecret(property.NewProperty(property.PropertyMap{"name": text})),
			},
			property.PropertyMap{"metadata": property.MakeSecret(property.NewProperty(property.PropertyMap{
				"name": text, "annotations": annotations,
			}))},
		},
		"metadata that are not known": {
			property.PropertyMap{"metadata": annotations}, property.PropertyMap{"metadata": annotations},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := fromWire(t, withoutAnnotations(onWire(t, tt.in))); !got.DeepEquals(tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
