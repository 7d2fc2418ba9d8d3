package manifests

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Text is a file whose documents can be edited.
type Text struct {
	// Documents are the documents, as [ReadObjects] returns them.
	Documents []Document

	name string
	// content is the text in UTF-8, and encode encodes it in the file's encoding. newline is the file's line ending.
	content []byte
	encode  func([]byte) []byte
	newline string
	changes []Change
}

// Change replaces some bytes with a text; both can be empty.
type Change struct {
	// At is the offset in the original text, in UTF-8, and Replaced the number of replaced bytes.
	At, Replaced int
	// Text replaces them.
	Text string
}

// compare orders changes. An insertion is before a replacement of the bytes after it.
func (c Change) compare(other Change) int {
	return cmp.Or(cmp.Compare(c.At, other.At), cmp.Compare(c.Replaced, other.Replaced))
}

// Changes returns the changes in the order of the text. They do not overlap.
func (t *Text) Changes() []Change {
	return slices.SortedStableFunc(slices.Values(t.changes), Change.compare)
}

// Size returns the number of bytes of the original text, as the offsets of [Change] count them.
func (t *Text) Size() int { return len(t.content) }

// Bytes returns the text with all changes, in the encoding of the file.
func (t *Text) Bytes() []byte { return t.encode(changed(t.content, t.Changes())) }

// Changed returns the text of a file with changes, in the encoding of the file.
func Changed(text []byte, changes []Change) []byte {
	content, encode := Decode(text)
	return encode(changed(content, changes))
}

func changed(content []byte, changes []Change) []byte {
	var out bytes.Buffer
	at := 0
	for _, c := range changes {
		out.Write(content[at:c.At])
		out.WriteString(c.Text)
		at = c.At + c.Replaced
	}
	out.Write(content[at:])
	return out.Bytes()
}

// Edit makes edits in a document of the text, as [tree.Edited] makes them in its value. It must be called once for a
// document, with all edits. Their values have no secrets.
//
// A new key becomes the first one of its mapping, and elements are appended to a list. If a mapping or a list in
// brackets stays although nothing is left in it, so do its brackets, and the comment after them.
//
// With a key or an element go its lines, the comments at their ends, and the empty lines between them. A comment in a
// line of its own stays, above or inside of what is removed: people wrote it. There it is indented no deeper than the
// removed key or element was. A comment that follows brackets or other values in the line of what is removed stays.
//
// The error is an *[Error] with the line that prevents an edit; then nothing is edited. It prevents an edit that other
// parts of the document share the value, by an alias or a merge key, and that a key is written twice, or after a
// question mark.
func (t *Text) Edit(d Document, edits []tree.Edit) error {
	root := newChange(d.Value)
	for _, edit := range edits {
		root.apply(edit)
	}
	if !root.differs() {
		return nil
	}
	e := editor{file: t.name, source: d.source, newline: t.newline}
	if d.node == nil {
		return &Error{File: t.name, Line: d.Line(""), Detail: "a merge key (<<) brings the items of the list: " +
			"write the items themselves here, so that they can be completed"}
	}
	if err := e.document(d.node, root); err != nil {
		return err
	}
	t.changes = append(t.changes, e.changes...)
	return nil
}

// newlineOf returns the line ending of a text.
func newlineOf(content []byte) string {
	if i := bytes.IndexByte(content, '\n'); i > 0 && content[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// source is a chunk with known nodes.
type source struct {
	chunk
	// json is true if the columns of the nodes are offsets.
	json bool
	// starts are the offsets of its lines, in the chunk.
	starts []int
	// marks are the offsets of every [markEvery]th letter of a line, from its beginning, for the long lines among them.
	marks map[int][]int
	// shared are the nodes that are used in several places, with the names of their anchors.
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

// share records the nodes that aliases refer to.
func (s *source) share(n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		s.shared[n.Alias] = n.Value
	}
	for _, child := range n.Content {
		s.share(child)
	}
}

// at returns the offset of a node in the chunk; false for a position that the text does not have, because the parser
// recognizes more line ends than this package.
func (s *source) at(n *yaml.Node) (int, bool) {
	if s.json {
		return n.Column, true
	}
	if n.Line < 1 || n.Line > len(s.starts) {
		return 0, false
	}
	at, left := s.starts[n.Line-1], n.Column-1
	if marks := s.marked(n.Line); left >= markEvery && left/markEvery < len(marks) {
		at, left = marks[left/markEvery], left%markEvery
	}
	for range left {
		if at >= len(s.text) {
			return 0, false
		}
		_, size := utf8.DecodeRune(s.text[at:])
		at += size
	}
	return at, true
}

// markEvery is the distance of the marks in a line, in letters.
const markEvery = 256

// marked returns the marks of a line: thousands of objects in one line must not each be searched from its beginning.
func (s *source) marked(line int) []int {
	begin, end := s.starts[line-1], s.after(line)
	if end-begin <= 2*markEvery {
		return nil
	}
	if marks, known := s.marks[line]; known {
		return marks
	}
	var marks []int
	for i := 0; begin < end; i++ {
		if i%markEvery == 0 {
			marks = append(marks, begin)
		}
		_, size := utf8.DecodeRune(s.text[begin:])
		begin += size
	}
	if s.marks == nil {
		s.marks = map[int][]int{}
	}
	s.marks[line] = marks
	return marks
}

// after returns the offset of the line after one, or the end of the text if it is the last line.
func (s *source) after(line int) int {
	if line >= len(s.starts) {
		return len(s.text)
	}
	return s.starts[line]
}

// lookup returns the value of a key of a mapping, nil if there is none.
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

// resolved returns the node that an alias refers to, and any other node itself.
func resolved(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}
