package tools

import "fmt"

// Pinned returns the version that the checkout pins a tool to, v1.36.3 for
// example.
func (c *Cache) Pinned(name string) (string, error) {
	for _, t := range c.table {
		if t.name == name {
			return t.pinned(c.Root)
		}
	}
	return "", fmt.Errorf("unknown tool %q", name)
}
