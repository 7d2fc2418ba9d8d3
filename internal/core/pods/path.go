package pods

import (
	"strconv"
	"strings"
)

// Key is a part of a path that is the key of a map, and not the name of a field.
type Key string

// Path returns the path of a field in the pods' spec.
func (p *Pods) Path(parts ...any) string {
	if p.at != nil {
		return p.at(parts)
	}
	return p.Prefix + "spec" + Join(parts...)
}

// In returns the path of a field in a container of the pods.
func (p *Pods) In(c *Container, parts ...any) string {
	if c.imageAt != "" && len(parts) > 0 && parts[0] == "image" {
		return c.imageAt + Join(parts[1:]...)
	}
	if c.at != "" {
		return c.at + Join(parts...)
	}
	return p.Path(c.List, c.Index) + Join(parts...)
}

// Join returns the parts of a path as text to append to another path: names, indexes and keys.
func Join(parts ...any) string {
	var b strings.Builder
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			b.WriteString("." + part)
		case int:
			b.WriteString("[" + strconv.Itoa(part) + "]")
		case Key:
			b.WriteString("[" + string(part) + "]")
		}
	}
	return b.String()
}
