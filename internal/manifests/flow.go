package manifests

import (
	"bytes"
	"strings"

	"gopkg.in/yaml.v3"
)

// intoFlow adds entries at the beginning of a mapping in braces.
func (e *editor) intoFlow(n *yaml.Node, values map[string]any) error {
	open, ok := e.opening(n, '{')
	if !ok {
		return e.refuse(n, "the beginning of the mapping is not found")
	}
	entries := e.entries(values)
	text := strings.Join(entries, ", ")
	switch {
	case len(n.Content) == 0:
	case n.Content[0].Line > n.Line:
		own := e.ownLine(n.Content[0])
		text = own + strings.Join(entries, ","+own) + ","
	default:
		text += ", "
	}
	e.insert(open+1, 0, text)
	return nil
}

// ownLine returns the text before the first value of a line: the line end and the indentation.
func (e *editor) ownLine(n *yaml.Node) string {
	line := e.text[e.starts[n.Line-1]:]
	return e.newline + string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// appendFlow adds elements at the end of a list in brackets. Comments stay with their elements: the comma goes before a
// comment, and the new elements after it.
func (e *editor) appendFlow(n *yaml.Node, values []any) error {
	last, _, ok := e.closing(n)
	if !ok {
		return e.refuse(n, "the end of the list is not found")
	}
	list := strings.TrimSuffix(strings.TrimPrefix(e.flow(values), "["), "]")
	if len(n.Content) == 0 {
		e.insert(last, 0, e.apart(list, last))
		return nil
	}
	comma := ","
	if e.text[last-1] == ',' {
		comma = ""
	}
	if n.Content[0].Line == n.Line {
		e.insert(last, 0, e.apart(comma+" "+list, last))
		return nil
	}
	at, list := e.behindComment(last), e.ownLine(n.Content[0])+list
	if at == last {
		e.insert(last, 0, comma+list)
		return nil
	}
	if comma != "" {
		e.insert(last, 0, comma)
	}
	e.insert(at, 0, list)
	return nil
}

// apart adds a space if a text would otherwise touch a comment right after it.
func (e *editor) apart(text string, at int) string {
	if at < len(e.text) && e.text[at] == '#' {
		return text + " "
	}
	return text
}

// behindComment returns the offset after the comment that follows an offset in its line, the offset itself if there is
// none.
func (e *editor) behindComment(at int) int {
	line := e.text[at:]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	if !bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("#")) {
		return at
	}
	return at + len(bytes.TrimSuffix(line, []byte("\r")))
}

// opening finds the bracket that begins a node, after an anchor or a tag.
func (e *editor) opening(n *yaml.Node, bracket byte) (int, bool) {
	at, ok := e.at(n)
	if !ok {
		return 0, false
	}
	i := bytes.IndexByte(e.text[at:], bracket)
	return at + i, i >= 0
}

// closing finds the bracket that ends a list or mapping in brackets, and the end of the last token before it that is
// not a comment.
func (e *editor) closing(n *yaml.Node) (last, closing int, ok bool) {
	bracket := byte('[')
	if n.Kind == yaml.MappingNode {
		bracket = '{'
	}
	at, ok := e.opening(n, bracket)
	if !ok {
		return 0, 0, false
	}
	text := e.text
	depth := 0
	// before is the last byte that is not blank: a quote begins a text only where a value can begin.
	before := byte('[')
	// ended is the end of a complete token: a comment may begin right there.
	ended := at
	for ; at < len(text); at++ {
		switch b := text[at]; b {
		case ' ', '\t', '\r', '\n':
			continue
		case '[', '{':
			depth++
			ended = at + 1
		case ']', '}':
			if depth--; depth == 0 {
				return last, at, true
			}
			ended = at + 1
		case ',':
			ended = at + 1
		case '"', '\'':
			if strings.IndexByte("[{,:", before) >= 0 {
				at = quoted(text, at)
				ended = at + 1
			}
		case '#':
			if ended == at || strings.IndexByte(" \t\n", text[at-1]) >= 0 {
				if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
					at += i
				}
				continue
			}
		}
		if at < len(text) {
			before, last = text[at], at+1
		}
	}
	return 0, 0, false
}

// quoted returns the offset of the quote that ends a text.
func quoted(text []byte, at int) int {
	quote := text[at]
	for at++; at < len(text); at++ {
		switch {
		case quote == '"' && text[at] == '\\':
			at++
		case text[at] == quote && quote == '\'' && at+1 < len(text) && text[at+1] == quote:
			at++
		case text[at] == quote:
			return at
		}
	}
	return at
}
