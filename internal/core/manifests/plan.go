package manifests

import (
	"maps"
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// change is what edits do to a value of a document. The edits are made as [tree.Edit.Apply] makes them, but in a record
// instead of a copy, which has the places of what changes.
type change struct {
	// value is the value before the edits.
	value any
	// entries are the changes of the values of a map, by their keys, and items those of the elements of a list. Values
	// that the edits do not reach are not in entries, and nil in items.
	entries map[string]*change
	items   []*change
	// left is how many of the values or elements there are still.
	left int
	// added are new keys of a map, and appended new elements of a list.
	added    map[string]any
	appended []any
	// deleted is true for a removed value, and whole if an edit removed it itself: otherwise because it is empty.
	deleted, whole bool
	// now is the value that replaces a removed value or null; nil if there is none.
	now any
}

func newChange(value any) *change {
	c := &change{value: value}
	switch value := value.(type) {
	case map[string]any:
		c.left = len(value)
	case []any:
		c.left = len(value)
	}
	return c
}

// exists reports whether there is a value. Null counts as one of the values of its map.
func (c *change) exists() bool { return !c.deleted || c.now != nil }

// emptied reports whether a map or a list stays although nothing is left in it.
func (c *change) emptied() bool {
	_, isMap := c.value.(map[string]any)
	_, isList := c.value.([]any)
	return (isMap || isList) && c.exists() && c.now == nil && c.left+len(c.added)+len(c.appended) == 0 && c.differs()
}

// entry returns the change of a value of a map, nil if the map has no such key.
func (c *change) entry(key string) *change {
	value, exists := tree.Map(c.value)[key]
	if c.entries[key] == nil && exists {
		if c.entries == nil {
			c.entries = map[string]*change{}
		}
		c.entries[key] = newChange(value)
	}
	return c.entries[key]
}

// elements returns the changes of the elements of a list.
func (c *change) elements() []*change {
	if list := tree.List(c.value); c.items == nil {
		c.items = make([]*change, len(list))
		for i, element := range list {
			c.items[i] = newChange(element)
		}
	}
	return c.items
}

// current returns the value after the edits.
func (c *change) current() any {
	switch {
	case c.now != nil:
		return c.now
	case c.deleted:
		return nil
	}
	switch value := c.value.(type) {
	case map[string]any:
		out := maps.Clone(value)
		for key, child := range c.entries {
			if out[key] = child.current(); !child.exists() {
				delete(out, key)
			}
		}
		maps.Copy(out, c.added)
		return out
	case []any:
		if c.items == nil {
			return slices.Concat(value, c.appended)
		}
		out := []any{}
		for _, item := range c.items {
			if item.exists() {
				out = append(out, item.current())
			}
		}
		return append(out, c.appended...)
	default:
		return value
	}
}

// differs reports whether the value changes.
func (c *change) differs() bool {
	switch {
	case c == nil:
		return false
	case c.now != nil:
		return !tree.Equal(c.now, c.value)
	case c.deleted, len(c.added) > 0, len(c.appended) > 0:
		return true
	}
	return slices.ContainsFunc(c.items, (*change).differs) ||
		slices.ContainsFunc(slices.Collect(maps.Values(c.entries)), (*change).differs)
}

func (c *change) apply(e tree.Edit) {
	switch {
	case c.now != nil:
		if c.now = e.Apply(c.now); c.now == nil {
			c.deleted, c.whole = true, true
		}
	case e.Remove && !c.deleted && c.value != nil:
		c.remove(e)
	case !e.Remove && (c.value == nil || c.whole):
		c.now = e.Apply(nil)
	case !e.Remove:
		c.add(e)
	}
}

func (c *change) add(e tree.Edit) {
	elements, several := e.Value.([]any)
	keys, isKeys := e.Value.(map[string]any)
	switch c.value.(type) {
	case map[string]any:
		switch {
		case len(e.Path) > 0 && e.Path[0] != tree.Each:
			c.addKey(e.Path[0], tree.Edit{Path: e.Path[1:], Value: e.Value})
		case len(e.Path) == 0 && c.deleted && isKeys:
			for key, value := range keys {
				c.addKey(key, tree.Edit{Value: value})
			}
			c.deleted = false
		case len(e.Path) == 0 && c.deleted:
			c.now, c.whole = e.Value, true
		}
	case []any:
		switch {
		case len(e.Path) == 0 && several:
			have, _ := c.current().([]any)
			c.appended, c.deleted = append(c.appended, tree.Missing(have, elements)...), false
		case len(e.Path) == 0 && c.deleted:
			c.now, c.whole = e.Value, true
		case len(e.Path) > 0 && c.deleted:
			if now := e.Apply(nil); now != nil {
				c.now, c.whole = now, true
			}
		case len(e.Path) > 0 && e.Path[0] == tree.Each:
			c.each(tree.Edit{Path: e.Path[1:], Value: e.Value})
		}
	}
}

func (c *change) addKey(key string, e tree.Edit) {
	child := c.entry(key)
	if child == nil {
		if added := e.Apply(c.added[key]); added != nil {
			if c.added == nil {
				c.added = map[string]any{}
			}
			c.added[key], c.deleted = added, false
		}
		return
	}
	before := child.exists()
	if child.apply(e); !before && child.exists() {
		c.left++
		c.deleted = false
	}
}

func (c *change) remove(e tree.Edit) {
	list, several := e.Value.([]any)
	_, isList := c.value.([]any)
	left := c.left + len(c.added) + len(c.appended)
	switch {
	case len(e.Path) == 0 && isList && several:
		for _, item := range c.elements() {
			if item.exists() && tree.Contains(list, item.current()) {
				item.deleted, item.whole, item.now = true, true, nil
				c.left--
			}
		}
		c.appended = slices.DeleteFunc(c.appended, func(added any) bool { return tree.Contains(list, added) })
	case len(e.Path) == 0:
		c.whole = e.Value == nil || tree.Equal(c.current(), e.Value)
		c.deleted = c.whole
		return
	case isList && e.Path[0] == tree.Each:
		c.each(tree.Edit{Path: e.Path[1:], Value: e.Value, Remove: true})
	case !isList && e.Path[0] != tree.Each:
		c.removeKey(e.Path[0], tree.Edit{Path: e.Path[1:], Value: e.Value, Remove: true})
	}
	now := c.left + len(c.added) + len(c.appended)
	c.deleted = now == 0 && left > 0
}

func (c *change) removeKey(key string, e tree.Edit) {
	child := c.entry(key)
	if child == nil {
		if added, exists := c.added[key]; exists {
			if c.added[key] = e.Apply(added); c.added[key] == nil {
				delete(c.added, key)
			}
		}
		return
	}
	before := child.exists()
	if child.apply(e); before && !child.exists() {
		c.left--
	}
}

// each makes an edit in each element of a list.
func (c *change) each(e tree.Edit) {
	for _, item := range c.elements() {
		if !item.exists() {
			continue
		}
		if item.apply(e); !item.exists() {
			c.left--
		}
	}
	var appended []any
	for _, element := range c.appended {
		if element = e.Apply(element); element != nil {
			appended = append(appended, element)
		}
	}
	c.appended = appended
}
