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

// Normalize converts any value to a tree. The result shares nothing with the
// argument, which must not contain itself.
//
// Numbers without a fraction become int64 if they fit, otherwise float64: a uint64
// above the largest int64 is a float64, as in kubectl. Keys that are not text are
// converted like kubectl does (1 is "1", true is "true"). A map, list or pointer that
// is nil is nil.
//
// Other values, for example typed Kubernetes objects, become what encoding/json
// writes for them. A value that it cannot write (a function, a channel) is
// [Unknown]: the value exists, but nothing is known about it.
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

// normalizeKeys is for a YAML mapping with keys that are not text. If two keys have
// the same text, the key that is text wins.
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

// normalizeKind is for named and rare types.
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
		// encoding/json writes bytes as text.
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

// Number returns a float as trees hold it: a whole number is an int64 if it fits.
func Number(f float64) any {
	// No float64 is the largest int64 exactly; the next one above it is 2^63.
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

// jsonNumber converts a number of a JSON document. A number that does not fit into a float64 stays a text.
func jsonNumber(n json.Number) any {
	if i, err := n.Int64(); err == nil {
		return i
	}
	if f, err := n.Float64(); err == nil {
		return Number(f)
	}
	return n.String()
}

// KeyText returns a key of a YAML mapping as text, like kubectl; false for a key that
// kubectl refuses.
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
		// sigs.k8s.io/yaml formats it with 32 bits, too.
		return strconv.FormatFloat(key, 'g', -1, 32), true
	default:
		return "", false
	}
}
