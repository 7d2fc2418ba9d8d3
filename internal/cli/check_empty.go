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
	empty := map[string]bool{} // only builds read files without a look
	for i := range looks {
		empty[looks[i].path] = !looks[i].hasObjects()
	}
	all := map[string]bool{} // the files and the directories above them: whether all in them are empty
	for _, file := range listed {
		for path := file; ; path = filepath.Dir(path) {
			before, known := all[path]
			all[path] = empty[file] && (before || !known)
			if path == filepath.Dir(path) || path == stdinPath {
				break
			}
		}
	}
	for _, path := range c.paths {
		at := path
		if path != stdinPath {
			at = fileNamed(filepath.Clean(path))
		}
		if _, is := in.chart(path); !is && all[at] {
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
