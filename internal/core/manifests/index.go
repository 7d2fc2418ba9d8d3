package manifests

import "sync"

// index has the children of the values in which a document has looked up a line. Each value is read once, however many
// lines are looked up in it. Documents of different goroutines may share it.
type index struct {
	mutex  sync.Mutex
	values map[int]children
}

// children are the places of the children of a value.
type children struct {
	// all are the places in the order of the file.
	all []int
	// keys are the places by their keys. If a key is both written and merged, the last value counts.
	keys map[string]int
}

// of returns the children of the value at a place.
func (x *index) of(d Document, parent int) children {
	if x == nil {
		return childrenOf(d, parent)
	}
	x.mutex.Lock()
	defer x.mutex.Unlock()
	found, ok := x.values[parent]
	if !ok {
		found = childrenOf(d, parent)
		if x.values == nil {
			x.values = map[int]children{}
		}
		x.values[parent] = found
	}
	return found
}

func childrenOf(d Document, parent int) children {
	c := children{keys: map[string]int{}}
	for at := range d.children(parent) {
		c.all = append(c.all, at)
		if key := d.places[at].key; key != "" {
			c.keys[key] = at
		}
	}
	return c
}
