package manifests

import (
	"bytes"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// inFlow removes entries or elements in brackets, and adds entries at the beginning of a mapping, or elements at the end
// of a list. If those at their place are removed, they take it.
func (e *editor) inFlow(n *yaml.Node, removed []int, added []string) error {
	f, ok := e.scan(n)
	if !ok {
		return e.refuse(n, "the end of the brackets is not found")
	}
	if len(removed) > 0 && len(f.parts)*len(partsOf(n, 0)) != len(n.Content) {
		return e.refuse(n, "%s", notFound)
	}
	runs := runsOf(removed)
	switch place := f.place(n, runs); {
	case len(added) == 0:
	case place >= 0:
		runs[place] = e.takePlace(n, f, runs[place], added)
	case n.Kind == yaml.MappingNode:
		e.prepend(n, f, added)
	default:
		e.append(n, f, added)
	}
	for _, r := range runs {
		if r.first <= r.last && !e.removeRun(n, f, r) {
			return e.refuse(n, "%s", notFound)
		}
	}
	return nil
}

// run is a range of entries or elements that are removed.
type run struct{ first, last int }

func runsOf(removed []int) []run {
	var runs []run
	for _, i := range removed {
		if last := len(runs) - 1; last >= 0 && runs[last].last == i-1 {
			runs[last].last = i
			continue
		}
		runs = append(runs, run{i, i})
	}
	return runs
}

// place returns the index of the run at the place for what is added, -1 if there is none.
func (f *flow) place(n *yaml.Node, runs []run) int {
	return slices.IndexFunc(runs, func(r run) bool {
		if n.Kind == yaml.MappingNode {
			return r.first == 0
		}
		return r.last == len(f.parts)-1
	})
}

// takePlace replaces the first entry or element of a run with others, and returns the rest of the run.
func (e *editor) takePlace(n *yaml.Node, f *flow, r run, added []string) run {
	at := f.parts[r.first]
	separator := ", "
	if e.beginsLine(at.begin) {
		separator = "," + e.newline + string(e.text[e.starts[e.lineOf(at.begin)-1]:at.begin])
		if after := e.afterPart(at); e.endsLine(after) {
			e.insert(after, e.afterComment(after)-after, "")
		}
	}
	end := at.end
	if comments, _ := e.comments(n, r.first, e.lineOf(at.begin), e.lineOf(at.end)); len(comments) > 0 {
		// Comments in it stay.
		e.insert(at.begin, 0, strings.Join(added, separator))
		e.remove(at.begin, end, comments)
		return run{r.first + 1, r.last}
	}
	e.insert(at.begin, end-at.begin, strings.Join(added, separator))
	return run{r.first + 1, r.last}
}

// prepend adds entries at the beginning of a mapping.
func (e *editor) prepend(n *yaml.Node, f *flow, added []string) {
	text := strings.Join(added, ", ")
	switch {
	case len(n.Content) == 0:
	case n.Content[0].Line > n.Line:
		own := e.ownLine(n.Content[0])
		text = own + strings.Join(added, ","+own) + ","
	default:
		text += ", "
	}
	e.insert(f.opening+1, 0, text)
}

// ownLine returns the text before the first value of a line: the line end and the indentation.
func (e *editor) ownLine(n *yaml.Node) string {
	line := e.text[e.starts[n.Line-1]:]
	return e.newline + string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// append adds elements at the end of a list. Comments stay with their elements: the comma goes before a comment, and
// the new elements after it. If a comma ends the list, another one ends it then.
func (e *editor) append(n *yaml.Node, f *flow, added []string) {
	last, list := f.last, strings.Join(added, ", ")
	if len(n.Content) == 0 {
		e.insert(last, 0, e.apart(list, last))
		return
	}
	comma, end := ",", ""
	if e.text[last-1] == ',' {
		comma, end = "", ","
	}
	if n.Content[0].Line == n.Line {
		e.insert(last, 0, e.apart(comma+" "+list+end, last))
		return
	}
	own := e.ownLine(n.Content[0])
	at, list := e.behindComment(last), own+list+end
	if at == last {
		e.insert(last, 0, comma+list)
		return
	}
	if comma != "" {
		e.insert(last, 0, comma)
	}
	e.insert(at, 0, list)
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

// removeRun removes entries or elements that follow one another, and the commas that they leave.
func (e *editor) removeRun(n *yaml.Node, f *flow, r run) bool {
	first, last := f.parts[r.first], f.parts[r.last]
	var comments []int
	for i := r.first; i <= r.last; i++ {
		more, ok := e.comments(n, i, e.lineOf(f.parts[i].begin), e.lineOf(f.parts[i].end))
		if !ok {
			return false
		}
		comments = append(comments, more...)
		if i < r.last {
			comments = append(comments, slices.DeleteFunc(
				between(e.lineOf(f.parts[i].end), e.lineOf(f.parts[i+1].begin)),
				func(line int) bool { return !e.isComment(line) })...)
		}
	}
	isLast := r.last == len(f.parts)-1
	before := -1 // the comma before the run
	if r.first > 0 {
		before = f.parts[r.first-1].comma
	}
	after := e.afterPart(last)
	sameLine := last.comma < 0 && isLast || after > last.end
	if e.beginsLine(first.begin) && sameLine && e.endsLine(after) {
		for line := e.lineOf(first.begin); line <= e.lineOf(after); line++ {
			if len(comments) > 0 && comments[0] == line {
				comments = comments[1:]
				continue
			}
			e.cut = append(e.cut, line)
		}
		if isLast && last.comma < 0 && before >= 0 {
			e.insert(before, 1, "")
		}
		return true
	}
	switch gap := e.gap(before, first.begin); {
	case before >= 0 && (gap == near || gap == far && isLast):
		if e.beginsLine(before) && e.endsLine(last.end) {
			before = e.beforeBreak(e.lineOf(before))
		}
		e.remove(before, last.end, comments)
	case isLast && last.comma < 0:
		if before >= 0 {
			e.insert(before, 1, "")
		}
		e.remove(first.begin, last.end, comments)
	default:
		end := last.comma + 1
		if end < len(e.text) && e.text[end] == ' ' && !e.endsLine(end) {
			end++
		}
		e.remove(first.begin, end, comments)
	}
	return true
}

// afterPart returns the offset after a part and its comma, if that is in the same line.
func (e *editor) afterPart(p part) int {
	if p.comma >= 0 && e.lineOf(p.comma) == e.lineOf(p.end) {
		return p.comma + 1
	}
	return p.end
}

// distance is what is between a comma and the part after it.
type distance int

const (
	// near are spaces, far also line breaks, and apart are comments.
	near distance = iota
	far
	commented
)

func (e *editor) gap(comma, begin int) distance {
	between := e.text[comma+1 : begin]
	switch {
	case len(bytes.TrimSpace(between)) > 0:
		return commented
	case bytes.IndexByte(between, '\n') >= 0:
		return far
	default:
		return near
	}
}

// beginsLine reports whether only white space is before an offset in its line.
func (e *editor) beginsLine(at int) bool {
	return len(bytes.TrimSpace(e.text[e.starts[e.lineOf(at)-1]:at])) == 0
}

// remove removes a range except the lines of comments in it, with the line breaks before and after them.
func (e *editor) remove(begin, end int, comments []int) {
	for _, line := range comments {
		if stop := e.beforeBreak(line); stop > begin {
			e.insert(begin, stop-begin, "")
		}
		begin = e.after(line)
	}
	if begin < end {
		e.insert(begin, end-begin, "")
	}
}
