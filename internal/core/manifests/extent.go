package manifests

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// end returns the offset at which a value of YAML ends; false if it is not certain. The parent, an entry or an element,
// is indented by a number of columns.
func (e *editor) end(n *yaml.Node, indent int) (int, bool) {
	if n.Kind != yaml.ScalarNode && n.Kind != yaml.AliasNode && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0 {
		last := n.Content[len(n.Content)-1]
		if n.Kind == yaml.MappingNode {
			return e.end(last, n.Content[len(n.Content)-2].Column-1)
		}
		dash, ok := e.firstDash(n)
		if !ok {
			return 0, false
		}
		return e.end(last, dash-e.starts[e.lineOf(dash)-1])
	}
	at, ok := e.at(n)
	if !ok {
		return 0, false
	}
	if n.Kind == yaml.AliasNode {
		alias := "*" + n.Value
		return at + len(alias), bytes.HasPrefix(e.text[at:], []byte(alias))
	}
	if n.Kind == yaml.ScalarNode {
		return e.scalarEnd(n, at, indent)
	}
	f, ok := e.scan(n)
	return f.closing + 1, ok
}

// scalarEnd is end for a scalar at an offset.
func (e *editor) scalarEnd(n *yaml.Node, at, indent int) (int, bool) {
	if n.Value == "" && n.Style&^yaml.TaggedStyle == 0 {
		return e.afterNames(n, at), true
	}
	at = e.afterProperties(n, at)
	first := byte(0)
	if at < len(e.text) {
		first = e.text[at]
	}
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		end := quoted(e.text, at) + 1
		return end, first == '"' && end <= len(e.text)
	case n.Style&yaml.SingleQuotedStyle != 0:
		end := quoted(e.text, at) + 1
		return end, first == '\'' && end <= len(e.text)
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return e.blockEnd(at, indent), first == '|' || first == '>'
	}
	// A plain scalar has the letters of its value, with other white space between them.
	for _, letter := range n.Value {
		if isBreak(letter) || letter == ' ' || letter == '\t' {
			continue
		}
		for {
			r, size := utf8.DecodeRune(e.text[at:])
			if size == 0 {
				return 0, false
			}
			at += size
			if r == letter {
				break
			}
			if !isBreak(r) && r != ' ' && r != '\t' {
				return 0, false
			}
		}
	}
	return at, true
}

// isBreak reports whether YAML breaks a line at a letter.
func isBreak(r rune) bool { return strings.ContainsRune("\r\n\u0085\u2028\u2029", r) }

// isSpace reports whether a byte is white space between tokens.
func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// blockEnd returns the end of the last line of a block scalar whose header is at an offset.
func (e *editor) blockEnd(at, indent int) int {
	line := e.lineOf(at)
	header := e.text[at:e.after(line)]
	if i := bytes.IndexByte(header, '#'); i >= 0 {
		header = header[:i]
	}
	least := 0
	if i := bytes.IndexAny(header, "123456789"); i >= 0 {
		least = indent + int(header[i]-'0')
	}
	end := at + len(bytes.TrimRight(header, " \t\r\n"))
	for line++; line <= len(e.starts); line++ {
		text := e.text[e.starts[line-1]:e.after(line)]
		content := bytes.TrimLeft(text, " ")
		if len(bytes.Trim(content, "\r\n")) == 0 {
			continue
		}
		if least == 0 {
			least = max(len(text)-len(content), indent+1)
		}
		if len(text)-len(content) < least {
			break
		}
		end = e.starts[line-1] + len(bytes.TrimRight(text, "\r\n"))
	}
	return end
}

// afterNames returns the offset after the anchor and the tag of a node at an offset.
func (e *editor) afterNames(n *yaml.Node, at int) int {
	end := at
	for n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
		for at < len(e.text) && isSpace(e.text[at]) {
			at++
		}
		if at >= len(e.text) || e.text[at] != '&' && e.text[at] != '!' {
			break
		}
		for at < len(e.text) && !isSpace(e.text[at]) && !slices.Contains([]byte(",[]{}"), e.text[at]) {
			at++
		}
		end = at
	}
	return end
}

// afterProperties returns the offset of the value of a node after its anchor and tag.
func (e *editor) afterProperties(n *yaml.Node, at int) int {
	if after := e.afterNames(n, at); after > at {
		return e.afterBlank(after)
	}
	return at
}

// afterBlank returns the offset of the next token: white space and comments are before it.
func (e *editor) afterBlank(at int) int {
	for at < len(e.text) {
		switch {
		case isSpace(e.text[at]):
			at++
		case e.text[at] == '#' && (at == 0 || isSpace(e.text[at-1])):
			at = e.after(e.lineOf(at))
		default:
			return at
		}
	}
	return at
}

// firstDash returns the offset of the hyphen before the first element of a list.
func (e *editor) firstDash(n *yaml.Node) (int, bool) {
	at, ok := e.at(n)
	if !ok {
		return 0, false
	}
	at = e.afterProperties(n, at)
	return at, at < len(e.text) && e.text[at] == '-'
}

// lineOf returns the number of the line of an offset.
func (e *editor) lineOf(at int) int {
	i, found := slices.BinarySearch(e.starts, at)
	if found {
		return i + 1
	}
	return i
}

// extent is where an entry of a mapping, or an element of a list, is written.
type extent struct {
	begin, end int
	// line and last are the numbers of its first and its last line.
	line, last int
	// whole is true if it has these lines for itself.
	whole bool
}

// extentOf returns where an entry or element of a block is written; previous is the end of the one before it.
func (e *editor) extentOf(n *yaml.Node, i int) (x extent, ok bool) {
	nodes := partsOf(n, i)
	value := nodes[len(nodes)-1]
	if n.Kind == yaml.MappingNode {
		if x.begin, ok = e.at(nodes[0]); !ok {
			return x, false
		}
		if _, ok := e.end(nodes[0], 0); !ok {
			return x, false
		}
	} else if x.begin, ok = e.dash(n, i); !ok {
		return x, false
	}
	x.line = e.lineOf(x.begin)
	indent := x.begin - e.starts[x.line-1]
	if x.end, ok = e.end(value, indent); !ok || x.end < x.begin {
		return x, false
	}
	x.last = e.lineOf(x.end)
	before := e.text[e.starts[x.line-1]:x.begin]
	x.whole = len(bytes.Trim(before, " ")) == 0
	return x, len(bytes.Trim(before, " -")) == 0 && e.endsLine(x.end)
}

// dash returns the offset of the hyphen before an element.
func (e *editor) dash(n *yaml.Node, i int) (int, bool) {
	at, ok := e.firstDash(n)
	if i == 0 || !ok {
		return at, ok
	}
	previous, ok := e.end(n.Content[i-1], at-e.starts[e.lineOf(at)-1])
	if !ok {
		return 0, false
	}
	at = e.afterBlank(previous)
	return at, at < len(e.text) && e.text[at] == '-'
}

// endsLine reports whether a line has at most a comment after an offset.
func (e *editor) endsLine(at int) bool {
	rest := bytes.TrimLeft(e.text[at:e.after(e.lineOf(at))], " \t\r\n")
	return len(rest) == 0 || rest[0] == '#'
}

// textLines adds the lines that continue texts of several lines, in which a comment cannot be.
func (e *editor) textLines(n *yaml.Node, indent int, lines map[int]bool) bool {
	if n.Kind == yaml.ScalarNode && !e.json {
		at, ok := e.at(n)
		if !ok {
			return false
		}
		end, ok := e.end(n, indent)
		if !ok {
			return false
		}
		for line := e.lineOf(e.afterProperties(n, at)) + 1; line <= e.lineOf(end); line++ {
			lines[line] = true
		}
		return true
	}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle == 0 {
			indent = n.Content[i-i%2].Column - 1
		}
		if !e.textLines(child, indent, lines) {
			return false
		}
	}
	return true
}
