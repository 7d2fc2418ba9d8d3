package sources

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// nodesInJSON returns the nodes among Kubernetes objects in JSON, including the elements of lists. Its limits are for
// the nodes of a large cluster; the ones of [manifests.ReadObjects] are for files that people write.
func nodesInJSON(text []byte, name string) (nodes []corev1.Node, problems []error) {
	if err := checkValues(text, name, maxNodeValues); err != nil {
		return nil, []error{err}
	}
	r := nodeReader{name: name}
	decoder := json.NewDecoder(bytes.NewReader(text))
	for {
		var object json.RawMessage
		err := decoder.Decode(&object)
		switch {
		case errors.Is(err, io.EOF):
			return r.read()
		case err != nil:
			r.problems = append(r.problems, fmt.Errorf("%s: %w", name, inJSON(text, err)))
			return r.read()
		}
		r.object(object, 0)
	}
}

func oneNode(text json.RawMessage, name string) ([]corev1.Node, []error) {
	node, err := decodeNode(text)
	if err != nil {
		var named struct{ Metadata struct{ Name string } }
		_ = json.Unmarshal(text, &named) // the name is for the message
		return nil, []error{notANode(name, named.Metadata.Name, err)}
	}
	node.Status.Images = nil // the images are the largest part of it
	return []corev1.Node{node}, nil
}

// decodeNode decodes a node, with quantities within the limits of [tree.ParseQuantity].
func decodeNode(text []byte) (node corev1.Node, err error) {
	var of struct {
		Status struct{ Capacity, Allocatable map[string]json.RawMessage }
	}
	if err := json.Unmarshal(text, &of); err != nil {
		return node, err
	}
	for _, list := range []struct {
		name       string
		quantities map[string]json.RawMessage
	}{{"capacity", of.Status.Capacity}, {"allocatable", of.Status.Allocatable}} {
		for _, name := range slices.Sorted(maps.Keys(list.quantities)) {
			raw := string(list.quantities[name])
			if _, err := tree.ParseQuantity(strings.Trim(raw, `"`)); err != nil {
				return node, fmt.Errorf("status.%s[%s]: %w", list.name, name, err)
			}
		}
	}
	return node, json.Unmarshal(text, &node)
}

func notANode(file, node string, err error) error {
	return fmt.Errorf("%s: Node/%s: not a node as the API server prints it: %w", file, node, err)
}

// nodesAmong returns the nodes among the documents of a YAML file.
func nodesAmong(docs []manifests.Document, name string) (nodes []corev1.Node, problems []error) {
	for _, doc := range docs {
		object := tree.Map(doc.Value)
		if object["kind"] != "Node" || object["apiVersion"] != "v1" {
			continue
		}
		var node corev1.Node
		text, err := json.Marshal(object)
		if err == nil {
			node, err = decodeNode(text)
		}
		if err != nil {
			_, _, called := conversion.Names(object)
			problems = append(problems, notANode(name, called, err))
			continue
		}
		nodes = append(nodes, node)
	}
	return nodes, problems
}
