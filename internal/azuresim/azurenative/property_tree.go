package azurenative

import (
	"embed"
	"fmt"
	"strings"
)

// files list the properties of azure-native's SDK: a path in each line, with * for the elements of a list or map,
// followed by "input" or "output" if it is only one of them. A test compares them with the SDK.
//
//go:embed properties
var files embed.FS

const (
	onlyInput  = "input"
	onlyOutput = "output"
)

// node is a property with the properties below it. It has none if the files end there.
type node struct {
	input, output bool
	below         map[string]*node
}

func loadTree(name string) *node {
	text, err := files.ReadFile("properties/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	root := &node{input: true, output: true}
	for line := range strings.Lines(string(text)) {
		path, only, _ := strings.Cut(strings.TrimSpace(line), " ")
		at := root
		for name := range strings.SplitSeq(path, ".") {
			if at.below == nil {
				at.below = map[string]*node{}
			}
			if at.below[name] == nil {
				at.below[name] = &node{input: at.input, output: at.output}
			}
			at = at.below[name]
		}
		switch only {
		case "":
		case onlyInput:
			at.output = false
		case onlyOutput:
			at.input = false
		default:
			panic(fmt.Sprintf("properties/%s.txt: %q: %q is neither %s nor %s", name, path, only, onlyInput,
				onlyOutput))
		}
	}
	return root
}

// child returns the property with a name below another, nil if there is none. A node without properties returns itself.
func (n *node) child(name string) *node {
	if len(n.below) == 0 {
		return n
	}
	if c := n.below[name]; c != nil {
		return c
	}
	return n.below["*"]
}

// keep returns the part of a value with only the properties of a kind.
func (n *node) keep(value any, kind func(*node) bool) any {
	switch value := value.(type) {
	case map[string]any:
		filtered := map[string]any{}
		for name, v := range value {
			if c := n.child(name); c != nil && kind(c) && v != nil {
				filtered[name] = c.keep(v, kind)
			}
		}
		return filtered
	case []any:
		filtered := make([]any, len(value))
		for i, v := range value {
			filtered[i] = v
			if c := n.child("*"); c != nil {
				filtered[i] = c.keep(v, kind)
			}
		}
		return filtered
	default:
		return value
	}
}

func isInput(n *node) bool  { return n.input }
func isOutput(n *node) bool { return n.output }
