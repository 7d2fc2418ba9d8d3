package cli

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// left are the documents that are not ordinary manifests: most are left alone.
type left struct {
	counts map[repository.Kind]int
	// files has an entry for each file and kind.
	files []report.LeftAlone
	// partial warns of documents that may be incomplete objects.
	partial []conversion.Finding
	// content is what the objects of GitOps tools contribute.
	content repository.Content
	// deployed are what these objects deploy, once all files are known, by what was done with it.
	deployed map[treatment][]string
}

// add adds a document that begins at a place.
func (l *left) add(at placed, doc manifests.Document, kind repository.Kind, by string) {
	l.count(kind, 1)
	object := tree.Map(doc.Value)
	file, line := at.file, at.line
	if kind == repository.GitOps {
		l.content.Add(object)
	}
	l.addFile(file, line, kind, by)
	if kind != repository.Other {
		return
	}
	if partial, is := conversion.PartialObject(file, line, object); is {
		l.partial = append(l.partial, partial)
	}
}

func (l *left) addFile(file string, line int, kind repository.Kind, by string) {
	one := report.LeftAlone{
		File: file, Line: line, Kind: string(kind), By: by, Why: kind.Why(), Read: kind.IsObject(),
	}
	if n := len(l.files); n == 0 || l.files[n-1].Kind != one.Kind || l.files[n-1].File != file {
		l.files = append(l.files, one)
	}
}

func (l *left) count(kind repository.Kind, n int) {
	if l.counts == nil {
		l.counts = map[repository.Kind]int{}
	}
	l.counts[kind] += n
}

func (l *left) merge(more left) {
	for kind, n := range more.counts {
		l.count(kind, n)
	}
	l.files, l.partial = append(l.files, more.files...), append(l.partial, more.partial...)
	for how, names := range more.deployed {
		l.addDeployed(how, names...)
	}
}

// resolve names what the objects of GitOps tools deploy. dirs are the directories of files that were read, by the name
// in an object. exists reports whether the repository has a directory.
func (l *left) resolve(dirs map[string][]string, exists func(dir string) bool) {
	for _, d := range l.content.Deploys {
		switch read := dirs[d.Dir]; {
		case len(read) > 0:
			l.addDeployed(wasRead, read...)
		case d.IsRoot():
			l.addDeployed(maybeRead, d.String())
		case d.Dir != "" && exists(d.Dir):
			l.addDeployed(unnamed, d.Dir)
		default:
			l.addDeployed(notRead, d.String())
		}
	}
	for i := range l.files {
		if f := &l.files[i]; f.Kind == string(repository.GitOps) && len(l.content.Deploys) > 0 {
			f.Why = l.deploys(len(l.content.Deploys))
		}
	}
}

// treatment is what was done with the files that an object of a GitOps tool deploys.
type treatment string

const (
	wasRead   treatment = "read"
	maybeRead treatment = "read if it is this one"
	unnamed   treatment = "not read: name it as a path"
	notRead   treatment = "not read"
)

func (l *left) addDeployed(how treatment, names ...string) {
	if l.deployed == nil {
		l.deployed = map[treatment][]string{}
	}
	l.deployed[how] = append(l.deployed[how], names...)
}

// deploys says what objects deploy, at most a number of names for each treatment.
func (l *left) deploys(most int) string {
	var parts []string
	for _, how := range [...]treatment{wasRead, maybeRead, unnamed, notRead} {
		names := slices.Compact(slices.Sorted(slices.Values(l.deployed[how])))
		if n := len(names); n > most {
			names = append(names[:most:most], fmt.Sprintf("%d more", n-most))
		}
		if len(names) > 0 {
			parts = append(parts, strings.Join(names, ", ")+" ("+string(how)+")")
		}
	}
	if len(parts) == 0 {
		return repository.GitOps.Why()
	}
	return "deployed: " + strings.Join(parts, ", and ")
}

// fewNames is how many templates and charts, and how many directories that objects deploy, are named.
const fewNames = 3

// String returns a line about each file with documents that may be objects, and one about each kind, "" if there are
// none.
func (l *left) String() string {
	var lines strings.Builder
	firstOfGroups(l.partial, func(f conversion.Finding) groupKey { return groupKey{f.File, f.Detail} },
		func(f conversion.Finding, more string) { lines.WriteString(adoptLine(f, false, more) + "\n") })
	for _, kind := range slices.Sorted(maps.Keys(l.counts)) {
		how, why := "left alone", kind.Why()
		switch {
		case kind.IsObject():
			how = "read"
		case kind == repository.GitOps:
			why = l.deploys(fewNames)
		case kind == repository.Template, kind == repository.Chart:
			why += l.first(kind)
		}
		fmt.Fprintf(&lines, "%s: %s: %s\n", how, kind.Count(l.counts[kind]), why)
	}
	return lines.String()
}

// first names the first files of a kind.
func (l *left) first(kind repository.Kind) string {
	var names []string
	for _, f := range l.files {
		if f.Kind == string(kind) {
			names = append(names, f.File)
		}
	}
	more := ""
	if n := len(names); n > fewNames {
		names, more = names[:fewNames], fmt.Sprintf(" and %d more", n-fewNames)
	}
	if len(names) == 0 {
		return ""
	}
	return ": " + strings.Join(names, ", ") + more
}

// addUnreadable adds a file that cannot be read if it is not a manifest: a template, or a file that cannot have an object. A
// file that the command line names is a manifest, and a kustomization needs no apiVersion.
func (l *left) addUnreadable(in *input, path string, errs ...error) bool {
	if in.isNamed(path) {
		return false
	}
	find := func(is func(e *manifests.Error) bool) *manifests.Error {
		for _, err := range manifests.Flat(errs) {
			if e, ok := errors.AsType[*manifests.Error](err); ok && is(e) {
				return e
			}
		}
		return nil
	}
	kind, first := repository.Template, find(func(e *manifests.Error) bool { return e.Template })
	if first == nil && !repository.IsKustomization(filepath.ToSlash(path)) {
		kind, first = repository.Other, find(func(e *manifests.Error) bool { return e.NoObject })
	}
	if first == nil {
		return false
	}
	l.count(kind, 1)
	l.addFile(first.File, max(1, first.Line), kind, "")
	return true
}
