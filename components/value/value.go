// Package value has the marks that stand in an object's tree for what is not a plain value: for
// one that is not known yet, and for one that must not be shown.
package value

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
