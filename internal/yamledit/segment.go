package yamledit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// segment is the text of one document, or of one of several JSON objects that
// follow one another.
type segment struct {
	text []byte
	// offset is where it begins in the file, before how many lines there are
	// before it.
	offset, before int
	json           bool
	root           *yaml.Node
	// starts are the offsets of its lines, in the segment.
	starts []int
}

// segments cuts a text where its documents end, as internal/tree does.
func segments(content []byte) []*segment {
	var all []*segment
	begin, lines := 0, 0
	beginLine := 0
	cut := func(end int) {
		if text := content[begin:end]; !isBlank(text) {
			all = append(all, apart(&segment{text: text, offset: begin, before: beginLine})...)
		}
	}
	for at := 0; at < len(content); {
		end := len(content)
		if i := bytes.IndexByte(content[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		lines++
		text := content[at:end]
		mark := bytes.HasPrefix(text, []byte("---")) ||
			bytes.HasPrefix(text, []byte("...")) && (len(text) == 3 || strings.ContainsRune(" \t\r\n", rune(text[3])))
		if mark {
			cut(at)
			begin, beginLine = end, lines
		}
		at = end
	}
	cut(len(content))
	return all
}

func isBlank(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimLeft(line, " \t\r\n"); len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}

// apart cuts JSON objects that follow one another. What is no JSON stays as it is.
func apart(s *segment) []*segment {
	if !bytes.HasPrefix(bytes.TrimLeft(s.text, " \t\r\n"), []byte("{")) {
		return []*segment{s}
	}
	var all []*segment
	decoder := json.NewDecoder(bytes.NewReader(s.text))
	for {
		var value json.RawMessage
		err := decoder.Decode(&value)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			return []*segment{s}
		}
		end := int(decoder.InputOffset())
		begin := end - len(value)
		all = append(all, &segment{
			text: s.text[begin:end], offset: s.offset + begin,
			before: s.before + bytes.Count(s.text[:begin], []byte("\n")), json: true,
		})
	}
}

func (s *segment) parse() (*yaml.Node, error) {
	root, err := parseNode(s.text)
	if err != nil {
		return nil, &Error{s.before + 1, fmt.Sprintf("the document that begins here: %v", err)}
	}
	s.root = root
	s.starts = []int{0}
	for i, b := range s.text {
		if b == '\n' {
			s.starts = append(s.starts, i+1)
		}
	}
	return root, nil
}

// line is that of a node in the file.
func (s *segment) line(n *yaml.Node) int { return n.Line + s.before }

// at is the offset of a line and a column in the segment; false for a place that
// the text does not have, as the parser knows more line ends than we do.
func (s *segment) at(line, column int) (int, bool) {
	if line < 1 || line > len(s.starts) {
		return 0, false
	}
	at := s.starts[line-1]
	for range column - 1 {
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
func (s *segment) after(line int) int {
	if line >= len(s.starts) {
		return len(s.text)
	}
	return s.starts[line]
}

// shared are the nodes that aliases stand for.
func (s *segment) shared() map[*yaml.Node]string {
	found := map[*yaml.Node]string{}
	var look func(n *yaml.Node)
	look = func(n *yaml.Node) {
		if n.Kind == yaml.AliasNode {
			found[n.Alias] = n.Value
		}
		for _, child := range n.Content {
			look(child)
		}
	}
	look(s.root)
	return found
}
