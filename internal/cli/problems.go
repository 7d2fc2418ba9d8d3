package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/manifests"
)

// fewTemplates is how many files that look like templates are named with what is wrong in them.
const fewTemplates = 3

// printProblems writes what could not be read, each in a line of its own. Of a template only
// the first error counts, since the others follow from it, and many templates are one line.
func printProblems(w io.Writer, problems []error) {
	var templates []string
	told := slices.DeleteFunc(manifests.Flat(problems), func(err error) bool {
		e, ok := errors.AsType[*manifests.Error](err)
		if !ok || !e.Template {
			return false
		}
		again := slices.Contains(templates, e.File)
		if !again {
			templates = append(templates, e.File)
		}
		return again
	})
	if len(templates) > fewTemplates {
		told = slices.DeleteFunc(told, func(err error) bool {
			e, ok := errors.AsType[*manifests.Error](err)
			return ok && e.Template
		})
		told = append(told, fmt.Errorf("%d files look like templates: render them first, or leave them out with "+
			"--exclude or %s: %s and %d more", len(templates), ignoreFile,
			strings.Join(templates[:fewTemplates], ", "), len(templates)-fewTemplates))
	}
	printErrors(w, told...)
}
