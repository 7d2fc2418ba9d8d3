package sources

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/manifest/conversion"
	"github.com/mixedkube/mixedkube/internal/manifests"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// nodesInJSON returns the nodes among Kubernetes objects in JSON, including the elements of lists. Its limit is for the
// nodes of a large cluster; the one of [manifests.ReadObjects] is for files that people write.
func nodesInJSON(text []byte, name string) (nodes []corev1.Node, problems []error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	for {
		var object json.RawMessage
		err := decoder.Decode(&object)
		switch {
		case errors.Is(err, io.EOF):
			return nodes, problems
		case err != nil:
			return nodes, append(problems, fmt.Errorf("%s: %w", name, inJSON(text, err)))
		}
		found, errs := nodesOf(object, name)
		nodes, problems = append(nodes, found...), append(problems, errs...)
	}
}

// nodesOf returns the nodes of one object, which may be a list.
func nodesOf(text json.RawMessage, name string) (nodes []corev1.Node, problems []error) {
	var object struct {
		APIVersion string            `json:"apiVersion"`
		Kind       string            `json:"kind"`
		Items      []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(text, &object); err != nil {
		return nil, []error{fmt.Errorf("%s: not an object of Kubernetes: %w", name, err)}
	}
	switch {
	case object.APIVersion == "v1" && object.Kind == "Node":
		return oneNode(text, name)
	case !strings.HasSuffix(object.Kind, "List"):
		return nil, nil
	}
	for _, item := range object.Items {
		var found []corev1.Node
		var errs []error
		if object.Kind == "NodeList" {
			found, errs = oneNode(item, name)
		} else {
			found, errs = nodesOf(item, name)
		}
		nodes, problems = append(nodes, found...), append(problems, errs...)
	}
	return nodes, problems
}

func oneNode(text json.RawMessage, name string) ([]corev1.Node, []error) {
	var node corev1.Node
	if err := json.Unmarshal(text, &node); err != nil {
		var named struct{ Metadata struct{ Name string } }
		_ = json.Unmarshal(text, &named) // the name is for the message
		return nil, []error{notANode(name, named.Metadata.Name, err)}
	}
	node.Status.Images = nil // the images are the largest part of it
	return []corev1.Node{node}, nil
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
			err = json.Unmarshal(text, &node)
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
