package sources

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/manifests"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// Contents are what a file, a cluster or the state of a stack has.
type Contents struct {
	// Objects are Kubernetes objects, nodes among them. Lists are taken apart.
	Objects []map[string]any
	// State is the one of the stack, nil for anything else.
	State *State
	// Notes say what of it cannot be seen, Others is how many documents are something else.
	Notes  []string
	Others int
}

// ReadContents reads Kubernetes objects, in YAML or JSON, or the state of a stack.
func (f File) ReadContents() (Contents, []error) {
	text, err := f.text()
	if err != nil {
		return Contents{}, []error{err}
	}
	c := contentOf(text)
	switch {
	case c.kind == ofState:
		state, err := ReadState(text, f.Name)
		if err != nil {
			return Contents{}, []error{err}
		}
		return state.Contents(), nil
	case c.kind == ofNodes && c.json:
		return ReadJSON(text, f.Name)
	}
	docs, err := manifests.ReadObjects(bytes.NewReader(text), f.Name)
	var read Contents
	for _, doc := range docs {
		object := tree.Map(doc.Value)
		if isObject(object) {
			read.Objects = append(read.Objects, object)
		} else {
			read.Others++
		}
	}
	if err != nil {
		return read, []error{err}
	}
	return read, nil
}

func isObject(object map[string]any) bool {
	kind, _ := tree.Text(object["kind"])
	version, _ := tree.Text(object["apiVersion"])
	return kind != "" && version != ""
}

// ReadJSON reads Kubernetes objects in JSON, of any size: as kubectl prints them, or as an API server
// lists them. The name is for messages.
func ReadJSON(text []byte, name string) (c Contents, problems []error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	for {
		var object map[string]any
		err := decoder.Decode(&object)
		switch {
		case errors.Is(err, io.EOF):
			return c, nil
		case err != nil:
			return c, []error{fmt.Errorf("%s: %w", name, inJSON(text, err))}
		}
		c.add(tree.Map(tree.Normalize(object)))
	}
}

// add adds an object, or those of a list.
func (c *Contents) add(object map[string]any) {
	if !isObject(object) {
		c.Others++
		return
	}
	kind, _ := tree.Text(object["kind"])
	kind, is := strings.CutSuffix(kind, "List")
	if !is {
		c.Objects = append(c.Objects, object)
		return
	}
	for _, item := range tree.List(object["items"]) {
		element := tree.Map(item)
		// An API server says what they are once, for the whole list.
		if element["kind"] == nil && element != nil && kind != "" {
			element["kind"], element["apiVersion"] = kind, object["apiVersion"]
		}
		c.add(element)
	}
}

// Nodes are the nodes among objects.
func Nodes(objects []map[string]any) (nodes []corev1.Node, problems []error) {
	for _, object := range objects {
		if object["kind"] != "Node" || object["apiVersion"] != "v1" {
			continue
		}
		text, err := json.Marshal(object)
		if err != nil {
			return nil, []error{err}
		}
		found, errs := oneNode(text, "Node")
		nodes, problems = append(nodes, found...), append(problems, errs...)
	}
	return nodes, problems
}

// Describe makes a topology of nodes that have been read.
func (s Source) Describe(nodes []corev1.Node) (topology.Topology, []string, error) {
	return s.describe(nodes)
}

// drawn are the kinds of objects that say where pods are, and whose they are.
const drawn = "nodes,pods,deployments.apps,replicasets.apps,statefulsets.apps,daemonsets.apps," +
	"replicationcontrollers,jobs.batch,cronjobs.batch,runtimeclasses.node.k8s.io"

// Contents are the nodes, the workloads and the pods of the cluster, in all namespaces.
func (k Kubectl) Contents(ctx context.Context) (Contents, []error) {
	text, err := k.Run(ctx, "get", drawn, "--all-namespaces", "--output=json")
	if err != nil {
		return Contents{}, []error{err}
	}
	return ReadJSON(text, "kubectl get "+drawn)
}

// helmRelease is a resource whose objects the state does not have.
const helmRelease = "kubernetes:helm.sh/v3:Release"

// Contents are the Kubernetes objects that the stack has, as it wants them.
func (s *State) Contents() Contents {
	c := Contents{State: s}
	for _, r := range s.Resources {
		switch {
		case !r.Custom || r.External || !strings.HasPrefix(r.Type, "kubernetes:"):
		case r.Type == helmRelease:
			c.Notes = append(c.Notes, fmt.Sprintf("Not drawn, because the state does not say what is in it: "+
				"the Helm release %s.", r.ResourceName()))
		default:
			if object := tree.Map(tree.Normalize(r.Inputs)); isObject(object) {
				c.Objects = append(c.Objects, object)
			}
		}
	}
	return c
}
