package collection

import "sync"

// cache computes a value once for each namespace and selector, because many objects can share a selector. The zero
// value is empty. It may be used concurrently.
type cache[V any] struct {
	mu     sync.Mutex
	values map[[2]string]V
}

func (c *cache[V]) of(namespace, selector string, compute func() V) V {
	id := [2]string{namespace, selector}
	c.mu.Lock()
	defer c.mu.Unlock()
	value, known := c.values[id]
	if !known {
		if value = compute(); c.values == nil {
			c.values = map[[2]string]V{}
		}
		c.values[id] = value
	}
	return value
}
