package examples

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// version is the Kubernetes version of the examples, unless their topology sets another.
const version = "1.36"

// The files that only some examples have: the cluster, what it is planned to become, and the lock file.
const (
	topologyFile = "topology.yaml"
	planFile     = "plan.yaml"
	imagesFile   = "images.yaml"
)

// example are the files of an example.
type example struct {
	bad, good string
	// topology describes the cluster, plan is the planned topology, and images is the lock file. They are "" for an
	// example that needs none.
	topology, plan, images string
	options                preflight.Options
}

// read reads the files in a rule's directory: bad.yaml and good.yaml, and the others if they exist.
func read(files fs.FS, dir string) (example, error) {
	var e example
	for _, file := range []struct {
		name     string
		text     *string
		optional bool
	}{
		{"bad.yaml", &e.bad, false},
		{"good.yaml", &e.good, false},
		{topologyFile, &e.topology, true},
		{planFile, &e.plan, true},
		{imagesFile, &e.images, true},
	} {
		content, err := fs.ReadFile(files, path.Join(dir, file.name))
		if file.optional && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return example{}, err
		}
		*file.text = strings.TrimSpace(string(content)) + "\n"
	}
	return e, e.readOptions(dir)
}

func (e *example) readOptions(dir string) error {
	for _, read := range []struct {
		name, text string
		to         *topology.Topology
	}{{topologyFile, e.topology, &e.options.Topology}, {planFile, e.plan, &e.options.To}} {
		if read.text == "" {
			continue
		}
		cluster, err := readTopology(read.text)
		if err != nil {
			return fmt.Errorf("%s: %w", path.Join(dir, read.name), err)
		}
		*read.to = cluster
	}
	if e.images != "" {
		lock, err := images.Decode(strings.NewReader(e.images), path.Join(dir, imagesFile))
		if err != nil {
			return err
		}
		e.options.Images = lock
	}
	if e.options.Topology.KubernetesVersion == "" {
		e.options.KubernetesVersion = version
	}
	if errs := e.options.Validate(nil); len(errs) > 0 {
		return fmt.Errorf("%s: %w", dir, errs.ToAggregate())
	}
	return nil
}

// readTopology reads a topology in the format of a file.
func readTopology(text string) (topology.Topology, error) {
	docs, err := manifests.ReadYAML(strings.NewReader(text), "topology")
	if err != nil {
		return topology.Topology{}, err
	}
	if len(docs) != 1 {
		return topology.Topology{}, fmt.Errorf("%d documents, not one", len(docs))
	}
	t, errs := topology.Decode(docs[0].Value, nil)
	return t, fielderrors.Join("topology", errs)
}

// findings checks the objects of a text, each alone and all together.
func (e *example) findings(text string) ([]preflight.Finding, error) {
	docs, err := manifests.ReadObjects(strings.NewReader(text), "example")
	if err != nil {
		return nil, err
	}
	objects := make([]map[string]any, len(docs))
	for i, doc := range docs {
		if objects[i] = tree.Map(doc.Value); objects[i] == nil {
			return nil, fmt.Errorf("document %d is not an object", i+1)
		}
	}
	checker := preflight.New(e.options)
	across := map[int][]preflight.Finding{}
	if len(objects) > 1 {
		across = checker.Across(objects)
	}
	var all []preflight.Finding
	for i, object := range objects {
		all = append(all, preflight.Join(checker.Check(object), across[i])...)
		all = append(all, checker.DuplicateKeys(object, docs[i].Duplicates)...)
	}
	return all, nil
}
