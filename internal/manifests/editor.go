package manifests

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// editor adds to one document.
type editor struct {
	*source
	// file is the name of the file, newline its line ending.
	file, newline string
	changes       []Change
}

func (e *editor) refuse(n *yaml.Node, format string, args ...any) error {
	return &Error{File: e.file, Line: e.line - 1 + n.Line, Detail: fmt.Sprintf(format, args...)}
}

func (e *editor) insert(at, replaced int, text string) {
	e.changes = append(e.changes, Change{e.offset + at, replaced, text})
}

// into adds values to the value of a key, whose node is nil for the object itself.
func (e *editor) into(key, n *yaml.Node, values map[string]any) error {
	if n.Kind == yaml.AliasNode {
		return e.refuse(
			n, "*%s stands for a value that is written elsewhere: write the value itself here, so that it can be "+
				"completed", n.Value,
		)
	}
	if name, ok := e.shared[n]; ok {
		return e.refuse(
			n, "*%s repeats this value elsewhere: write the value itself there, so that each can be completed", name,
		)
	}
	if n.Kind != yaml.MappingNode {
		return nil // Kubernetes has another type there, and preflight reports it
	}
	missing := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		k, v := entry(n, name)
		var err error
		switch more := values[name].(type) {
		case map[string]any:
			switch {
			case k == nil:
				missing[name] = more
			case isNull(v):
				err = e.fill(v, more)
			default:
				err = e.into(k, v, more)
			}
		case []any:
			switch {
			case k == nil:
				missing[name] = more
			case isNull(v):
				err = e.fill(v, more)
			default:
				err = e.append(v, more)
			}
		default:
			switch {
			case k == nil:
				missing[name] = more
			case isNull(v):
				err = e.fill(v, more)
			}
		}
		if err != nil {
			return err
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if merge, _ := entry(n, "<<"); merge != nil {
		for name := range missing {
			if merged(n, name) {
				return e.refuse(merge, "a merge key (<<) brings %s: write %s itself here, so that it can be completed",
					name, name)
			}
		}
	}
	if n.Style&yaml.FlowStyle != 0 {
		return e.intoFlow(n, missing)
	}
	return e.intoBlock(key, n, missing)
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// merged reports whether a merge key adds a key.
func merged(n *yaml.Node, name string) bool {
	_, v := entry(n, "<<")
	if v == nil {
		return false
	}
	from := []*yaml.Node{v}
	if v.Kind == yaml.SequenceNode {
		from = v.Content
	}
	return slices.ContainsFunc(from,
		func(m *yaml.Node) bool { return lookup(m, name) != nil || merged(resolved(m), name) })
}

// fill replaces null, or nothing, with a value.
func (e *editor) fill(null *yaml.Node, value any) error {
	at, ok := e.at(null)
	if !ok || !bytes.HasPrefix(e.text[at:], []byte(null.Value)) {
		return e.refuse(null, "there is no place for the values to add")
	}
	text := e.flow(value)
	if null.Value == "" {
		text = " " + text
	}
	e.insert(at, len(null.Value), text)
	return nil
}

// intoBlock adds the first lines of a mapping.
func (e *editor) intoBlock(key, n *yaml.Node, values map[string]any) error {
	first := n.Content[0]
	if key == nil || first.Line <= key.Line {
		return e.refuse(
			n, "the mapping begins in the line of its key, where nothing can be added: begin it in a line of its own",
		)
	}
	step := 2
	if first.Column > key.Column {
		step = first.Column - key.Column
	}
	w := blockWriter{step: step, listStep: listStep(n), newline: e.newline}
	w.mapping(first.Column-1, values)
	e.insert(e.after(key.Line), 0, w.String())
	return nil
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

// append adds elements to the end of a list.
func (e *editor) append(n *yaml.Node, values []any) error {
	if n.Kind == yaml.AliasNode {
		return e.refuse(
			n, "*%s stands for a list that is written elsewhere: write the list itself here, so that it can be "+
				"completed", n.Value,
		)
	}
	if name, ok := e.shared[n]; ok {
		return e.refuse(
			n, "*%s repeats this list elsewhere: write the list itself there, so that each can be completed", name,
		)
	}
	if n.Kind != yaml.SequenceNode {
		return nil
	}
	if n.Style&yaml.FlowStyle != 0 {
		return e.appendFlow(n, values)
	}
	last := n
	for len(last.Content) > 0 && last.Style&yaml.FlowStyle == 0 {
		last = last.Content[len(last.Content)-1]
	}
	line := last.Line
	if last.Style&yaml.FlowStyle != 0 {
		_, end, ok := e.closing(last)
		if !ok {
			return e.refuse(last, "the end of the list is not found")
		}
		line += bytes.Count(e.text[e.starts[line-1]:end], []byte("\n"))
	}
	at := e.after(line)
	w := blockWriter{step: 2, newline: e.newline}
	w.list(n.Column-1, values)
	text := w.String()
	if at == len(e.text) && !bytes.HasSuffix(e.text, []byte("\n")) {
		text = e.newline + strings.TrimSuffix(text, e.newline)
	}
	e.insert(at, 0, text)
	return nil
}
