package manifests

import (
	"bytes"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// removeLines removes the lines of an entry or element, except comments in lines of their own, which are indented no
// deeper than the entry or element was.
func (e *editor) removeLines(n *yaml.Node, i int, x extent) bool {
	comments, ok := e.comments(n, i, x.line, x.last)
	left := comments
	for line := x.line; line <= x.last; line++ {
		if len(left) > 0 && left[0] == line {
			left = left[1:]
			continue
		}
		e.cut = append(e.cut, line)
	}
	for _, line := range comments {
		e.dedent(line, x)
	}
	return ok
}

// dedentAfter indents the comments after an entry or element no deeper than it, so that they do not become a part of
// the text before it.
func (e *editor) dedentAfter(x extent) {
	for line := x.last + 1; line <= len(e.starts) && (e.isComment(line) || e.isEmpty(line)); line++ {
		e.dedent(line, x)
	}
}

// endsInBlock reports whether a value ends in a text of several lines in which comments are not possible.
func endsInBlock(n *yaml.Node) bool {
	for len(n.Content) > 0 && n.Style&yaml.FlowStyle == 0 {
		n = n.Content[len(n.Content)-1]
	}
	return n.Kind == yaml.ScalarNode && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
}

// dedent indents a comment no deeper than an entry or element.
func (e *editor) dedent(line int, x extent) {
	text := e.text[e.starts[line-1]:e.after(line)]
	indent := x.begin - e.starts[x.line-1]
	if more := len(text) - len(bytes.TrimLeft(text, " \t")) - indent; more > 0 && e.isComment(line) {
		e.insert(e.starts[line-1], more, "")
	}
}

// isEmpty reports whether a line has only white space.
func (e *editor) isEmpty(line int) bool {
	return len(bytes.TrimSpace(e.text[e.starts[line-1]:e.after(line)])) == 0
}

// comments returns the lines of an entry or element, after its first one, that only have a comment; false if it is not
// certain.
func (e *editor) comments(n *yaml.Node, i, first, last int) (lines []int, ok bool) {
	lines = slices.DeleteFunc(between(first, last+1), func(line int) bool { return !e.isComment(line) })
	if len(lines) == 0 || e.json {
		return nil, true
	}
	// The lines of a text can begin with the same letter.
	texts := map[int]bool{}
	indent := 0
	if n.Kind == yaml.SequenceNode && n.Style&yaml.FlowStyle == 0 {
		dash, _ := e.firstDash(n)
		indent = dash - e.starts[e.lineOf(dash)-1]
	}
	for _, part := range partsOf(n, i) {
		if n.Kind == yaml.MappingNode {
			indent = n.Content[2*i].Column - 1
		}
		if !e.textLines(part, indent, texts) {
			return nil, false
		}
	}
	return slices.DeleteFunc(lines, func(line int) bool { return texts[line] }), true
}

// isComment reports whether a line begins with a comment, or is in a text that does.
func (e *editor) isComment(line int) bool {
	return bytes.HasPrefix(bytes.TrimLeft(e.text[e.starts[line-1]:e.after(line)], " \t"), []byte("#"))
}

// afterComment returns the end of the line of an offset.
func (e *editor) afterComment(at int) int {
	line := e.lineOf(at)
	begin := e.starts[line-1]
	return begin + len(bytes.TrimRight(e.text[begin:e.after(line)], "\r\n"))
}

// beforeBreak returns the offset of the line break before a line, the beginning of the text for the first line.
func (e *editor) beforeBreak(line int) int {
	return len(bytes.TrimSuffix(bytes.TrimSuffix(e.text[:e.starts[line-1]], []byte("\n")), []byte("\r")))
}

// cutLines turns the lines to remove into changes. Insertions between them stay between them.
func (e *editor) cutLines() {
	inserted := map[int]bool{}
	for _, c := range e.changes {
		inserted[c.At-e.offset] = true
	}
	slices.Sort(e.cut)
	for i := 0; i < len(e.cut); {
		first := e.cut[i]
		last := first
		for i++; i < len(e.cut) && e.cut[i] <= last+1 && !inserted[e.starts[e.cut[i]-1]]; i++ {
			last = e.cut[i]
		}
		begin, end := e.starts[first-1], e.after(last)
		if end == len(e.text) && !bytes.HasSuffix(e.text, []byte("\n")) {
			begin = e.lastLines(first)
		}
		e.insert(begin, end-begin, "")
	}
}

// lastLines returns where the last lines of a text begin that does not end with a line break: with the break before
// them, unless other lines take their place.
func (e *editor) lastLines(first int) int {
	begin := e.starts[first-1]
	for i, c := range slices.Backward(e.changes) {
		if c.At == e.offset+begin && c.Replaced == 0 && strings.HasSuffix(c.Text, e.newline) {
			e.changes[i].Text = strings.TrimSuffix(c.Text, e.newline)
			return begin
		}
	}
	return e.beforeBreak(first)
}
