package tree

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// Normalize brings any value into the form of a tree. The result shares nothing
// with the argument, which must not contain itself.
//
// Numbers without a fraction become int64 where they fit, and float64 where they
// do not; so a uint64 above the largest int64 is a float64, as for kubectl. Keys
// that are no text become one as kubectl makes it of them (1 is "1", true is
// "true"). A map, list or pointer that is nil is nil.
//
// Whatever else encoding/json can write, typed Kubernetes objects for example,
// becomes what it writes. What it cannot write (a function, a channel) is
// [Unknown]: something is there, and nothing can be said about it.
func Normalize(v any) any {
	switch v := v.(type) {
	case nil, bool, string, int64, Unknown:
		return v
	case int:
		return int64(v)
	case float64:
		return Number(v)
	case json.Number:
		return jsonNumber(v)
	case Secret:
		return Secret{Value: Normalize(v.Value)}
	case map[string]any:
		return normalizeMap(v)
	case map[string]string:
		return normalizeMap(v)
	case []any:
		return normalizeList(v)
	case []string:
		return normalizeList(v)
	case map[any]any:
		return normalizeKeys(v)
	case json.Marshaler, encoding.TextMarshaler:
		return throughJSON(v)
	default:
		return normalizeKind(reflect.ValueOf(v))
	}
}

func normalizeMap[V any](m map[string]V) any {
	if m == nil {
		return nil
	}
	out := make(map[string]any, len(m))
	for key, v := range m {
		out[key] = Normalize(v)
	}
	return out
}

func normalizeList[V any](l []V) any {
	if l == nil {
		return nil
	}
	out := make([]any, len(l))
	for i, v := range l {
		out[i] = Normalize(v)
	}
	return out
}

// normalizeKeys is for a YAML mapping with keys that are no text. Where two keys
// have the same text, the one that is text wins.
func normalizeKeys(m map[any]any) any {
	if m == nil {
		return nil
	}
	out := make(map[string]any, len(m))
	for key, v := range m {
		text, isText := key.(string)
		if !isText {
			if text, isText = KeyText(key); !isText {
				if text, isText = KeyText(Normalize(key)); !isText {
					text = fmt.Sprint(key)
				}
			}
			if _, taken := m[text]; taken {
				continue
			}
		}
		out[text] = Normalize(v)
	}
	return out
}

// normalizeKind is for types that are named, or seldom.
func normalizeKind(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool()
	case reflect.String:
		return v.String()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return unsigned(v.Uint())
	case reflect.Float32, reflect.Float64:
		return Number(v.Float())
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return Normalize(v.Elem().Interface())
	case reflect.Map:
		if v.Type().Key().Kind() != reflect.String || v.IsNil() {
			return throughJSON(v.Interface())
		}
		out := make(map[string]any, v.Len())
		for entries := v.MapRange(); entries.Next(); {
			out[entries.Key().String()] = Normalize(entries.Value().Interface())
		}
		return out
	case reflect.Slice:
		// encoding/json makes a text of bytes.
		if v.Type().Elem().Kind() == reflect.Uint8 || v.IsNil() {
			return throughJSON(v.Interface())
		}
		return normalizeItems(v)
	case reflect.Array:
		return normalizeItems(v)
	default:
		return throughJSON(v.Interface())
	}
}

func normalizeItems(v reflect.Value) []any {
	out := make([]any, v.Len())
	for i := range out {
		out[i] = Normalize(v.Index(i).Interface())
	}
	return out
}

func throughJSON(v any) any {
	text, err := json.Marshal(v)
	if err != nil {
		return Unknown{}
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var plain any
	if err := decoder.Decode(&plain); err != nil {
		return Unknown{}
	}
	return Normalize(plain)
}

// Number is a float as trees have it: a whole one is an int64 where it fits.
func Number(f float64) any {
	// The largest int64 is no float64; the next one above it is 2^63.
	if f == math.Trunc(f) && f >= math.MinInt64 && f < -math.MinInt64 {
		return int64(f)
	}
	return f
}

func unsigned(u uint64) any {
	if u > math.MaxInt64 {
		return float64(u)
	}
	return int64(u)
}

// jsonNumber is a number as written. What no float64 can hold stays a text.
func jsonNumber(n json.Number) any {
	if i, err := n.Int64(); err == nil {
		return i
	}
	if f, err := n.Float64(); err == nil {
		return Number(f)
	}
	return n.String()
}

// KeyText is a key of a YAML mapping as kubectl makes a text of it; false for one
// that it refuses.
func KeyText(key any) (string, bool) {
	switch key := key.(type) {
	case string:
		return key, true
	case bool:
		return strconv.FormatBool(key), true
	case int64:
		return strconv.FormatInt(key, 10), true
	case float64:
		switch {
		case math.IsInf(key, 1):
			return ".inf", true
		case math.IsInf(key, -1):
			return "-.inf", true
		case math.IsNaN(key):
			return ".nan", true
		}
		// 32 bits as sigs.k8s.io/yaml has it.
		return strconv.FormatFloat(key, 'g', -1, 32), true
	default:
		return "", false
	}
}
