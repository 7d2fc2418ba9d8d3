package cli

import (
	"io"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// builtObject is an object that a kustomization has built, with what completes it.
type builtObject struct {
	// root is the index of the kustomization, and index that of the object in its build.
	root, index int
	// before is the object, and after the completed one.
	before, after map[string]any
	edits         []tree.Edit
	// from is where it comes from.
	from sourceDocument
	// kind and name are those of the object as it is written.
	kind, name string
	// at is its place.
	at placed
	// byOperations is true if a JSON patch completes it.
	byOperations bool
}

// sourceDocument is a document that a kustomization reads. The file is "" if it is not known.
type sourceDocument struct {
	file  string
	index int
}

// convertedBuilt completes the objects that a kustomization builds, and remembers what is needed to write the edits.
func (f *adoptedFile) convertedBuilt(
	in *input, converter *conversion.Converter, r io.Reader, take func(object),
) (rest left, problems []error, ok bool) {
	text, err := io.ReadAll(r)
	if err != nil {
		return rest, []error{readable(f.name(), err)}, false
	}
	trace := func(object map[string]any) *traced { return in.traceOf(f.path, object) }
	c := converter.ConvertBuilt(
		conversion.File{Name: f.name(), Text: text},
		func(object map[string]any) map[string]any { return trace(object).written() },
	)
	if len(c.File.Problems) > 0 {
		return rest, c.File.Problems, false
	}
	f.errs, f.questions, f.done, f.used, f.names, f.built = c.Errs, nil, nil, nil, nil, nil
	for i := range c.Objects {
		one := &c.Objects[i]
		at := trace(tree.Map(one.Document.Value))
		take(f.add(one, at, converter.HasAnswers()))
		f.built = append(f.built, f.builtObject(i, one, at))
	}
	return leftOf(in, &c), nil, true
}

func (f *adoptedFile) builtObject(i int, one *conversion.ConvertedObject, at *traced) builtObject {
	b := builtObject{
		root: f.root, index: i, before: tree.Map(one.Document.Value), after: one.Tree, edits: one.Edits,
		kind: one.Kind, name: one.Name, at: at.at(""),
	}
	if trace := at.trace(); trace != nil {
		if file, index, is := trace.Source(); is {
			b.from = sourceDocument{file, index}
		}
	}
	return b
}

// builtFiles returns the files that no build reads, and one for what each kustomization builds.
func (a *adoption) builtFiles(in *input, files []*adoptedFile) (rest, built []*adoptedFile) {
	if a.toStdout() { // the objects of files are one stream there
		return files, nil
	}
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.path
	}
	a.builds = in.build(paths, maxBuilds)
	for _, f := range files {
		if a.builds.reads[f.name()] { // also if a kustomization reads it that was not built
			a.covered = append(a.covered, f.target)
			continue
		}
		rest = append(rest, f)
	}
	for i, root := range a.builds.roots {
		path := fromShown(root.File)
		built = append(built, &adoptedFile{target: target{path: path}, look: look{path: path}, root: i, isBuilt: true})
	}
	return rest, built
}

// isFragment reports whether a document is only a part of an object, which a kustomization completes.
func isFragment(in *input, file string, doc manifests.Document) bool {
	kind, _ := in.repository.KindOf(file, doc)
	return kind != repository.Manifest && kind != repository.Custom
}
