package tree

import "github.com/mixedkube/mixedkube/components/value"

// The marks are public: who checks objects with package preflight makes them.
type (
	// Unknown stands for a value that is not known yet.
	Unknown = value.Unknown
	// Secret holds a known value that must not appear in any text.
	Secret = value.Secret
)

// Reveal takes the secret off a value, for a look at it that is not shown.
func Reveal(v any) any {
	for {
		s, ok := v.(Secret)
		if !ok {
			return v
		}
		v = s.Value
	}
}

// Seal hides the leaves of a tree, so that nothing is shown that is taken out of
// it. It changes v itself.
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

// Map is a value as a map. It is nil for anything else, so that what is looked
// up in it is not there. Of a map that is secret as a whole, each leaf is.
func Map(v any) map[string]any {
	if m, ok := v.(map[string]any); ok {
		return m
	}
	m, _ := opened(v).(map[string]any)
	return m
}

// List is a value as a list, nil for anything else. Of a list that is secret as a
// whole, each leaf is.
func List(v any) []any {
	if l, ok := v.([]any); ok {
		return l
	}
	l, _ := opened(v).([]any)
	return l
}

// opened is what a secret holds, with the secret in its leaves, and a value of another type
// than those of a tree in its form. Other values are looked at by the caller.
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

// Text is a value as a text; false for one that is unknown, missing, or
// something else.
func Text(v any) (string, bool) {
	if s, ok := v.(string); ok {
		return s, true
	}
	s, ok := scalar(v).(string)
	return s, ok
}

// Bool is a value as a boolean; false, false for one that is unknown, missing,
// or something else.
func Bool(v any) (value, ok bool) {
	value, ok = scalar(v).(bool)
	return value, ok
}

// Int is a value as an integer; false for one that is unknown, missing, or
// something else.
func Int(v any) (int64, bool) {
	i, ok := scalar(v).(int64)
	return i, ok
}

// scalar is a value without its secret, and in the form of a tree.
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

// IsUnknown reports whether a value is not known yet. A map or list is known, even
// where its elements are not.
func IsUnknown(v any) bool {
	_, ok := Reveal(v).(Unknown)
	return ok
}

// At looks a value up, key by key. What is not there is nil; what lies in
// something unknown is [Unknown].
func At(v any, keys ...string) any {
	for _, key := range keys {
		if IsUnknown(v) {
			return Unknown{}
		}
		v = Map(v)[key]
	}
	return v
}
