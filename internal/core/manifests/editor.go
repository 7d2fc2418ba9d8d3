package manifests

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"
)

// editor edits one document.
type editor struct {
	*source
	// file is the name of the file, newline its line ending.
	file, newline string
	changes       []Change
	// cut are the numbers of the lines to remove.
	cut []int
	// flows are the lists and mappings in brackets that were scanned.
	flows map[*yaml.Node]*flow
}

func (e *editor) refuse(n *yaml.Node, format string, args ...any) error {
	return &Error{File: e.file, Line: e.line - 1 + n.Line, Detail: fmt.Sprintf(format, args...)}
}

func (e *editor) insert(at, replaced int, text string) {
	e.changes = append(e.changes, Change{e.offset + at, replaced, text})
}

// document edits the whole document.
func (e *editor) document(n *yaml.Node, c *change) error {
	if c.deleted {
		return e.refuse(n, "nothing would be left of the object: delete it instead")
	}
	if err := e.value(nil, n, c); err != nil {
		return err
	}
	e.cutLines()
	slices.SortStableFunc(e.changes, Change.compare)
	end := 0
	for _, change := range e.changes {
		if change.At < end {
			return e.refuse(n, "%s", notFound)
		}
		end = change.At + change.Replaced
	}
	return nil
}

// notFound is the message if the places of values cannot be told from what the parser returns.
const notFound = "the places to change are not found: write each key in a line of its own"

// value edits the value of a key, whose node is nil for the object itself and for the elements of lists.
func (e *editor) value(key, n *yaml.Node, c *change) error {
	kind := "value"
	if _, isList := c.value.([]any); isList {
		kind = "list"
	}
	if err := e.onlyHere(n, kind, c.purpose()); err != nil {
		return err
	}
	if kind == "list" {
		return e.list(n, c)
	}
	return e.mapping(key, n, c)
}

// onlyHere returns an error if a value is not written here, or is also used elsewhere.
func (e *editor) onlyHere(n *yaml.Node, kind, purpose string) error {
	if n.Kind == yaml.AliasNode {
		return e.refuse(n, "*%s stands for a %s that is written elsewhere: write the %s itself here, so that it can "+
			"be %s", n.Value, kind, kind, purpose)
	}
	if name, ok := e.shared[n]; ok {
		return e.refuse(n, "*%s repeats this %s elsewhere: write the %s itself there, so that each can be %s", name,
			kind, kind, purpose)
	}
	return nil
}

// The purposes of edits, for messages.
const (
	toComplete = "completed"
	toChange   = "changed"
)

// purpose returns why a value changes.
func (c *change) purpose() string {
	if c.removes() {
		return toChange
	}
	return toComplete
}

// removes reports whether something is removed or replaced.
func (c *change) removes() bool {
	if c == nil {
		return false
	}
	return c.deleted || slices.ContainsFunc(c.items, (*change).removes) ||
		slices.ContainsFunc(slices.Collect(maps.Values(c.entries)), (*change).removes)
}

// keysOf returns the indexes of the keys of a mapping.
func keysOf(n *yaml.Node) (index map[string]int, twice map[string]bool) {
	index, twice = map[string]int{}, map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := n.Content[i]; k.Kind == yaml.ScalarNode {
			_, twice[k.Value] = index[k.Value]
			index[k.Value] = i / 2
		}
	}
	return index, twice
}

// mapping edits a mapping.
func (e *editor) mapping(key, n *yaml.Node, c *change) error {
	index, twice := keysOf(n)
	added := maps.Clone(c.added)
	if added == nil {
		added = map[string]any{}
	}
	_, merges := index["<<"]
	for _, name := range slices.Sorted(maps.Keys(added)) {
		if merges && merged(n, name) {
			return e.merged(n, name, toComplete)
		}
	}
	var removed []int
	for _, name := range slices.Sorted(maps.Keys(c.entries)) {
		child := c.entries[name]
		if !child.differs() {
			continue
		}
		i, written := index[name]
		switch {
		case merges && merged(n, name):
			return e.merged(n, name, child.purpose())
		case !written:
			return e.refuse(n, "%s is not written as a text: put the key in quotes, so that its value can be %s",
				shown(name), child.purpose())
		case twice[name]:
			return e.refuse(n.Content[2*i], "duplicate key %q: remove one, so that it can be %s", shown(name),
				child.purpose())
		}
		goes, err := e.entry(n, i, child)
		if err != nil {
			return err
		}
		if goes {
			removed = append(removed, i)
			if child.exists() {
				added[name] = child.current()
			}
		}
	}
	slices.Sort(removed)
	if err := e.unused(n, removed); err != nil {
		return err
	}
	if n.Style&yaml.FlowStyle != 0 {
		return e.inFlow(n, removed, e.entries(added))
	}
	return e.inBlock(key, n, removed, added)
}

// entry edits an entry of a mapping. It returns true if the entry has to be removed, and added again if there is a
// value in its place.
func (e *editor) entry(n *yaml.Node, i int, c *change) (goes bool, err error) {
	key, v := n.Content[2*i], n.Content[2*i+1]
	inBrackets := v.Style&yaml.FlowStyle != 0
	switch {
	case c.now == nil && c.deleted && (c.whole || v.Kind != yaml.AliasNode):
		return true, nil
	case c.now == nil && (!c.emptied() || v.Kind == yaml.AliasNode || inBrackets):
		return false, e.value(key, v, c)
	}
	if err := e.onlyHere(v, "value", c.purpose()); err != nil {
		return false, err
	}
	if c.value == nil {
		return false, e.fill(v, c.now)
	}
	return true, nil
}

// merged returns the error about a key that a merge key brings.
func (e *editor) merged(n *yaml.Node, name, purpose string) error {
	merge, _ := entry(n, "<<")
	return e.refuse(merge, "a merge key (<<) brings %s: write %s itself here, so that it can be %s", name, name,
		purpose)
}

// unused returns an error if something in the removed entries or elements is used elsewhere.
func (e *editor) unused(n *yaml.Node, removed []int) error {
	if len(e.shared) == 0 {
		return nil
	}
	var check func(n *yaml.Node) error
	check = func(n *yaml.Node) error {
		if name, ok := e.shared[n]; ok {
			return e.refuse(n, "*%s repeats this value elsewhere: write the value itself there, so that it can be "+
				"removed here", name)
		}
		for _, child := range n.Content {
			if err := check(child); err != nil {
				return err
			}
		}
		return nil
	}
	for _, i := range removed {
		for _, part := range partsOf(n, i) {
			if err := check(part); err != nil {
				return err
			}
		}
	}
	return nil
}

// partsOf returns the nodes of an entry, or of an element.
func partsOf(n *yaml.Node, i int) []*yaml.Node {
	if n.Kind == yaml.MappingNode {
		return n.Content[2*i : 2*i+2]
	}
	return n.Content[i : i+1]
}

// merged reports whether a merge key adds a key.
func merged(n *yaml.Node, name string) bool {
	_, v := entry(n, "<<")
	if v == nil {
		return false
	}
	from := []*yaml.Node{v}
	if v.Kind == yaml.SequenceNode {
		from = v.Content
	}
	return slices.ContainsFunc(from,
		func(m *yaml.Node) bool { return lookup(m, name) != nil || merged(resolved(m), name) })
}

// list edits a list.
func (e *editor) list(n *yaml.Node, c *change) error {
	var removed []int
	for i, item := range c.items {
		var err error
		switch {
		case !item.differs():
		case item.now == nil && item.deleted && (item.whole || n.Content[i].Kind != yaml.AliasNode):
			removed = append(removed, i)
		case item.now == nil:
			err = e.value(nil, n.Content[i], item)
		default:
			if err = e.onlyHere(n.Content[i], "value", toComplete); err == nil {
				err = e.fill(n.Content[i], item.now)
			}
		}
		if err != nil {
			return err
		}
	}
	if err := e.unused(n, removed); err != nil {
		return err
	}
	if n.Style&yaml.FlowStyle == 0 {
		return e.inBlockList(n, removed, c.appended)
	}
	var texts []string
	for _, v := range c.appended {
		texts = append(texts, e.flow(v))
	}
	return e.inFlow(n, removed, texts)
}

// fill replaces null, or nothing, with a value.
func (e *editor) fill(null *yaml.Node, value any) error {
	at, ok := e.at(null)
	if at = e.afterNames(null, at); null.Value != "" && !e.json {
		at = e.afterProperties(null, at)
	}
	if !ok || null.Style&yaml.TaggedStyle != 0 || !bytes.HasPrefix(e.text[at:], []byte(null.Value)) {
		return e.refuse(null, "there is no place for the values to add")
	}
	text := e.flow(value)
	if null.Value == "" {
		text = " " + text
	}
	e.insert(at, len(null.Value), text)
	return nil
}
