package pods

import (
	"strconv"
	"strings"
)

// Key is a part of a path that is not a field's name but the key of a map.
type Key string

// Path is the path of a field in the pods' spec.
func (p *Pods) Path(parts ...any) string {
	if p.at != nil {
		return p.at(parts)
	}
	return p.Prefix + "spec" + Join(parts...)
}

// In is the path of a field in a container of the pods.
func (p *Pods) In(c *Container, parts ...any) string {
	if c.imageAt != "" && len(parts) > 0 && parts[0] == "image" {
		return c.imageAt + Join(parts[1:]...)
	}
	if c.at != "" {
		return c.at + Join(parts...)
	}
	return p.Path(c.List, c.Index) + Join(parts...)
}

// Join writes the parts of a path behind another path: names, indices and keys.
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
