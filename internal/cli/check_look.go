package cli

import (
	"bytes"
	"cmp"
	"errors"
	"hash/fnv"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// look is what the run remembers about a checked file. It does not include the objects: if other objects concern them,
// the file is read again.
type look struct {
	path    string
	cluster *checkedCluster
	// again is true for a file that has another look for another cluster before this one.
	again   bool
	objects []seen
	// unchanged is true if nothing in the file has changed since the commit of --since.
	unchanged bool
	// needs are the facts that the rules about the objects use.
	needs preflight.Needs
	// contributes says which environments the file belongs to.
	contributes repository.Content
	// environments is their number, 0 if the files have only one. For the objects of a kustomization, names are the
	// names, and reads the files that the build has read.
	environments int
	names, reads []string
	// sum detects changes of the file when it is read again.
	sum uint64
	// aside is the rest of the file, nil if there is none.
	aside *aside
	// content is the file's content if the file cannot be read again, else nil.
	content *content
	// complete reads the objects, and calls take with each when it is completed. It is nil if they are only checked. If it
	// returns false, the file has problems or is not a manifest, and no object counts.
	complete func(r io.Reader, take func(object)) (rest left, problems []error, ok bool)
}

// aside has the documents of a file that are not objects, and the errors of the file.
type aside struct {
	left     left
	problems []error
	// changed is true if the file has changed since it was read.
	changed bool
}

// seen is what the run remembers about an object.
type seen struct {
	gist *preflight.Gist
	// found is nil if there are no findings.
	found *found
	// listed is the object, if the report includes the ones without a finding.
	listed *report.Checked
}

// blocked reports whether a finding about the object is an error.
func (s seen) blocked() bool {
	return s.found != nil && slices.ContainsFunc(s.found.findings, preflight.Finding.Blocks)
}

// found has the findings of an object, each with its place.
type found struct {
	of report.Object
	// built is the object as it was built, if its names differ from those in its file; nil if not.
	built *report.Object
	// hook has the events of Helm's hook, "" if the object is not a hook.
	hook     string
	findings []preflight.Finding
	places   []placed
	// environments lists where each finding was found. It is nil without environments.
	environments [][]string
	// shared says which findings may depend on other objects. shown says which are reported: all of a changed file, and
	// shared ones in environments that a change touches.
	shared, shown []bool
}

// content is the text of a file that was read, with the error at its end.
type content struct {
	text []byte
	err  error
}

func (c *content) reader() io.ReadCloser {
	return io.NopCloser(io.MultiReader(bytes.NewReader(c.text), failing{c.err}))
}

// failing is an empty reader that returns an error if there is one.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, cmp.Or(f.err, io.EOF) }

// open opens the file, as often as it is called.
func (l *look) open(in *input) (io.ReadCloser, error) {
	if l.content != nil {
		return l.content.reader(), nil
	}
	r, err := in.open(l.path)
	if _, is := in.rendered(l.path); err != nil || is || isRegular(r) {
		return r, err
	}
	defer func() { _ = r.Close() }()
	text, err := io.ReadAll(io.LimitReader(r, manifests.MaxFileSize+1))
	l.content = &content{text, err}
	return l.content.reader(), nil
}

// isRegular reports whether r is a file that can be opened again, and not a pipe.
func isRegular(r io.Reader) bool {
	file, is := r.(*os.File)
	if !is {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode().IsRegular()
}

// read reads the file.
func (l *look) read(in *input) (objects []object, rest left, problems []error) {
	rest, problems, ok := l.each(in, func(o object) { objects = append(objects, o) })
	if !ok {
		objects = nil
	}
	return objects, rest, problems
}

// each is read for files with many objects: it calls take with each, and keeps none. If it returns false, no object
// counts.
func (l *look) each(in *input, take func(object)) (rest left, problems []error, ok bool) {
	r, err := l.open(in)
	if err != nil {
		return rest, []error{disk.Named(shown(l.path), err)}, false
	}
	defer func() { _ = r.Close() }()
	sum := fnv.New64a()
	if text := io.TeeReader(r, sum); l.complete != nil {
		rest, problems, ok = l.complete(text, take)
	} else {
		var objects []object
		objects, rest, problems = in.objectsIn(text, l.path)
		for _, o := range objects {
			take(o)
		}
		ok = true
	}
	l.sum = sum.Sum64()
	return rest, problems, ok
}

// first checks each object alone, and calls take with it. lists is true if the report includes each object.
func (l *look) first(in *input, lists bool, take func(object)) {
	rest, problems, ok := l.each(in, func(o object) {
		l.see(o, lists)
		take(o)
	})
	if !ok {
		l.objects, l.needs, l.contributes = nil, 0, repository.Content{}
	}
	if len(rest.counts)+len(problems) > 0 {
		l.aside = &aside{left: rest, problems: problems}
	}
	l.contributes.Root = in.rootOf(l.path)
	l.contributes.Merge(rest.content)
}

// see checks an object alone.
func (l *look) see(o object, lists bool) {
	alone := l.cluster.alone
	read := pods.ReadObject(o.tree)
	l.needs |= preflight.NeedsOf(read)
	gist := alone.Gist(read)
	one := seen{gist: gist, found: foundIn(o, read, alone, gist)}
	l.contributes.Add(o.tree)
	if !o.renamed && o.written == nil { // what replaces an image or a placeholder is not known
		gist.Compact()
	}
	if lists {
		one.listed = &report.Checked{Object: o.identity(), File: cmp.Or(o.place("").file, shown(l.path))}
	}
	l.objects = append(l.objects, one)
}

// inEnvironment is a file in one of its environments.
type inEnvironment struct {
	*look
	name string
	// touched is true if a change touches the environment: see [past.touches].
	touched bool
	// gists has one for each object. found has the findings of those that others concern.
	gists []*preflight.Gist
	found map[int]*found
}

// again checks the objects of the file again that other objects concern.
func (l *inEnvironment) again(in *input, all *preflight.Collection, concerned func(*preflight.Gist) bool) {
	var indexes []int
	for i, gist := range l.gists {
		if concerned(gist) {
			indexes = append(indexes, i)
		}
	}
	if len(indexes) == 0 || l.aside != nil && l.aside.changed {
		return
	}
	if l.found == nil { // few files need it
		l.found = map[int]*found{}
	}
	before := l.sum
	objects, _, _ := l.read(in)
	if l.sum != before || len(objects) != len(l.objects) {
		l.fail(disk.Named(shown(l.path), errChanged))
		l.aside.changed = true
		return
	}
	for _, i := range indexes {
		read := pods.ReadObject(objects[i].tree)
		l.found[i] = foundIn(objects[i], read, all, l.gists[i])
	}
}

// fail adds a problem of the file.
func (l *look) fail(err error) {
	if l.aside == nil {
		l.aside = &aside{}
	}
	l.aside.problems = append(l.aside.problems, err)
}

var errChanged = errors.New("has changed while it was checked: run the command again")

// foundIn returns the findings of an object, alone and in relation to others; nil if there are none.
func foundIn(o object, read *pods.Object, all *preflight.Collection, gist *preflight.Gist) *found {
	alone := append(all.CheckObject(read), all.DuplicateKeys(o.tree, o.doc.Duplicates)...)
	if o.written != nil {
		alone = append(alone, all.CheckPlaceholders(pods.ReadObject(o.written), alone)...)
	}
	across := all.Findings(read, gist)
	if len(alone)+len(across) == 0 {
		return nil
	}
	f := &found{
		of: o.identity(), built: o.renamedTo(), hook: strings.Join(hookEvents(o.tree), ", "),
		findings: preflight.Join(alone, across),
	}
	joins, between := joinsOthers(read), map[[2]string]bool{}
	for _, finding := range across {
		between[[2]string{finding.Rule, finding.Path}] = true
	}
	for _, finding := range f.findings {
		f.places = append(f.places, o.place(finding.Path))
		f.shared = append(f.shared, joins || between[[2]string{finding.Rule, finding.Path}])
	}
	return f
}

// joinsOthers reports whether other objects, which may no longer exist, decide about findings of the object alone: a
// RuntimeClass and volumes say where its pods can run.
func joinsOthers(o *pods.Object) bool {
	return slices.ContainsFunc(o.All(), func(p *pods.Pods) bool {
		claims, all := p.VolumeClaims()
		return p.ClassName() != "" || len(claims) > 0 || !all
	})
}
