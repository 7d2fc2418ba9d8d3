package manifests

import (
	"bytes"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// inBlock removes entries of a mapping in lines, and adds others at its beginning: below the key of the mapping or, if
// there is none, after the first entry that stays.
func (e *editor) inBlock(key, n *yaml.Node, removed []int, added map[string]any) error {
	if len(n.Content) == 0 {
		return e.refuse(n, "%s", notFound)
	}
	first := n.Content[0]
	if len(added) == 0 {
		return e.inLines(n, removed, "")
	}
	w := blockWriter{step: 2, listStep: listStep(n), newline: e.newline}
	if key != nil && first.Column > key.Column {
		w.step = first.Column - key.Column
	}
	w.mapping(first.Column-1, added)
	switch {
	case key == nil:
		return e.inLines(n, removed, w.String())
	case first.Line <= key.Line:
		return e.refuse(n, "the mapping begins in the line of its key, where nothing can be added: begin it in a "+
			"line of its own")
	default:
		e.insert(e.after(key.Line), 0, w.String())
		return e.inLines(n, removed, "")
	}
}

// addLines adds lines after another one.
func (e *editor) addLines(after int, lines string) {
	at := e.after(after)
	if at == len(e.text) && !bytes.HasSuffix(e.text, []byte("\n")) {
		lines = e.newline + strings.TrimSuffix(lines, e.newline)
	}
	e.insert(at, 0, lines)
}

// listStep returns how far the lists of a mapping are indented.
func listStep(n *yaml.Node) int {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k, v := n.Content[i], n.Content[i+1]; v.Kind == yaml.SequenceNode && v.Style&yaml.FlowStyle == 0 &&
			v.Line > k.Line {
			return v.Column - k.Column
		}
	}
	return 0
}

// inBlockList removes elements of a list in lines, and appends others.
func (e *editor) inBlockList(n *yaml.Node, removed []int, appended []any) error {
	dash, ok := e.firstDash(n)
	if !ok {
		return e.refuse(n, "%s", notFound)
	}
	text := ""
	if len(appended) > 0 {
		w := blockWriter{step: 2, newline: e.newline}
		w.list(dash-e.starts[e.lineOf(dash)-1], appended)
		text = w.String()
	}
	return e.inLines(n, removed, text)
}

// inLines removes entries or elements in lines, and adds lines, if there are any.
func (e *editor) inLines(n *yaml.Node, removed []int, added string) error {
	if len(removed) == 0 && added == "" {
		return nil
	}
	size := len(n.Content) / len(partsOf(n, 0))
	stays := 0 // the first one that stays
	for stays < len(removed) && removed[stays] == stays {
		stays++
	}
	first, ok := e.extentOf(n, 0)
	if !ok {
		return e.refuse(partsOf(n, 0)[0], "%s", notFound)
	}
	if !first.whole && stays > 0 {
		if stays == size {
			// The lines become the first ones of the element.
			e.insert(first.begin, 0, strings.TrimSpace(added))
			ok = e.removeAfter(n, first.begin, first)
			removed, added = removed[1:], ""
		} else {
			ok = e.moveUp(n, first, stays)
			removed = removed[stays:]
		}
		if !ok {
			return e.refuse(partsOf(n, 0)[0], "%s", notFound)
		}
	}
	afterBlock := false
	for j, i := range removed {
		x, ok := e.extentOf(n, i)
		if !ok || !x.whole || !e.removeLines(n, i, x) {
			return e.refuse(partsOf(n, i)[0], "%s", notFound)
		}
		if i > 0 && (j == 0 || removed[j-1] != i-1) {
			nodes := partsOf(n, i-1)
			afterBlock = i > stays && endsInBlock(nodes[len(nodes)-1])
		}
		if afterBlock {
			e.dedentAfter(x)
		}
	}
	switch {
	case added == "":
		return nil
	case n.Kind == yaml.SequenceNode:
		stays = size - 1
	case stays == size:
		e.insert(e.starts[first.line-1], 0, added)
		return nil
	}
	x, ok := e.extentOf(n, stays)
	if !ok {
		return e.refuse(partsOf(n, stays)[0], "%s", notFound)
	}
	e.addLines(x.last, added)
	return nil
}

// moveUp removes what is between the hyphen of an element and the first entry in it that stays, so that this one
// follows the hyphen. If comments are between them, they stay, and so does the line of the entry.
func (e *editor) moveUp(n *yaml.Node, first extent, stays int) bool {
	next, ok := e.extentOf(n, stays)
	if !ok {
		return false
	}
	if !slices.ContainsFunc(between(first.line, next.line), e.isComment) {
		e.insert(first.begin, next.begin-first.begin, "")
		return true
	}
	if !e.removeAfter(n, len(bytes.TrimRight(e.text[:first.begin], " ")), first) {
		return false
	}
	for i := 1; i < stays; i++ {
		if x, ok := e.extentOf(n, i); !ok || !e.removeLines(n, i, x) {
			return false
		}
	}
	return true
}

// removeAfter removes the first entry after a hyphen from an offset on, except comments in lines of their own.
func (e *editor) removeAfter(n *yaml.Node, begin int, first extent) bool {
	comments, ok := e.comments(n, 0, first.line, first.last)
	end := e.afterComment(first.end)
	if len(comments) > 0 {
		end = e.after(first.last)
	}
	e.remove(begin, end, comments)
	return ok
}

// between returns the numbers between two others.
func between(first, last int) []int {
	var all []int
	for i := first + 1; i < last; i++ {
		all = append(all, i)
	}
	return all
}
