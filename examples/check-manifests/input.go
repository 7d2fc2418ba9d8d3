package main

import (
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/mixedkube/mixedkube/internal/manifests"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// stdinPath stands for standard input, stdinName is how it is shown.
const (
	stdinPath = "-"
	stdinName = "stdin"
)

// source is one file to be read.
type source struct {
	// name is how the file is shown, with forward slashes.
	name string
	open func() (io.ReadCloser, error)
}

// sources lists the files that paths name, each once: in the order of the paths,
// those of a folder in the order of their names.
func sources(paths []string, stdin io.Reader) (files []source, problems []error) {
	seen := map[string]bool{}
	add := func(path, name string, open func() (io.ReadCloser, error)) {
		if !seen[path] {
			seen[path] = true
			files = append(files, source{filepath.ToSlash(name), open})
		}
	}
	for _, path := range paths {
		if path == stdinPath {
			add(path, stdinName, func() (io.ReadCloser, error) { return io.NopCloser(stdin), nil })
			continue
		}
		found, errs := manifests.List(filepath.Clean(path))
		problems = append(problems, errs...)
		for _, file := range found {
			add(file, file, func() (io.ReadCloser, error) { return manifests.Open(file) })
		}
	}
	return files, problems
}

// object is a Kubernetes object in a file.
type object struct {
	file string
	doc  manifests.Document
	tree map[string]any
}

// read returns the Kubernetes objects of a file, how many documents are something
// else, and what is wrong with the file.
func (s source) read() (objects []object, others int, problems []error) {
	r, err := s.open()
	if err != nil {
		return nil, 0, []error{manifests.Named(s.name, err)}
	}
	defer func() { _ = r.Close() }()
	docs, err := manifests.ReadYAML(r, s.name)
	for _, doc := range docs {
		if m := tree.Map(doc.Value); isObject(m) {
			objects = append(objects, object{s.name, doc, m})
		} else {
			others++
		}
	}
	if err != nil {
		problems = []error{readable(s.name, err)}
	}
	return objects, others, problems
}

// readable takes the operating system's words out of an error.
func readable(name string, err error) error {
	if _, ok := errors.AsType[*os.PathError](err); ok {
		return manifests.Named(name, err)
	}
	return err
}

// isObject says whether it is a Kubernetes object: others, such as the values of a
// Helm chart or a workflow, have no kind or no apiVersion.
func isObject(m map[string]any) bool {
	kind, _ := tree.Text(m["kind"])
	version, _ := tree.Text(m["apiVersion"])
	return kind != "" && version != ""
}

// names are what an object says about itself.
func (o object) names() (kind, namespace, name string) {
	kind, _ = tree.Text(o.tree["kind"])
	namespace, _ = tree.Text(tree.At(o.tree, "metadata", "namespace"))
	name, _ = tree.Text(tree.At(o.tree, "metadata", "name"))
	prefix, _ := tree.Text(tree.At(o.tree, "metadata", "generateName"))
	return kind, namespace, cmp.Or(name, prefix)
}
