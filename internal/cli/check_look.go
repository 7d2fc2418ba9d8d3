package cli

import (
	"bytes"
	"cmp"
	"errors"
	"hash/fnv"
	"io"
	"os"
	"strings"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/report"
	"github.com/mixedkube/mixedkube/internal/manifests"
	"github.com/mixedkube/mixedkube/internal/pods"
)

// look is what is kept of a file that was checked. Its objects are not: where other objects
// concern them, the file is read again.
type look struct {
	path    string
	objects []seen
	// start is the index of the first object among those of all files.
	start int
	// sum tells whether the file is the same when it is read again.
	sum uint64
	// aside is what else there is, nil for nothing.
	aside *aside
	// kept is what the file holds if nobody can read it again, else nil.
	kept *kept
}

// aside is what is not an object in a file, and what is wrong with the file.
type aside struct {
	others   others
	problems []error
	// changed says that the file is not the same any more.
	changed bool
}

// seen is what is kept of an object.
type seen struct {
	gist *preflight.Gist
	// found is nil if nothing is wrong.
	found *found
	// listed is the object, where the report has those without a finding, too.
	listed *report.Object
}

// found are the findings of an object, each with its line.
type found struct {
	of report.Object
	// hook are the events of Helm's hook, "" if the object is none.
	hook     string
	findings []preflight.Finding
	lines    []int
}

// kept is what was read, with the error at its end.
type kept struct {
	text []byte
	err  error
}

func (k *kept) reader() io.ReadCloser {
	return io.NopCloser(io.MultiReader(bytes.NewReader(k.text), failing{k.err}))
}

// failing is a reader that has nothing, and an error if there is one.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, cmp.Or(f.err, io.EOF) }

// open opens the file, as often as it is called.
func (l *look) open(in *input) (io.ReadCloser, error) {
	if l.kept != nil {
		return l.kept.reader(), nil
	}
	r, err := in.open(l.path)
	if _, is := in.rendered(l.path); err != nil || is || isRegular(r) {
		return r, err
	}
	defer func() { _ = r.Close() }()
	text, err := io.ReadAll(io.LimitReader(r, manifests.MaxFileSize+1))
	l.kept = &kept{text, err}
	return l.kept.reader(), nil
}

// isRegular reports whether it is a file that can be opened again, and not a pipe.
func isRegular(r io.Reader) bool {
	file, is := r.(*os.File)
	if !is {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode().IsRegular()
}

// read reads the file.
func (l *look) read(in *input) (objects []object, rest others, problems []error) {
	r, err := l.open(in)
	if err != nil {
		return nil, rest, []error{manifests.Named(shown(l.path), err)}
	}
	defer func() { _ = r.Close() }()
	sum := fnv.New64a()
	objects, rest, problems = in.objectsIn(io.TeeReader(r, sum), l.path)
	l.sum = sum.Sum64()
	return objects, rest, problems
}

// first checks each object alone, and returns them. lists says that each is kept for the report.
func (l *look) first(in *input, alone *preflight.Collection, lists bool) []object {
	objects, rest, problems := l.read(in)
	if len(rest.counts)+len(problems) > 0 {
		l.aside = &aside{others: rest, problems: problems}
	}
	l.objects = make([]seen, len(objects))
	for i, o := range objects {
		read := pods.ReadObject(o.tree)
		gist := alone.Gist(read)
		l.objects[i] = seen{gist: gist, found: foundIn(o, read, alone, gist)}
		gist.Compact()
		if lists {
			of := report.ObjectOf(o.tree)
			l.objects[i].listed = &of
		}
	}
	return objects
}

// again looks once more at those objects of the file which all objects concern, by their index among
// these.
func (l *look) again(in *input, all *preflight.Collection, concern func(i int) bool) {
	var wanted []int
	for i := range l.objects {
		if concern(l.start + i) {
			wanted = append(wanted, i)
		}
	}
	if len(wanted) == 0 || l.aside != nil && l.aside.changed {
		return
	}
	before := l.sum
	objects, _, _ := l.read(in)
	if l.sum != before || len(objects) != len(l.objects) {
		if l.aside == nil {
			l.aside = &aside{}
		}
		l.aside.changed = true
		l.aside.problems = append(l.aside.problems, manifests.Named(shown(l.path), errChanged))
		return
	}
	for _, i := range wanted {
		read := pods.ReadObject(objects[i].tree)
		l.objects[i].found = foundIn(objects[i], read, all, l.objects[i].gist)
	}
}

var errChanged = errors.New("has changed while it was checked: run the command again")

// foundIn is what is wrong with an object alone, and between it and others; nil if nothing is.
func foundIn(o object, read *pods.Object, all *preflight.Collection, gist *preflight.Gist) *found {
	alone := append(all.CheckObject(read), all.DuplicateKeys(o.tree, o.doc.Duplicates)...)
	across := all.Of(read, gist)
	if len(alone)+len(across) == 0 {
		return nil
	}
	f := &found{
		of: report.ObjectOf(o.tree), hook: strings.Join(hookEvents(o.tree), ", "),
		findings: preflight.Join(alone, across),
	}
	for _, finding := range f.findings {
		line := max(1, o.doc.Line(finding.Path))
		if o.rendered {
			line = 1 // the lines of a template are others
		}
		f.lines = append(f.lines, line)
	}
	return f
}
