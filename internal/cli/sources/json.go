package sources

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

const (
	// maxValues is how many values a text in JSON can have if all of them are in memory together. [MaxOutput] of what
	// kubectl prints has fewer. Nodes are read one after the other.
	maxValues, maxNodeValues = 10_000_000, 20_000_000
	// maxNodes is how many nodes a cluster can have: 20 times as many as Kubernetes supports
	// (https://kubernetes.io/docs/setup/best-practices/cluster-large/).
	maxNodes = 100_000
	// maxLists is how deeply lists can be nested. kubectl prints one list of objects.
	maxLists = 10
)

// checkValues returns an error if a text has too many values. It counts what is between them, without decoding it.
func checkValues(text []byte, name string, most int) error {
	values, inText := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case !inText && (c == ',' || c == '{' || c == '['):
			values++
		}
	}
	if values > most {
		return fmt.Errorf("%s: has more than %d values: give fewer objects", name, most)
	}
	return nil
}

// nodeReader reads nodes one after the other, so that what is not a node takes no memory.
type nodeReader struct {
	name     string
	nodes    []corev1.Node
	problems []error
	// without counts elements of lists of nodes without anything that a node has.
	without int
	// full is true if there are too many nodes.
	full bool
}

// list reads the elements of a list. Those of a NodeList have no kind.
func (r *nodeReader) list(items json.RawMessage, ofNodes bool, depth int) {
	decoder := json.NewDecoder(bytes.NewReader(items))
	if first, err := decoder.Token(); err != nil || first != json.Delim('[') {
		if err := json.Unmarshal(items, new([]json.RawMessage)); err != nil && len(items) > 0 {
			r.problems = append(r.problems, fmt.Errorf("%s: not an object of Kubernetes: %w", r.name, err))
		}
		return
	}
	var item json.RawMessage
	for decoder.More() && !r.full && len(r.problems) < manifests.MaxErrors {
		item = item[:0]
		if err := decoder.Decode(&item); err != nil {
			r.problems = append(r.problems, fmt.Errorf("%s: %w", r.name, err))
			return
		}
		if ofNodes {
			r.node(item)
		} else {
			r.object(item, depth+1)
		}
	}
}

// object reads one object, which may be a list.
func (r *nodeReader) object(text json.RawMessage, depth int) {
	var object struct {
		APIVersion string          `json:"apiVersion"`
		Kind       string          `json:"kind"`
		Items      json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(text, &object); err != nil {
		r.problems = append(r.problems, fmt.Errorf("%s: not an object of Kubernetes: %w", r.name, err))
		return
	}
	switch {
	case object.APIVersion == "v1" && object.Kind == "Node":
		r.node(text)
	case !strings.HasSuffix(object.Kind, "List"):
	case depth >= maxLists:
		r.problems = append(r.problems, fmt.Errorf("%s: has lists that are nested more than %d deep", r.name, maxLists))
	default:
		r.list(object.Items, object.Kind == "NodeList", depth)
	}
}

func (r *nodeReader) node(text json.RawMessage) {
	if len(r.nodes) == maxNodes {
		r.problems = []error{fmt.Errorf("%s: has more than %d nodes: give the nodes of one cluster", r.name, maxNodes)}
		r.full = true
		return
	}
	if !bytes.Contains(text, []byte(`"metadata"`)) {
		r.without++
		return
	}
	nodes, problems := oneNode(text, r.name)
	r.nodes, r.problems = append(r.nodes, nodes...), append(r.problems, problems...)
}

// read returns the nodes and the errors.
func (r *nodeReader) read() ([]corev1.Node, []error) {
	if r.without > 0 {
		r.problems = append(r.problems, fmt.Errorf("%s: a NodeList has elements without metadata (%d), which are not "+
			"nodes: %s", r.name, r.without, instead))
	}
	return r.nodes, r.problems
}
