package cli

import (
	"bytes"
	"hash/fnv"
	"io"
	"path/filepath"
	"strings"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// adoptedFile is what the run remembers about a file. It does not include the text: the file is read again when it is
// written.
type adoptedFile struct {
	target
	// look has the completed objects.
	look look
	// changes has the changes of the text.
	changes []manifests.Change
	// questions has the questions about objects, by their indexes, and done what was done with each.
	questions map[int][]conversion.Finding
	done      []conversion.Done
	// errs are mistakes in the answers. used are the answers about the objects, and names those that could be.
	errs        []error
	used, names []string
	// isBuilt is true for what a kustomization builds, the one with the index root. built has its objects.
	isBuilt bool
	root    int
	built   []builtObject
}

// name returns the name of the file for messages.
func (f *adoptedFile) name() string { return shown(f.path) }

// failed reports whether the file stays unchanged because of a problem.
func (f *adoptedFile) failed() bool { return f.look.aside != nil && len(f.look.aside.problems) > 0 }

// remembered returns what is remembered about the targets before they are read.
func remembered(targets []target) []*adoptedFile {
	files := make([]*adoptedFile, len(targets))
	for i, t := range targets {
		files[i] = &adoptedFile{target: t, look: look{path: t.path}}
	}
	return files
}

// classes returns the RuntimeClasses in all files, and adds the images that the files use. Errors of a file are
// reported when it is completed.
func (a *adoption) classes(in *input, files []*adoptedFile, used *references) (classes []map[string]any) {
	found := make([][]map[string]any, len(files))
	inParallel(len(files), func(i int) {
		text, err := files[i].text(in)
		if decoded, _ := manifests.Decode(text); err != nil ||
			!a.images.needed() && !bytes.Contains(decoded, []byte("RuntimeClass")) {
			return
		}
		for _, doc := range documentsIn(text, files[i].name()) {
			object := tree.Map(doc.Value)
			if kind, _ := in.repository.KindOf(files[i].name(), doc); !kind.IsObject() {
				continue
			}
			used.add(object)
			if object["kind"] == "RuntimeClass" {
				found[i] = append(found[i], object)
			}
		}
	})
	for _, own := range found {
		classes = append(classes, own...)
	}
	return classes
}

// text returns the content of the file, or a byte more than is accepted.
func (f *adoptedFile) text(in *input) ([]byte, error) {
	r, err := f.look.open(in)
	if err != nil {
		return nil, disk.Named(f.name(), err)
	}
	defer func() { _ = r.Close() }()
	text, err := io.ReadAll(io.LimitReader(r, manifests.MaxFileSize+1))
	if err != nil {
		return nil, disk.Named(f.name(), err)
	}
	return text, nil
}

// convert completes the objects of all files, and checks each alone and among the others. The errors are about answers.
func (a *adoption) convert(in *input, converter *conversion.Converter, files []*adoptedFile) (errs []error) {
	cluster := &checkedCluster{checker: converter.Checker()}
	cluster.alone = cluster.checker.Collect(nil)
	inParallel(len(files), func(i int) {
		f := files[i]
		f.look.cluster = cluster
		f.look.complete = func(r io.Reader, take func(object)) (left, []error, bool) {
			if f.isBuilt {
				return f.convertedBuilt(in, converter, r, take)
			}
			return f.converted(in, converter, r, take)
		}
		f.look.first(in, false, func(object) {})
	})
	used, complete := map[string]bool{}, true
	var names []string
	looks := make([]*look, len(files))
	for i, f := range files {
		looks[i] = &f.look
		complete = complete && !f.failed()
		errs, names = append(errs, f.errs...), append(names, f.names...)
		for _, key := range f.used {
			used[key] = true
		}
	}
	if complete { // otherwise an answer may be about an object that could not be read
		errs = append(errs, converter.Unused(used, names)...)
	}
	if len(errs) == 0 {
		cluster.again(in, looks)
	}
	return errs
}

// converted completes the objects of the file, and remembers what is needed to write it.
func (f *adoptedFile) converted(
	in *input, converter *conversion.Converter, r io.Reader, take func(object),
) (rest left, problems []error, ok bool) {
	text, err := io.ReadAll(io.LimitReader(r, manifests.MaxFileSize+1))
	if err != nil {
		return rest, []error{readable(f.name(), err)}, false
	}
	f.questions, f.done, f.used, f.names = nil, nil, nil, nil
	c := converter.ConvertEach(conversion.File{Name: f.name(), Text: text}, func(one conversion.ConvertedObject) {
		take(f.add(&one, nil, converter.HasAnswers()))
	})
	if len(c.File.Problems) > 0 {
		f.questions, f.done, f.used, f.names = nil, nil, nil, nil
		if rest.addUnreadable(in, f.path, c.File.Problems...) {
			return rest, nil, false
		}
		return rest, c.File.Problems, false
	}
	f.changes, f.errs = c.File.Changes, c.Errs
	return leftOf(in, &c), nil, true
}

// leftOf returns the rest of a file that was converted.
func leftOf(in *input, c *conversion.Converted) left {
	rest := left{partial: c.Partial, content: c.Content}
	for _, l := range c.Left {
		if in.builds.failed(l.File) {
			continue
		}
		rest.count(l.Kind, 1)
		rest.addFile(l.File, l.Line, l.Kind, l.By)
	}
	return rest
}

// add adds an object: the questions about it, what was done with it, and, with answers, the one that is about it. built
// finds the places of its values, nil if they are in the file.
func (f *adoptedFile) add(one *conversion.ConvertedObject, built *traced, answers bool) object {
	o := object{file: f.name(), doc: one.Document, tree: one.Tree, renamed: one.Renamed, built: built}
	if one.Known != nil {
		o.tree, o.written = one.Known, one.Tree
	}
	hook := strings.Join(hookEvents(one.Tree), ", ")
	for i := range one.Questions {
		q := &one.Questions[i]
		if built != nil {
			at := built.at(q.Path)
			q.File, q.Line = at.file, at.line
		}
		inHook(&q.Finding, hook)
	}
	if len(one.Questions) > 0 {
		if f.questions == nil {
			f.questions = map[int][]conversion.Finding{}
		}
		f.questions[len(f.done)] = one.Questions
	}
	f.done = append(f.done, one.Done)
	if answers {
		f.used, f.names = append(f.used, one.Answer), append(f.names, one.Names()...)
	}
	return o
}

// write writes a file, or shows its changes. It writes no file that has a problem, or that has changed since it was
// completed: then it adds the problem. i is the index of the file.
func (a *adoption) write(in *input, i int, f *adoptedFile, stdout io.Writer) error {
	if f.failed() || f.isBuilt || len(f.changes) == 0 && a.dir == "" {
		return nil
	}
	before, err := f.text(in)
	if sum := fnv.New64a(); err == nil {
		_, _ = io.Copy(sum, bytes.NewReader(before))
		if sum.Sum64() != f.look.sum {
			err = disk.Named(f.name(), errChanged)
		}
	}
	if err != nil {
		f.look.fail(err)
		return nil
	}
	return a.writeText(i, f.target, before, f.changes, stdout)
}

// writeText writes the changed text of a file, or shows its changes.
func (a *adoption) writeText(
	i int, t target, before []byte, changes []manifests.Change, stdout io.Writer,
) error {
	file := conversion.File{Name: shown(t.path), Text: manifests.Changed(before, changes), Changes: changes}
	switch {
	case a.toStdout():
		return together(stdout, readerOf(stdout), i, file)
	case a.dir != "":
		return disk.Replace(filepath.Join(a.dir, t.to), file.Text, t.mode)
	case a.inPlace:
		return disk.Replace(t.path, file.Text, t.mode)
	default:
		return show(stdout, before, file, readerOf(stdout), colorsOf(stdout))
	}
}
