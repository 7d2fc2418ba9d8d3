package sources

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// Source is where a topology comes from: Files, the cluster of Kubectl, or the state of Stack. One of the three is set.
type Source struct {
	// Files are files with nodes, of one cluster together, or one file with a topology or with the state of a stack.
	// The content of a file decides which it is.
	Files []File
	// Kubectl reads a live cluster.
	Kubectl *Kubectl
	// Stack is the name of a Pulumi stack, whose state pulumi exports.
	Stack string

	// ControlPlane is the version of the control plane, as in the output of kubectl version, if nodes describe the
	// cluster. The default is the version of a live cluster, or else the version of the newest node.
	ControlPlane string
	// Resource chooses among the clusters of a state: the name or the URN of the resource, or the name of an output of
	// the stack. It can be empty if there is only one.
	Resource string
}

// File is a file to read.
type File struct {
	// Name is the name of the file for messages.
	Name string
	// Open opens it.
	Open func() (io.ReadCloser, error)
}

// Read reads the topology. The notes tell the user what to check in it. The error has everything that is wrong.
func (s Source) Read(ctx context.Context) (t topology.Topology, notes []string, err error) {
	switch {
	case s.Kubectl != nil:
		return s.live(ctx)
	case s.Stack != "":
		state, err := ExportStack(ctx, s.Stack)
		if err != nil {
			return t, nil, err
		}
		return state.Topology(s.Resource)
	default:
		return s.files()
	}
}

// live reads the nodes and the RuntimeClasses of the cluster, and its version unless ControlPlane is set. A user without
// the permission for anything but nodes gets a result.
func (s Source) live(ctx context.Context) (t topology.Topology, notes []string, err error) {
	text, err := s.Kubectl.Nodes(ctx)
	if err != nil {
		return t, nil, err
	}
	var unknown []string
	if s.ControlPlane == "" {
		// Nodes have a version, too.
		if s.ControlPlane, err = s.Kubectl.Version(ctx); err != nil {
			unknown = append(unknown, err.Error())
		}
	}
	classes, err := s.Kubectl.RuntimeClasses(ctx)
	if err != nil {
		unknown = append(unknown,
			"runtimeClasses: not known, so that a missing RuntimeClass is a warning: "+err.Error())
	}
	nodes, problems := nodesInJSON(text, "kubectl get nodes")
	if len(problems) > 0 {
		return t, nil, errors.Join(problems...)
	}
	t, notes, err = s.describe(nodes)
	if err != nil {
		return t, nil, err
	}
	t.RuntimeClasses = classes
	return t, append(unknown, notes...), nil
}

// instead is the fix for files that do not describe a cluster.
const instead = "give a topology, or what kubectl get nodes -o json or pulumi stack export prints"

// describe returns the topology of nodes.
func (s Source) describe(nodes []corev1.Node) (topology.Topology, []string, error) {
	if len(nodes) == 0 && s.Kubectl != nil {
		return topology.Topology{}, nil, errors.New("the cluster has no nodes")
	}
	if len(nodes) == 0 {
		names := make([]string, len(s.Files))
		for i, f := range s.Files {
			names[i] = f.Name
		}
		return topology.Topology{}, nil, fmt.Errorf("%s: no nodes: %s", strings.Join(names, ", "), instead)
	}
	t, notes, invalid := topology.FromNodes(nodes, s.ControlPlane)
	errs := make([]error, len(invalid))
	for i, err := range invalid {
		errs[i] = err
	}
	return t, notes, errors.Join(errs...)
}

// files reads the nodes of several files, or the content of one file.
func (s Source) files() (t topology.Topology, notes []string, err error) {
	var nodes []corev1.Node
	var problems []error
	for _, f := range s.Files {
		text, err := f.text()
		if err != nil {
			problems = append(problems, err)
			continue
		}
		c := contentOf(text)
		switch {
		case c.kind == ofNodes:
			found, errs := c.nodes(text, f.Name)
			nodes, problems = append(nodes, found...), append(problems, errs...)
		case c.kind == ofNothing:
			problems = append(problems, fmt.Errorf("%s: no topology, nodes or state of a stack: %s", f.Name, instead))
		case len(s.Files) > 1:
			problems = append(problems, fmt.Errorf("%s: has %s: only files with nodes are read together: name this "+
				"one alone", f.Name, c.kind))
		case c.kind == ofState:
			state, err := ReadState(text, f.Name)
			if err != nil {
				return t, nil, err
			}
			return state.Topology(s.Resource)
		default:
			t, err = manifests.DecodeTopology(bytes.NewReader(text), f.Name)
			return t, nil, err
		}
	}
	if len(problems) > 0 {
		return t, nil, errors.Join(problems...)
	}
	return s.describe(nodes)
}

// text returns the whole file.
func (f File) text() ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, disk.Named(f.Name, err)
	}
	defer func() { _ = r.Close() }()
	text, err := io.ReadAll(io.LimitReader(r, MaxOutput+1))
	switch {
	case err != nil:
		return nil, disk.Named(f.Name, err)
	case len(text) > MaxOutput:
		return nil, fmt.Errorf("%s: has more than %d MB", f.Name, MaxOutput>>20)
	}
	text, _ = manifests.Decode(text)
	return text, nil
}

// kind is the kind of content that a file has.
type kind string

const (
	ofTopology kind = "a topology"
	ofNodes    kind = "objects of Kubernetes"
	ofState    kind = "the state of a stack"
	ofNothing  kind = "something else"
)

// content is the content of a file: its kind, and the parts that were read to recognize it.
type content struct {
	kind kind
	docs []manifests.Document
	json bool
}

// contentOf recognizes the kind of a text. A text that cannot be read counts as a topology: reading it reports what
// is wrong with it.
func contentOf(text []byte) content {
	if bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) {
		var first map[string]json.RawMessage
		if json.NewDecoder(bytes.NewReader(text)).Decode(&first) == nil {
			return content{kind: kindOf(first), json: true}
		}
	}
	docs, err := manifests.ReadObjects(bytes.NewReader(text), "")
	if err != nil {
		return content{kind: ofTopology}
	}
	if len(docs) == 0 {
		return content{kind: ofNothing}
	}
	return content{kind: kindOf(tree.Map(docs[0].Value)), docs: docs}
}

// mostKeys is how many keys a misspelled topology can have: each is compared with all known ones.
const mostKeys = 100

func kindOf[V any](object map[string]V) kind {
	has := func(key string) bool { _, ok := object[key]; return ok }
	switch {
	case has("kind") && has("apiVersion"):
		return ofNodes
	case has("version") && (has("deployment") || has("checkpoint")):
		return ofState
	case len(object) <= mostKeys && slices.ContainsFunc(slices.Collect(maps.Keys(object)), ofATopology):
		return ofTopology
	default:
		return ofNothing
	}
}

// ofATopology reports whether a key is a key of a topology, perhaps misspelled.
func ofATopology(key string) bool {
	var keys []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[topology.Topology]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		keys = append(keys, name)
	}
	_, near := fielderrors.Nearest(key, keys)
	return near
}

func (c content) nodes(text []byte, name string) ([]corev1.Node, []error) {
	if c.json {
		return nodesInJSON(text, name)
	}
	return nodesAmong(c.docs, name)
}
