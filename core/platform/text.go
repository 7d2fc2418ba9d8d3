package platform

import "encoding"

var (
	_ encoding.TextMarshaler   = Linux
	_ encoding.TextUnmarshaler = (*Platform)(nil)
)

// UnmarshalText sets p to the platform that text names, in any spelling that [Parse] accepts, so that a value in JSON
// or YAML is validated when it is read. On an error, which is an [*UnknownError], p keeps its value. An empty text is
// an error.
func (p *Platform) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err != nil {
		return err
	}
	*p = parsed
	return nil
}

// MarshalText returns the canonical name. If p is not valid, including the empty value, it returns an [*UnknownError]:
// every text that it writes can be read again. Mark an optional field omitempty.
func (p Platform) MarshalText() ([]byte, error) {
	if !p.Valid() {
		return nil, unknown(string(p))
	}
	return []byte(p), nil
}
