package manifests

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// jsonReader reads JSON token by token, because only tokens have the position of each value and show duplicate keys.
type jsonReader struct {
	*problems
	notes
	decoder *json.Decoder
	chunk   chunk
	// line is the line of offset.
	line, offset int
	places       []place
	// source is nil if the text is not edited, and parent is the parent of the next value.
	source *source
	parent *yaml.Node
	// values is the number of values in all objects.
	values int
}

// escapesInJSON is the hint for a Windows path, such as "C:\inetpub".
const escapesInJSON = `: \ begins an escape: write \\ for each \`

// errLimit ends the reading after the error has been reported.
var errLimit = errors.New("limit")

// parseJSON reads one object after the other; it returns false if the text is not JSON. The text between two lines of
// hyphens counts as one document for the limits.
func (p *problems) parseJSON(c chunk) ([]Document, bool) {
	r := &jsonReader{problems: p, decoder: json.NewDecoder(bytes.NewReader(c.text)), chunk: c, line: c.line}
	r.decoder.UseNumber()
	if c.edited {
		r.source = newSource(c, true)
	}
	var docs []Document
	for {
		r.places, r.parent, r.notes = nil, &yaml.Node{}, notes{}
		before := p.count()
		v, err := r.value("", 0, 0)
		var syntax *json.SyntaxError
		switch {
		case errors.Is(err, errLimit):
			return docs, true
		case errors.Is(err, io.EOF) && len(r.places) == 0:
			return docs, true
		case errors.As(err, &syntax):
			detail := "not JSON: " + strings.TrimPrefix(syntax.Error(), "json: ")
			if strings.HasSuffix(detail, "in string escape code") || strings.HasSuffix(detail, "character escape") {
				detail += escapesInJSON
			}
			p.addError(Error{Line: r.lineOf(int(syntax.Offset)), Detail: detail, Template: isTemplate(c.text)})
			return nil, false
		case err != nil:
			p.add(r.lineOf(len(bytes.TrimRight(c.text, " \t\r\n"))), "not JSON: it ends too early")
			return nil, false
		}
		if v != nil && p.count() == before {
			d := Document{
				Value:      v,
				Duplicates: r.found,
				places:     slices.Clone(r.places),
				index:      new(index),
				source:     r.source,
			}
			if d.source != nil {
				d.node = r.parent.Content[0]
			}
			docs = append(docs, d)
		}
	}
}

// lineOf returns the line of an offset that is not before the last one.
func (r *jsonReader) lineOf(offset int) int {
	offset = min(max(offset, r.offset), len(r.chunk.text))
	r.line += bytes.Count(r.chunk.text[r.offset:offset], []byte("\n"))
	r.offset = offset
	return r.line
}

func (r *jsonReader) token() (json.Token, int, error) {
	token, err := r.decoder.Token()
	if err != nil {
		return nil, 0, err
	}
	return token, r.lineOf(int(r.decoder.InputOffset())), nil
}

// note records where the last token is, in a text that is edited. Columns are offsets, and correct for the tokens that
// the editor uses: brackets, braces and null.
func (r *jsonReader) note(token json.Token) *yaml.Node {
	if r.source == nil {
		return nil
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Line: r.line - r.chunk.line + 1, Column: r.offset - 1}
	switch token := token.(type) {
	case json.Delim:
		n.Kind, n.Style = yaml.MappingNode, yaml.FlowStyle
		if token == '[' {
			n.Kind = yaml.SequenceNode
		}
	case string:
		n.Value = token
	case nil:
		n.Tag, n.Value = tagNull, "null"
		n.Column = r.offset - len(n.Value)
	}
	r.parent.Content = append(r.parent.Content, n)
	return n
}

// value reads a value; keyLine is the line of its key, 0 if it has no key.
func (r *jsonReader) value(key string, keyLine, depth int) (any, error) {
	token, line, err := r.token()
	if err != nil {
		return nil, err
	}
	node := r.note(token)
	if keyLine > 0 {
		line = keyLine
	}
	if r.values++; r.values > MaxValues {
		r.add(line, tooManyValues, MaxValues)
		return nil, errLimit
	}
	if depth > MaxDepth {
		r.add(line, "nested deeper than %d", MaxDepth)
		return nil, errLimit
	}
	at := len(r.places)
	r.places = append(r.places, place{key: key, line: int32(line), size: 1})
	var v any
	switch token := token.(type) {
	case json.Delim:
		parent := r.parent
		r.parent = node
		if token == '[' {
			v, err = r.list(depth)
		} else {
			v, err = r.object(depth)
		}
		r.parent = parent
		r.places[at].size = int32(len(r.places) - at)
	case json.Number:
		v = tree.Normalize(token)
		if text, tooLarge := v.(string); tooLarge {
			r.add(line, "%s is too large for a number of JSON readers", shown(text))
		}
	default:
		v = token
	}
	return v, err
}

func (r *jsonReader) list(depth int) (any, error) {
	list := []any{}
	for r.decoder.More() {
		r.enter("", len(list))
		v, err := r.value("", 0, depth+1)
		if err != nil {
			return nil, err
		}
		r.leave()
		list = append(list, v)
	}
	_, _, err := r.token()
	return list, err
}

func (r *jsonReader) object(depth int) (any, error) {
	object := map[string]any{}
	var lines map[string]int
	for r.decoder.More() {
		token, line, err := r.token()
		if err != nil {
			return nil, err
		}
		r.note(token)
		key, _ := token.(string)
		r.enter(key, 0)
		earlier, twice := object[key]
		if object[key], err = r.value(key, line, depth+1); err != nil {
			return nil, err
		}
		if twice {
			r.duplicate(&r.notes, line, lines[key], reflect.DeepEqual(earlier, object[key]))
		}
		r.leave()
		if lines == nil {
			lines = map[string]int{}
		}
		lines[key] = line
	}
	_, _, err := r.token()
	return object, err
}

// shown returns a text that is short enough for a message.
func shown(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
