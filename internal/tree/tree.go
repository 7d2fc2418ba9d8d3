package tree

import "fmt"

// What is shown of the marks.
const (
	unknown = "[unknown]"
	hidden  = "[secret]"
)

// Unknown stands for a value that is not known yet, as an output in a preview.
// It is set, but nothing can be said about what it holds.
type Unknown struct{}

// String keeps the mark readable in messages.
func (Unknown) String() string { return unknown }

// MarshalText keeps the mark readable in JSON and YAML.
func (Unknown) MarshalText() ([]byte, error) { return []byte(unknown), nil }

// Secret holds a known value that must not appear in any text.
type Secret struct{ Value any }

// String hides the value.
func (Secret) String() string { return hidden }

// Format hides the value from every verb, also from those that are wrong for it.
func (Secret) Format(f fmt.State, verb rune) {
	if verb == 'q' {
		fmt.Fprintf(f, "%q", hidden)
		return
	}
	fmt.Fprint(f, hidden)
}

// MarshalText hides the value from encoders: JSON, YAML and others.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

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

// Map is a value as a map. It is nil for anything else, so that what is looked
// up in it is not there.
func Map(v any) map[string]any {
	if m, ok := v.(map[string]any); ok {
		return m
	}
	m, _ := Reveal(v).(map[string]any)
	return m
}

// List is a value as a list, nil for anything else.
func List(v any) []any {
	if l, ok := v.([]any); ok {
		return l
	}
	l, _ := Reveal(v).([]any)
	return l
}

// Text is a value as a text; false for one that is unknown, missing, or
// something else.
func Text(v any) (string, bool) {
	if s, ok := v.(string); ok {
		return s, true
	}
	s, ok := Reveal(v).(string)
	return s, ok
}

// Bool is a value as a boolean; false, false for one that is unknown, missing,
// or something else.
func Bool(v any) (value, ok bool) {
	value, ok = Reveal(v).(bool)
	return value, ok
}

// Int is a value as an integer; false for one that is unknown, missing, or
// something else.
func Int(v any) (int64, bool) {
	i, ok := Reveal(v).(int64)
	return i, ok
}

// IsUnknown says whether a value is not known yet. A map or list is known, even
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
