package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// fewTemplates is how many files that look like templates are named with their errors.
const fewTemplates = 3

// printProblems writes the errors of files, each in a line of its own. For a template, only the first error counts,
// because the others follow from it, and many templates share one line.
func printProblems(w io.Writer, problems []error) {
	var templates []string
	errs := slices.DeleteFunc(manifests.Flat(problems), func(err error) bool {
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
		errs = slices.DeleteFunc(errs, func(err error) bool {
			e, ok := errors.AsType[*manifests.Error](err)
			return ok && e.Template
		})
		errs = append(errs, fmt.Errorf("%d files look like templates: render them first, or leave them out with "+
			"--exclude or %s: %s and %d more", len(templates), ignoreFile,
			strings.Join(templates[:fewTemplates], ", "), len(templates)-fewTemplates))
	}
	printErrors(w, errs...)
}
