package repository

import (
	"path"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Repository is what the kustomizations of a repository say about its files.
type Repository struct {
	// Named returns the environments that users have named for a file. It is nil if they have named none.
	Named func(file string) []string
	// Resolve returns the path of a directory that an object in a file names from the root of the repository. If it is
	// nil, paths of files begin there too.
	Resolve func(file, dir string) string
	// Built are the directories whose kustomizations were built: a file of theirs belongs only to the other ones that
	// deploy it. It is nil if none was built.
	Built map[string]bool

	// Whole reports files whose objects nothing completes: those of rendered charts, and what kustomizations build. It
	// is nil if there are none.
	Whole func(file string) bool

	// uses are what the files and directories are that a kustomization names other than as resources.
	uses map[string]use
	// deployedBy are the kustomizations that name a file, or the directory of another kustomization, as a resource.
	deployedBy map[string][]*kustomization
	// at has the kustomization of each directory.
	at map[string]*kustomization
}

type use struct {
	kind Kind
	// by is the kustomization.
	by string
}

// File is a file with its first document.
type File struct {
	// Path is the path of the file, with forward slashes.
	Path string
	// Document is the content of the document as a tree.
	Document map[string]any
}

// Read reads the kustomizations of a repository: see [IsKustomization].
func Read(kustomizations []File) *Repository {
	r := &Repository{
		uses: map[string]use{}, deployedBy: map[string][]*kustomization{}, at: map[string]*kustomization{},
	}
	for _, f := range kustomizations {
		k := &kustomization{file: f.Path, dir: path.Dir(f.Path), content: f.Document}
		r.at[k.dir] = k
		for _, field := range resources {
			for _, name := range k.named(field) {
				r.deployedBy[name] = append(r.deployedBy[name], k)
			}
		}
		for _, l := range lists {
			for _, name := range k.named(l.field) {
				if _, is := r.uses[name]; !is {
					r.uses[name] = use{l.kind, k.file}
				}
			}
		}
	}
	return r
}

// KindOf returns what a document of a file is. by is the kustomization that decides it, "" if the document itself does.
// A nil repository has no kustomization.
func (r *Repository) KindOf(file string, doc manifests.Document) (kind Kind, by string) {
	if doc.Template {
		return Template, ""
	}
	if used, is := r.used(file); is {
		return used.kind, used.by
	}
	kind = of(file, doc.Value)
	if kind == Patch && r != nil && r.Whole != nil && r.Whole(file) {
		kind = ofObject(tree.Map(doc.Value))
	}
	return kind, ""
}

// used returns what a file is for the kustomizations that name it other than as a resource, false if there are none.
func (r *Repository) used(file string) (used use, is bool) {
	if r == nil || len(r.deployedBy[file]) > 0 {
		return use{}, false
	}
	if used, is = r.uses[file]; is {
		return used, true
	}
	// Generators and transformers may be directories.
	for dir := path.Dir(file); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if used, is = r.uses[dir]; is {
			return used, true
		}
	}
	return use{}, false
}

// Treatment describes how kustomizations treat a file: two repositories with the same description read the same content
// of the file in the same way.
func (r *Repository) Treatment(file string) string {
	used, _ := r.used(file)
	t := r.transformersOf(file)
	parts := append(slices.Concat(t.images, []string{""}, t.labels), string(used.kind))
	for _, k := range r.above(file) {
		parts = append(parts, k.file)
	}
	return strings.Join(parts, "\n")
}

// above returns the kustomizations that deploy a file, themselves or through others.
func (r *Repository) above(file string) (found []*kustomization) {
	if r == nil {
		return nil
	}
	next := slices.Clone(r.deployedBy[file])
	for len(next) > 0 {
		k := next[0]
		if next = next[1:]; slices.Contains(found, k) {
			continue
		}
		found = append(found, k)
		next = append(next, r.deployedBy[k.dir]...)
	}
	return found
}
