// Package value has the markers that replace two kinds of values in an object's tree: values that are not known yet,
// and values that must not be shown.
package value

import "fmt"

// How the markers are shown.
const (
	unknown = "[unknown]"
	hidden  = "[secret]"
)

// Unknown replaces a value that is not known yet, such as an output in a preview. The value is set, but nothing is
// known about its content.
type Unknown struct{}

// String keeps the marker readable in messages.
func (Unknown) String() string { return unknown }

// MarshalText keeps the marker readable in JSON and YAML.
func (Unknown) MarshalText() ([]byte, error) { return []byte(unknown), nil }

// Secret holds a known value that must not appear in any text.
type Secret struct{ Value any }

// String hides the value.
func (Secret) String() string { return hidden }

// Format hides the value from every verb, including verbs that do not apply to it.
func (Secret) Format(f fmt.State, verb rune) {
	if verb == 'q' {
		fmt.Fprintf(f, "%q", hidden)
		return
	}
	fmt.Fprint(f, hidden)
}

// MarshalText hides the value from encoders: JSON, YAML and others.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }
