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

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Contents are the objects of a file, a cluster or the state of a stack.
type Contents struct {
	// Objects are Kubernetes objects, including nodes and the elements of lists.
	Objects []map[string]any
	// State is the state of the stack, nil for any other source.
	State *State
	// Notes name the parts that cannot be seen, and Others is the number of other documents.
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

// ReadJSON reads Kubernetes objects in JSON, of any size: as kubectl prints them, or as an API server lists them. The
// name is for messages.
func ReadJSON(text []byte, name string) (c Contents, problems []error) {
	if err := checkValues(text, name, maxValues); err != nil {
		return c, []error{err}
	}
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

// add adds an object, or the elements of a list.
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
		if element["metadata"] == nil {
			c.Others++
			continue
		}
		// In a list of the API server, only the list has the kind of its elements.
		if element["kind"] == nil && element != nil && kind != "" {
			element["kind"], element["apiVersion"] = kind, object["apiVersion"]
		}
		c.add(element)
	}
}

// Nodes returns the nodes among objects.
func Nodes(objects []map[string]any) (nodes []corev1.Node, problems []error) {
	for _, object := range objects {
		if object["kind"] != "Node" || object["apiVersion"] != "v1" {
			continue
		}
		if len(nodes) == maxNodes {
			return nil, []error{fmt.Errorf("more than %d nodes: name the files of one cluster", maxNodes)}
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

// Describe returns the topology of nodes that have been read.
func (s Source) Describe(nodes []corev1.Node) (topology.Topology, []string, error) {
	return s.describe(nodes)
}

// mapKinds are the kinds of objects that show where pods are, and which workloads they belong to.
const mapKinds = "nodes,pods,deployments.apps,replicasets.apps,statefulsets.apps,daemonsets.apps," +
	"replicationcontrollers,jobs.batch,cronjobs.batch,runtimeclasses.node.k8s.io"

// Contents returns the nodes, the workloads and the pods of the cluster, in all namespaces.
func (k Kubectl) Contents(ctx context.Context) (Contents, []error) {
	text, err := k.Run(ctx, "get", mapKinds, "--all-namespaces", "--output=json")
	if err != nil {
		return Contents{}, []error{err}
	}
	return ReadJSON(text, "kubectl get "+mapKinds)
}

// helmRelease is the type of a resource whose objects are not in the state.
const helmRelease = "kubernetes:helm.sh/v3:Release"

// Contents returns the Kubernetes objects of the stack, as its program describes them.
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
