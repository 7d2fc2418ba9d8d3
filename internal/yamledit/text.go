package yamledit

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Text is a file with objects.
type Text struct {
	content []byte
	// newline is how lines end.
	newline string
	objects []Object
	changes []Change
}

// Object is one object of a file, or whatever else a document holds.
type Object struct {
	// Line is the one in the file where it begins.
	Line    int
	node    *yaml.Node
	segment *segment
}

// Change puts a text into the place of some bytes, mostly of none.
type Change struct {
	// At is the offset in the text as it was, Replaced how many bytes go.
	At, Replaced int
	// Text comes in their place.
	Text string
}

// Error says which line cannot be edited.
type Error struct {
	Line   int
	Detail string
}

// Error is the line and what is wrong there.
func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Detail) }

// New finds the objects of a text, in their order. It is for texts that
// internal/tree reads without an error: others may have errors here too, or not.
func New(content []byte) (*Text, error) {
	t := &Text{content: content, newline: "\n"}
	if i := bytes.IndexByte(content, '\n'); i > 0 && content[i-1] == '\r' {
		t.newline = "\r\n"
	}
	for _, s := range segments(content) {
		root, err := s.parse()
		if err != nil {
			return nil, err
		}
		if root != nil {
			t.flatten(root, s)
		}
	}
	return t, nil
}

// Objects are the objects, those in lists taken out of them.
func (t *Text) Objects() []Object { return t.objects }

// flatten takes lists apart, as internal/tree does.
func (t *Text) flatten(n *yaml.Node, s *segment) {
	kind, version := resolved(lookup(n, "kind")), resolved(lookup(n, "apiVersion"))
	items := resolved(lookup(n, "items"))
	if kind == nil || version == nil || version.Value == "" || !strings.HasSuffix(kind.Value, "List") || items == nil ||
		items.Kind != yaml.SequenceNode {
		t.objects = append(t.objects, Object{s.line(n), n, s})
		return
	}
	for _, item := range items.Content {
		t.flatten(item, s)
	}
}

// Changes are those that were made, in the order of the text. They do not overlap.
func (t *Text) Changes() []Change {
	return slices.SortedStableFunc(slices.Values(t.changes), func(a, b Change) int { return cmp.Compare(a.At, b.At) })
}

// Bytes is the text with all that was added.
func (t *Text) Bytes() []byte {
	if len(t.changes) == 0 {
		return t.content
	}
	var out bytes.Buffer
	at := 0
	for _, c := range t.Changes() {
		out.Write(t.content[at:c.At])
		out.WriteString(c.Text)
		at = c.At + c.Replaced
	}
	out.Write(t.content[at:])
	return out.Bytes()
}

// Add adds values to an object: maps of maps, lists and texts. What a key of a map
// has already stays; to a list the elements are appended. After an error nothing
// has been added.
func (t *Text) Add(o Object, values map[string]any) error {
	e := editor{text: t, segment: o.segment, shared: o.segment.shared()}
	if err := e.into(nil, o.node, values); err != nil {
		return err
	}
	t.changes = append(t.changes, e.changes...)
	return nil
}

// lookup is the value of a key of a mapping, nil where there is none.
func lookup(n *yaml.Node, key string) *yaml.Node {
	_, v := entry(resolved(n), key)
	return v
}

func entry(n *yaml.Node, key string) (k, v *yaml.Node) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := n.Content[i]; k.Kind == yaml.ScalarNode && k.Value == key {
			return k, n.Content[i+1]
		}
	}
	return nil, nil
}

// resolved is what an alias stands for, and any other node itself.
func resolved(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// parseNode returns nil for a document without a value.
func parseNode(text []byte) (root *yaml.Node, err error) {
	defer func() {
		// The parser is not ours.
		if r := recover(); r != nil {
			root, err = nil, fmt.Errorf("the YAML parser fails: %v", r)
		}
	}()
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(document.Content) == 0 || document.Content[0].Kind == yaml.ScalarNode &&
		document.Content[0].Tag == "!!null" {
		return nil, nil
	}
	return document.Content[0], nil
}
