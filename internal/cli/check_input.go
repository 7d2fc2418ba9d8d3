package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	"github.com/mixedkube/mixedkube/internal/core/value/placeholder"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// listed returns the files that the paths name, each once: in the order of the paths, the files of a directory in the
// order of their names, the templates of a chart in the order of helm.
func (in *input) listed(paths []string, skips userfiles.Skips) (files []string, problems []error) {
	seen := map[string]bool{}
	for _, path := range paths {
		found := []string{path}
		if chart, is := in.chart(path); is {
			found = chart.names
		} else if path != stdinPath {
			var errs []error
			found, errs = userfiles.List(&in.access, filepath.Clean(path), skips)
			problems = append(problems, errs...)
		}
		if len(found) == 1 && (path == stdinPath || found[0] == filepath.Clean(path)) {
			in.name(found[0])
		}
		for _, file := range found {
			if path != stdinPath {
				file = fileNamed(file)
			}
			if !seen[file] {
				seen[file] = true
				files = append(files, file)
			}
		}
	}
	return files, problems
}

// name records that the command line names a file.
func (in *input) name(path string) {
	if in.named == nil {
		in.named = map[string]bool{}
	}
	in.named[path] = true
}

// isNamed reports whether the command line names a file, and not only a directory above it.
func (in *input) isNamed(path string) bool {
	_, rendered := in.rendered(path)
	return rendered || in.named[path]
}

// object is a Kubernetes object in a file.
type object struct {
	file string
	doc  manifests.Document
	tree map[string]any
	// written is the object with its placeholders, which are unknown values in tree; nil if it has none.
	written map[string]any
	// rendered is true if the file is a template of a chart, renamed if a kustomization changes an image or a label of the object.
	rendered, renamed bool
	// built finds the places of values, if a kustomization has built the object.
	built *traced
}

// identity returns the kind and the names of the object.
func (o object) identity() report.Object {
	if o.built != nil {
		if written := o.built.written(); written != nil {
			return report.ObjectOf(written)
		}
	}
	if o.written != nil {
		return report.ObjectOf(o.written)
	}
	return report.ObjectOf(o.tree)
}

// renamedTo returns the kind and the names of an object that a kustomization has built, if they differ from those in its
// file, and else nil.
func (o object) renamedTo() *report.Object {
	if o.built == nil {
		return nil
	}
	if is := report.ObjectOf(o.built.object); is != o.identity() {
		return &is
	}
	return nil
}

// place returns where the value at a path is written.
func (o object) place(path string) placed {
	switch {
	case o.built != nil:
		return o.built.at(path)
	case o.rendered:
		return placed{line: 1} // a rendered template has other lines
	}
	return placed{line: max(1, o.doc.Line(path))}
}

func treesOf(objects []object) []map[string]any {
	trees := make([]map[string]any, len(objects))
	for i, o := range objects {
		trees[i] = o.tree
	}
	return trees
}

// objects returns the manifests of a file, its other documents, and the errors of the file.
func (in *input) objects(path string) (objects []object, rest left, problems []error) {
	r, err := in.open(path)
	if err != nil {
		return nil, rest, []error{disk.Named(shown(path), err)}
	}
	defer func() { _ = r.Close() }()
	return in.objectsIn(r, path)
}

// documentsIn returns the documents of a text that can be read.
func documentsIn(text []byte, name string) []manifests.Document {
	docs, _ := manifests.ReadObjects(bytes.NewReader(text), name)
	return docs
}

// objectsIn is objects for the content of a file.
func (in *input) objectsIn(r io.Reader, path string) (objects []object, rest left, problems []error) {
	name := shown(path)
	_, isRendered := in.rendered(path)
	isBuilt := in.built(path) != nil
	docs, err := manifests.ReadObjects(r, name)
	if rest.addUnreadable(in, path, err) {
		return nil, rest, nil
	}
	for _, doc := range docs {
		kind, by := in.repository.KindOf(name, doc)
		if kind != repository.Manifest && !in.builds.failed(name) {
			at := placed{name, max(1, doc.Line("")), nil}
			if isBuilt {
				at = in.traceOf(path, tree.Map(doc.Value)).at("")
			}
			rest.add(at, doc, kind, by)
		}
		if !kind.IsObject() {
			continue
		}
		o := object{file: name, doc: doc, tree: tree.Map(doc.Value), rendered: isRendered}
		if isBuilt {
			o.built = in.traceOf(path, o.tree)
		}
		o.renamed = in.repository.Transform(name, o.tree)
		if known, has := placeholder.Without(o.tree); has {
			o.tree, o.written = known, o.tree
		}
		objects = append(objects, o)
	}
	if err != nil {
		problems = []error{readable(name, err)}
	}
	return objects, rest, problems
}

// readable replaces the operating system's wording of an error.
func readable(name string, err error) error {
	if _, ok := errors.AsType[*os.PathError](err); ok {
		return disk.Named(name, err)
	}
	return err
}
