package tree

import "github.com/mixedkube/mixedkube/core/value"

// The marks are public, for callers that check objects with package preflight.
type (
	// Unknown stands for a value that is not known yet.
	Unknown = value.Unknown
	// Secret holds a known value that must not appear in any text.
	Secret = value.Secret
)

// Reveal returns the value in a secret, for code that does not show it.
func Reveal(v any) any {
	for {
		s, ok := v.(Secret)
		if !ok {
			return v
		}
		v = s.Value
	}
}

// Seal makes the leaves of a tree secret, so that no part of it is shown. It changes
// v itself.
func Seal(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, element := range v {
			v[key] = Seal(element)
		}
	case []any:
		for i, element := range v {
			v[i] = Seal(element)
		}
	case nil, Unknown, Secret:
	default:
		return Secret{Value: v}
	}
	return v
}

// Map returns a value as a map. It is nil for anything else, so that a lookup finds
// nothing. If the whole map is secret, each of its leaves is secret.
func Map(v any) map[string]any {
	if m, ok := v.(map[string]any); ok {
		return m
	}
	m, _ := opened(v).(map[string]any)
	return m
}

// List returns a value as a list, nil for anything else. If the whole list is secret,
// each of its leaves is secret.
func List(v any) []any {
	if l, ok := v.([]any); ok {
		return l
	}
	l, _ := opened(v).([]any)
	return l
}

// opened returns the value in a secret, with its leaves as secrets. It normalizes a value
// whose type is not a type of trees. The caller handles other values: they return nil.
func opened(v any) any {
	switch v := v.(type) {
	case nil, string, bool, int64, float64, map[string]any, []any, Unknown:
		return nil
	case Secret:
		return Seal(Normalize(Reveal(v)))
	default:
		return Normalize(v)
	}
}

// Text returns a value as a text; false if it is unknown, missing, or
// something else.
func Text(v any) (string, bool) {
	if s, ok := v.(string); ok {
		return s, true
	}
	s, ok := scalar(v).(string)
	return s, ok
}

// Bool returns a value as a boolean; false, false if it is unknown, missing,
// or something else.
func Bool(v any) (value, ok bool) {
	value, ok = scalar(v).(bool)
	return value, ok
}

// Int returns a value as an integer; false if it is unknown, missing, or
// something else.
func Int(v any) (int64, bool) {
	i, ok := scalar(v).(int64)
	return i, ok
}

// scalar returns a value without its secret, normalized.
func scalar(v any) any {
	switch v := v.(type) {
	case nil, string, bool, int64, map[string]any, []any, Unknown:
		return v
	case Secret:
		return scalar(v.Value)
	default:
		return Normalize(v)
	}
}

// IsUnknown reports whether a value is not known yet. A map or list is known even if
// its elements are not.
func IsUnknown(v any) bool {
	_, ok := Reveal(v).(Unknown)
	return ok
}

// At looks up a value, key by key. A missing value is nil, and a value below an
// unknown one is [Unknown].
func At(v any, keys ...string) any {
	for _, key := range keys {
		if v == nil {
			return nil
		}
		if IsUnknown(v) {
			return Unknown{}
		}
		v = Map(v)[key]
	}
	return v
}
