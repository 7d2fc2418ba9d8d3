package manifests

import (
	"bytes"
	"strings"

	"gopkg.in/yaml.v3"
)

// flow is where a list or mapping in brackets is written.
type flow struct {
	// opening and closing are the offsets of its brackets, and last is the end of the last token before the closing
	// bracket that is not a comment.
	opening, last, closing int
	// parts are its entries or elements.
	parts []part
}

// part is where an entry or element is written.
type part struct {
	begin, end int
	// comma is the offset of the comma after it, -1 if there is none.
	comma int
}

// scan finds the tokens of a list or mapping in brackets.
func (e *editor) scan(n *yaml.Node) (f *flow, ok bool) {
	if f, ok := e.flows[n]; ok {
		return f, f.closing > 0
	}
	f, ok = e.scanned(n)
	if e.flows == nil {
		e.flows = map[*yaml.Node]*flow{}
	}
	e.flows[n] = f
	return f, ok
}

func (e *editor) scanned(n *yaml.Node) (f *flow, ok bool) {
	f = &flow{}
	at, ok := e.at(n)
	if !ok {
		return f, false
	}
	at = e.afterProperties(n, at)
	bracket := byte('[')
	if n.Kind == yaml.MappingNode {
		bracket = '{'
	}
	text := e.text
	if at >= len(text) || text[at] != bracket {
		return f, false
	}
	f.opening = at
	depth := 0
	// before is the last byte that is not blank: a quote begins a text only where a value can begin.
	before := byte('[')
	// ended is the end of a complete token: a comment may begin right there.
	ended := at
	current := part{begin: -1, comma: -1}
	for ; at < len(text); at++ {
		begin := at
		switch b := text[at]; b {
		case ' ', '\t', '\r', '\n':
			continue
		case '[', '{':
			depth++
			ended = at + 1
		case ']', '}':
			if depth--; depth == 0 {
				f.closing = at
				if current.begin >= 0 {
					f.parts = append(f.parts, current)
				}
				return f, true
			}
			ended = at + 1
		case ',':
			ended = at + 1
			if depth == 1 {
				current.comma = at
				f.parts = append(f.parts, current)
				current = part{begin: -1, comma: -1}
				before, f.last = b, at+1
				continue
			}
		case '"', '\'':
			if strings.IndexByte("[{,:", before) >= 0 {
				at = quoted(text, at)
				ended = at + 1
			}
		case '&', '!':
			if strings.IndexByte("[{,:", before) >= 0 {
				// A value can begin after an anchor or a tag.
				for at+1 < len(text) && !isSpace(text[at+1]) && strings.IndexByte(",[]{}", text[at+1]) < 0 {
					at++
				}
				if current.begin < 0 {
					current.begin = begin
				}
				current.end, f.last = at+1, at+1
				continue
			}
		case '#':
			if ended == at || strings.IndexByte(" \t\n", text[at-1]) >= 0 {
				if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
					at += i
				}
				continue
			}
		}
		if at >= len(text) {
			break
		}
		before, f.last = text[at], at+1
		if begin == f.opening {
			continue
		}
		if current.begin < 0 {
			current.begin = begin
		}
		current.end = at + 1
	}
	return f, false
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
