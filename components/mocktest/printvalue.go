package mocktest

import (
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// node writes a marker as a list of one, in brackets and without quotes, which no string looks like.
func (p *printer) node(plain any) *yaml.Node {
	node := &yaml.Node{}
	switch v := plain.(type) {
	case Marker:
		node.Kind, node.Style = yaml.SequenceNode, yaml.FlowStyle
		node.Content = []*yaml.Node{{Kind: yaml.ScalarNode, Value: string(v)}}
	case map[string]any:
		node.Kind = yaml.MappingNode
		for _, key := range slices.Sorted(maps.Keys(v)) {
			node.Content = append(node.Content, p.node(key), p.node(v[key]))
		}
	case []any:
		node.Kind = yaml.SequenceNode
		for _, element := range v {
			node.Content = append(node.Content, p.node(element))
		}
	default:
		if known, ok := p.scalars[v]; ok {
			return known
		}
		// Encoding a string, a bool, a number or nil does not fail.
		_ = node.Encode(v)
		p.scalars[v] = node
	}
	return node
}

// Limits of a map or a list on one line: its columns with the indentation, and how many maps and lists are in one
// another. Others are easier to read, and to compare, on several lines.
const (
	widest  = 120
	deepest = 2
)

// onLines chooses which maps and lists are on one line, the outermost first, except the node itself.
func onLines(node *yaml.Node, indent int) {
	for i, child := range node.Content {
		at := indent + len("- ")
		if node.Kind == yaml.MappingNode {
			if i%2 == 0 {
				continue // a key
			}
			at = indent + len(node.Content[i-1].Value) + len(": ")
		}
		if child.Kind == yaml.ScalarNode {
			continue
		}
		if columns, levels := onOneLine(child); at+columns <= widest && levels <= deepest {
			child.Style = yaml.FlowStyle
		} else {
			onLines(child, indent+len("  "))
		}
	}
}

// onOneLine returns how many columns a node has on one line, quotes left out, and how many maps and lists are in one
// another. A text of several lines has too many columns.
func onOneLine(node *yaml.Node) (columns, levels int) {
	if node.Kind == yaml.ScalarNode {
		if strings.Contains(node.Value, "\n") {
			return widest, 0
		}
		return len(node.Value), 0
	}
	for _, child := range node.Content {
		c, l := onOneLine(child)
		columns += c + len(", ") // or the colon
		levels = max(levels, l)
	}
	if node.Style == yaml.FlowStyle {
		return columns, 0 // a marker
	}
	return max(columns, len("[]")), levels + 1
}
