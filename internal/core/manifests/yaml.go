package manifests

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// parseYAML reads a document: none or one.
func (p *problems) parseYAML(c chunk) []Document {
	if line, ok := directive(c); ok {
		p.addError(Error{
			Line: line, Detail: "a directive: kubectl reads none, remove the line", Template: isTemplate(c.text),
		})
		return nil
	}
	if separators(c.text) > MaxValues {
		p.add(c.line, tooManyValues, MaxValues)
		return nil
	}
	text := c.text
	if !bytes.HasSuffix(text, []byte("\n")) {
		// kubectl ends each line like this; a block scalar shows the difference.
		text = append(slices.Clip(text), '\n')
	}
	root, err := parseNode(text)
	if err != nil {
		p.addError(yamlProblem(err, c))
		return nil
	}
	if root == nil {
		return nil
	}
	before := p.count()
	t := &converter{problems: p, offset: c.line - 1}
	v := t.value(root, "", 0, 0)
	if v == nil || p.count() > before {
		return nil
	}
	d := Document{Value: v, Duplicates: t.found, places: slices.Clone(t.places), index: new(index)}
	if c.edited {
		d.node, d.source = root, newSource(c, false)
		d.source.share(root)
	}
	return []Document{d}
}

// directive finds a directive before the document. Thousands of them would keep the parser busy for minutes.
func directive(c chunk) (line int, ok bool) {
	line = c.line
	for text := c.text; len(text) > 0; line++ {
		first, rest, _ := bytes.Cut(text, []byte("\n"))
		if bytes.HasPrefix(first, []byte("%")) {
			return line, true
		}
		if !isBlank(first) {
			break
		}
		text = rest
	}
	return 0, false
}

// separators counts the marks that can be between two values, which is an upper bound for the number of the parser's
// nodes. Nodes are large.
func separators(text []byte) int {
	n := 0
	for i, b := range text {
		switch b {
		case '\n', '\r', ',', '[', '{':
			n++
		case '-', '?', ':':
			// "- - -" is three lists in a line.
			if b != ':' && i+1 < len(text) && text[i+1] == ' ' {
				n++
			}
		}
	}
	return n
}

// parseNode returns nil for an empty document.
func parseNode(text []byte) (root *yaml.Node, err error) {
	defer func() {
		// The parser is a dependency; one broken file must not end a run over thousands.
		if r := recover(); r != nil {
			root, err = nil, fmt.Errorf("the YAML parser fails: %v", r)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, more yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := decoder.Decode(&more); err == nil {
		return nil, errors.New("a second document: write three hyphens in a line before it")
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	return document.Content[0], nil
}

const tooManyValues = "more than %d values in one document: split it"

var (
	lineInError   = regexp.MustCompile(`^line (\d+): `)
	unknownAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
)

// escapes is the hint for a Windows path in double quotes, such as "C:\inetpub".
const escapes = `: \ begins an escape in double quotes: use single quotes, or write \\ for each \`

// yamlProblem returns the parser's message, with the line. The parser counts the lines of its grammar from 0, and the
// ones of its scanner from 1, and omits the first.
func yamlProblem(err error, c chunk) Error {
	e := Error{Template: isTemplate(c.text)}
	detail := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if m := lineInError.FindStringSubmatch(detail); m != nil {
		line, _ = strconv.Atoi(m[1])
		detail = detail[len(m[0]):]
		if strings.HasPrefix(detail, "did not find expected") {
			line++
		}
	}
	at := -1
	if detail == "control characters are not allowed" {
		at = bytes.IndexFunc(c.text, isControl)
	} else if m := unknownAnchor.FindStringSubmatch(detail); m != nil {
		at = bytes.Index(c.text, []byte("*"+m[1]))
	}
	if at >= 0 {
		line = lineAt(c.text, at)
	}
	// A token that is missing at the end is missing in the last line with text.
	line = min(line, lineAt(c.text, len(bytes.TrimRight(c.text, " \t\r\n"))))
	if detail == "found unknown escape character" || detail == "did not find expected hexdecimal number" {
		detail += escapes
	}
	e.Line, e.Detail = c.line-1+line, detail
	if tab := tabNear(line, c.text); at < 0 && tab > 0 {
		e.Tab = c.line - 1 + tab
	}
	return e
}

// tabNear returns the line at which the parser fails, or the one before or after, if a tab is before its text; 0 if
// there is none.
func tabNear(line int, text []byte) int {
	lines := bytes.Split(text, []byte("\n"))
	for _, at := range []int{line, line - 1, line + 1} {
		if at < 1 || at > len(lines) {
			continue
		}
		text := lines[at-1]
		if indentation := text[:len(text)-len(bytes.TrimLeft(text, " \t"))]; bytes.IndexByte(indentation, '\t') >= 0 {
			return at
		}
	}
	return 0
}

func lineAt(text []byte, at int) int { return 1 + bytes.Count(text[:at], []byte("\n")) }

func isControl(r rune) bool {
	return unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' && r != '\u0085'
}

// converter converts the parser's nodes to a tree.
type converter struct {
	*problems
	notes
	// offset is the number of lines of the file before the chunk.
	offset int
	places []place
	// aliased counts the values that aliases expand to; open are the anchors that are being expanded.
	aliased int
	open    map[*yaml.Node]bool
	// outer is the outermost alias.
	outer *yaml.Node
	// stopped is true if a limit was reached: the rest does not matter.
	stopped bool
}

func (t *converter) line(n *yaml.Node) int { return n.Line + t.offset }

func (t *converter) stop(n *yaml.Node, format string, args ...any) {
	if !t.stopped {
		t.add(t.line(n), format, args...)
	}
	t.stopped = true
}

// within reports whether a value is inside the limits.
func (t *converter) within(n *yaml.Node, depth int) bool {
	if len(t.open) > 0 {
		t.aliased++
	}
	switch {
	case depth > MaxDepth:
		t.stop(n, "nested deeper than %d", MaxDepth)
	case t.aliased > MaxAliased:
		t.stop(t.outer, "aliases stand for more than %d values", MaxAliased)
	}
	return !t.stopped
}

// value converts a node; keyLine is the line of its key, 0 if it has no key.
func (t *converter) value(n *yaml.Node, key string, keyLine, depth int) any {
	if !t.within(n, depth) {
		return nil
	}
	if keyLine == 0 {
		keyLine = t.line(n)
	}
	if n.Kind == yaml.AliasNode {
		var v any
		t.inside(n, func(anchor *yaml.Node) { v = t.value(anchor, key, keyLine, depth) })
		return v
	}
	at := len(t.places)
	t.places = append(t.places, place{key: key, line: int32(keyLine), size: 1})
	var v any
	switch n.Kind {
	case yaml.MappingNode:
		m := make(map[string]any, len(n.Content)/2)
		t.mapping(n, m, depth)
		v = m
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			t.enter("", i)
			list[i] = t.value(item, "", 0, depth+1)
			t.leave()
		}
		v = list
	default:
		v, _ = t.scalar(n)
		if f, ok := v.(float64); ok {
			if math.IsInf(f, 0) || math.IsNaN(f) {
				t.add(t.line(n), "%s is not a number that JSON has", n.Value)
			}
			v = tree.Number(f)
		}
	}
	t.places[at].size = int32(len(t.places) - at)
	return v
}

// inside visits the node that an alias refers to.
func (t *converter) inside(alias *yaml.Node, look func(anchor *yaml.Node)) {
	anchor := alias.Alias
	if t.open[anchor] {
		t.add(t.line(alias), "anchor %q contains itself", shown(alias.Value))
		return
	}
	if t.open == nil {
		t.open = map[*yaml.Node]bool{}
	}
	if len(t.open) == 0 {
		t.outer = alias
	}
	t.open[anchor] = true
	look(anchor)
	delete(t.open, anchor)
}

// mapping puts the keys of a node into a map, in their order.
func (t *converter) mapping(n *yaml.Node, into map[string]any, depth int) {
	lines := make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content) && !t.stopped; i += 2 {
		name, v := n.Content[i], n.Content[i+1]
		if name.Kind == yaml.ScalarNode && name.Value == "<<" && name.Tag == tagMerge {
			t.merge(v, into, depth)
			continue
		}
		key, ok := t.key(name)
		if !ok {
			continue
		}
		line := t.line(name)
		t.enter(key, 0)
		// Duplicates that an alias or a merge key repeats were recorded where they are written.
		earlier, before := lines[key], into[key]
		into[key] = t.value(v, key, line, depth+1)
		if earlier > 0 && len(t.open) == 0 {
			t.duplicate(&t.notes, line, earlier, reflect.DeepEqual(before, into[key]))
		}
		lines[key] = line
		t.leave()
	}
}

func (t *converter) key(n *yaml.Node) (string, bool) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch {
	case n.Kind == yaml.MappingNode && n.Style == yaml.FlowStyle:
		// {{ .Values.name }} is well-formed YAML.
		t.addError(Error{Line: t.line(n), Detail: "a mapping as a key: a key must be a text", Template: true})
		return "", false
	case n.Kind != yaml.ScalarNode:
		t.add(t.line(n), "a list or a mapping as a key: a key must be a text")
		return "", false
	}
	key, ok := t.scalar(n)
	if !ok {
		return "", false
	}
	text, ok := tree.KeyText(key)
	if !ok {
		t.add(t.line(n), "null as a key: a key must be a text")
	}
	return text, ok
}

// merge adds the keys of other mappings to a map: if several have a key, the first one counts.
func (t *converter) merge(n *yaml.Node, into map[string]any, depth int) {
	switch {
	case !t.within(n, depth):
	case n.Kind == yaml.SequenceNode:
		for _, item := range slices.Backward(n.Content) {
			if item.Kind == yaml.SequenceNode {
				t.add(t.line(item), "a merge key (<<) takes a mapping, or a list of mappings")
				continue
			}
			t.merge(item, into, depth+1)
		}
	case n.Kind == yaml.AliasNode && n.Alias.Kind == yaml.MappingNode:
		t.inside(n, func(anchor *yaml.Node) { t.mapping(anchor, into, depth+1) })
	case n.Kind == yaml.MappingNode:
		t.mapping(n, into, depth+1)
	default:
		t.add(t.line(n), "a merge key (<<) takes a mapping, or a list of mappings")
	}
}
