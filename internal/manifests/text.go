package manifests

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Text is a file to whose documents values can be added.
type Text struct {
	// Documents are those that [ReadYAML] returns.
	Documents []Document

	name string
	// content is the text in UTF-8, encode brings it back into the file's encoding.
	content []byte
	encode  func([]byte) []byte
	changes []Change
}

// Change puts a text into the place of some bytes, mostly of none.
type Change struct {
	// At is the offset in the text as it was, in UTF-8, Replaced how many bytes go.
	At, Replaced int
	// Text comes in their place.
	Text string
}

// Changes are those that were made, in the order of the text. They do not overlap.
func (t *Text) Changes() []Change {
	return slices.SortedStableFunc(slices.Values(t.changes), func(a, b Change) int { return cmp.Compare(a.At, b.At) })
}

// Bytes is the text with all that was added, in the encoding of the file.
func (t *Text) Bytes() []byte {
	var out bytes.Buffer
	at := 0
	for _, c := range t.Changes() {
		out.Write(t.content[at:c.At])
		out.WriteString(c.Text)
		at = c.At + c.Replaced
	}
	out.Write(t.content[at:])
	return t.encode(out.Bytes())
}

// Add adds values to a document of the text: maps of maps, lists and texts. What a key of
// a map has already stays; to a list the elements are appended. The error is an *[Error]
// with the line that is in the way; after it nothing has been added.
func (t *Text) Add(d Document, values map[string]any) error {
	e := editor{file: t.name, source: d.source, newline: "\n"}
	if i := bytes.IndexByte(t.content, '\n'); i > 0 && t.content[i-1] == '\r' {
		e.newline = "\r\n"
	}
	if d.node == nil {
		return &Error{File: t.name, Line: d.Line(""), Detail: "a merge key (<<) brings the items of the list: " +
			"write the items themselves here, so that they can be completed"}
	}
	if err := e.into(nil, d.node, values); err != nil {
		return err
	}
	t.changes = append(t.changes, e.changes...)
	return nil
}

// source is a chunk of which the nodes are known.
type source struct {
	chunk
	// json says that the columns of the nodes are offsets.
	json bool
	// starts are the offsets of its lines, in the chunk.
	starts []int
	// shared are the nodes that stand in several places, with the names of their
	// anchors.
	shared map[*yaml.Node]string
}

func newSource(c chunk, json bool) *source {
	s := &source{chunk: c, json: json, starts: []int{0}, shared: map[*yaml.Node]string{}}
	for i, b := range c.text {
		if b == '\n' {
			s.starts = append(s.starts, i+1)
		}
	}
	return s
}

// share notes what aliases stand for.
func (s *source) share(n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		s.shared[n.Alias] = n.Value
	}
	for _, child := range n.Content {
		s.share(child)
	}
}

// at is the offset of a node in the chunk; false for a place that the text does not have,
// as the parser knows more line ends than we do.
func (s *source) at(n *yaml.Node) (int, bool) {
	if s.json {
		return n.Column, true
	}
	if n.Line < 1 || n.Line > len(s.starts) {
		return 0, false
	}
	at := s.starts[n.Line-1]
	for range n.Column - 1 {
		if at >= len(s.text) {
			return 0, false
		}
		_, size := utf8.DecodeRune(s.text[at:])
		at += size
	}
	return at, true
}

// after is the offset of the line after one, the end of the text where there is
// none.
func (s *source) after(line int) int {
	if line >= len(s.starts) {
		return len(s.text)
	}
	return s.starts[line]
}

// lookup is the value of a key of a mapping, nil if there is none.
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
