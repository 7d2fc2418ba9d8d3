package manifests

import (
	"bytes"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// replace replaces the value of an entry. It returns true if the entry has to be removed and added instead, because one
// of the values is not a scalar.
func (e *editor) replace(n *yaml.Node, i int, value any) (goes bool, err error) {
	v := n.Content[2*i+1]
	switch value.(type) {
	case map[string]any, []any:
		return true, nil
	}
	if v.Kind != yaml.ScalarNode || v.Style&yaml.TaggedStyle != 0 {
		return true, nil
	}
	begin, end, ok := e.scalarIn(n, i)
	if !ok {
		return false, e.refuse(v, "%s", notFound)
	}
	e.insert(begin, end-begin, e.inStyle(v, value))
	return false, nil
}

// scalarIn returns where the scalar of an entry is, without an anchor before it.
func (e *editor) scalarIn(n *yaml.Node, i int) (begin, end int, ok bool) {
	k, v := n.Content[2*i], n.Content[2*i+1]
	if e.json {
		f, ok := e.scan(n)
		if !ok || len(f.parts) != len(n.Content)/2 {
			return 0, 0, false
		}
		colon := quoted(e.text, f.parts[i].begin) + 1
		begin = colon + bytes.IndexByte(e.text[colon:], ':') + 1
		for begin < f.parts[i].end && isSpace(e.text[begin]) {
			begin++
		}
		return begin, f.parts[i].end, true
	}
	if begin, ok = e.at(v); !ok {
		return 0, 0, false
	}
	end, ok = e.end(v, k.Column-1)
	return e.afterProperties(v, begin), end, ok
}

// control matches what cannot be between single quotes in one line.
var control = regexp.MustCompile(`[^\x20-\x7e\x{a0}-\x{d7ff}]`)

// inStyle writes a scalar in the quotes of another one.
func (e *editor) inStyle(n *yaml.Node, value any) string {
	text, isText := value.(string)
	switch {
	case !isText || e.json:
		return e.flow(value)
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return inQuotes(text)
	case n.Style&yaml.SingleQuotedStyle != 0 && !control.MatchString(text):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	default:
		return plain(text)
	}
}
