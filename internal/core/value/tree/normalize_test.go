package tree_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

func TestNormalize(t *testing.T) {
	t.Parallel()
	type name string
	three := 3
	var nothing *int
	tests := []struct {
		name     string
		in, want any
	}{
		{"nothing", nil, nil},
		{"a text", "a", "a"},
		{"a text of a named type", name("a"), "a"},
		{"a boolean", true, true},
		{"an int", 3, int64(3)},
		{"an int8", int8(-3), int64(-3)},
		{"an int32", int32(3), int64(3)},
		{"an int64", int64(3), int64(3)},
		{"a uint16", uint16(3), int64(3)},
		{"the largest int64 as uint64", uint64(math.MaxInt64), int64(math.MaxInt64)},
		{"a uint64 beyond it", uint64(math.MaxInt64) + 1, float64(1 << 63)},
		{"a float without a fraction", 3.0, int64(3)},
		{"a float32 without a fraction", float32(3), int64(3)},
		{"a negative zero", math.Copysign(0, -1), int64(0)},
		{"a float with a fraction", 3.5, 3.5},
		{"the smallest int64 as float", -float64(1 << 63), int64(math.MinInt64)},
		{"a float beyond int64", float64(1 << 63), float64(1 << 63)},
		{"a float far beyond int64", 1e300, 1e300},
		{"infinity", math.Inf(1), math.Inf(1)},
		{"a JSON number", json.Number("3"), int64(3)},
		{"a JSON number with an exponent", json.Number("1e3"), int64(1000)},
		{"a JSON number with a fraction", json.Number("1.5"), 1.5},
		{"a JSON number beyond int64", json.Number("9223372036854775808"), float64(1 << 63)},
		{"a JSON number beyond float64", json.Number("1e400"), "1e400"},
		{"a pointer", &three, int64(3)},
		{"a nil pointer", nothing, nil},
		{"a nil map", map[string]any(nil), nil},
		{"a nil list", []any(nil), nil},
		{"a nil map of texts", map[string]string(nil), nil},
		{"a nil list of a named type", []name(nil), nil},
		{"an empty map", map[string]any{}, map[string]any{}},
		{"an empty list", []string{}, []any{}},
		{"a map of texts", map[string]string{"a": "b"}, map[string]any{"a": "b"}},
		{"a map with named keys and numbers", map[name]int{"a": 1}, map[string]any{"a": int64(1)}},
		{"a map with numbers as keys", map[int]string{1: "a"}, map[string]any{"1": "a"}},
		{"a list of maps", []map[string]any{{"a": 1}}, []any{map[string]any{"a": int64(1)}}},
		{"an array", [2]int{1, 2}, []any{int64(1), int64(2)}},
		{
			"a YAML mapping with keys that are not text",
			map[any]any{"a": 1, 1: "b", true: "c", 1.36: "d", 1e21: "e", uint8(7): "f", nil: "g"},
			map[string]any{"a": int64(1), "1": "b", "true": "c", "1.36": "d", "1e+21": "e", "7": "f", "<nil>": "g"},
		},
		{"two keys with one text", map[any]any{1: "number", "1": "text"}, map[string]any{"1": "text"}},
		{"bytes", []byte("abc"), "YWJj"},
		{"a time", time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC), "2001-01-01T00:00:00Z"},
		{"a quantity", resource.MustParse("800m"), "800m"},
		{"a number or text", intstr.FromInt32(80), int64(80)},
		{
			"a typed object", &corev1.Toleration{
				Key: "os", Operator: corev1.TolerationOpEqual,
				TolerationSeconds: new(int64(5)),
			},
			map[string]any{"key": "os", "operator": "Equal", "tolerationSeconds": int64(5)},
		},
		{"a function", func() {}, tree.Unknown{}},
		{"a channel in a list", []any{make(chan int)}, []any{tree.Unknown{}}},
		{"an unknown value", map[string]any{"a": tree.Unknown{}}, map[string]any{"a": tree.Unknown{}}},
		{"a secret", tree.Secret{Value: []int{1}}, tree.Secret{Value: []any{int64(1)}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := tree.Normalize(tt.in)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Normalize (-want +got):\n%s", diff)
			}
			wantTree(t, got)
			if diff := cmp.Diff(got, tree.Normalize(got)); diff != "" {
				t.Errorf("Normalize changes a tree (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNormalizeSharesNothing(t *testing.T) {
	t.Parallel()
	inner := map[string]any{"b": []any{"c"}}
	list := []any{inner}
	in := map[string]any{"a": list, "s": tree.Secret{Value: inner}}
	got := tree.Normalize(in)
	inner["b"].([]any)[0] = "changed"
	inner["new"] = 1
	list[0] = "changed"
	in["new"] = 1
	want := map[string]any{
		"a": []any{map[string]any{"b": []any{"c"}}},
		"s": tree.Secret{Value: map[string]any{"b": []any{"c"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after a change of the argument (-want +got):\n%s", diff)
	}
}

// All decoders of a manifest lead to the same tree.
func TestNormalizeReturnsTheSameTreeForAllDecoders(t *testing.T) {
	t.Parallel()
	const text = `{"a": [1, 2.5, 3.0, "x", true, null], "b": {"c": 9007199254740993}}`
	want := map[string]any{
		"a": []any{int64(1), 2.5, int64(3), "x", true, nil},
		"b": map[string]any{"c": int64(9007199254740993)},
	}
	var fromYAML any
	if err := yaml.Unmarshal([]byte(text), &fromYAML); err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]any{
		"YAML": tree.Normalize(fromYAML), "RawMessage": tree.Normalize(json.RawMessage(text)),
	} {
		if diff := cmp.Diff(want, v); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// wantTree fails for a type that trees do not consist of.
func wantTree(t *testing.T, v any) {
	t.Helper()
	switch v := v.(type) {
	case nil, bool, string, int64, tree.Unknown:
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<62 {
			t.Errorf("%v is a float64, but a whole number", v)
		}
	case tree.Secret:
		wantTree(t, v.Value)
	case []any:
		for _, item := range v {
			wantTree(t, item)
		}
	case map[string]any:
		for _, item := range v {
			wantTree(t, item)
		}
	default:
		t.Errorf("%#v is a %T, which is not a type of a tree", v, v)
	}
}
