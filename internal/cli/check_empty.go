package cli

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
)

// noObjects are the kinds of documents that are neither objects, nor templates of objects, nor parts of what kustomize
// builds.
var noObjects = []repository.Kind{
	repository.Input, repository.Values, repository.Compose, repository.Workflow, repository.Other,
}

// withoutObjects returns an error for each named path that has no object, and nothing that cannot be read: a mistyped
// path, or a build that failed and left an empty file. All templates of a chart may be disabled.
func (c *checking) withoutObjects(in *input, listed []string, looks []look) (problems []error) {
	has := map[string]bool{}
	for _, file := range listed {
		has[file] = true // only builds read files without a look
	}
	for i := range looks {
		has[looks[i].path] = looks[i].hasObjects()
	}
	for _, path := range c.paths {
		if _, is := in.chart(path); is {
			continue
		}
		found, empty := 0, 0
		for _, file := range listed {
			if isIn(path, file) {
				found++
				if !has[file] {
					empty++
				}
			}
		}
		if found > 0 && found == empty {
			problems = append(problems, noObject(shown(path)))
		}
	}
	return problems
}

func noObject(paths string) error { return fmt.Errorf("%s: no Kubernetes object to check", paths) }

// hasObjects reports whether a file has an object, a part or a template of one, or errors.
func (l *look) hasObjects() bool {
	if l.aside == nil {
		return len(l.objects) > 0
	}
	for kind := range l.aside.left.counts {
		if !slices.Contains(noObjects, kind) {
			return true
		}
	}
	return len(l.objects)+len(l.aside.problems) > 0
}

// isIn reports whether a path of the command line names a file, or a directory above it.
func isIn(path, file string) bool {
	if path == stdinPath || file == stdinPath {
		return path == file
	}
	below, err := filepath.Rel(filepath.Clean(path), file)
	return err == nil && filepath.IsLocal(below)
}
