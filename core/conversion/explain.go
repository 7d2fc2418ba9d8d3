package conversion

import (
	"errors"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// explained returns the errors of a file with advice.
func explained(err error) []error {
	if err == nil {
		return nil
	}
	errs := manifests.Flat([]error{err})
	for i, part := range errs {
		if e, ok := errors.AsType[*manifests.Error](part); ok {
			errs[i] = explainedOne(*e)
		}
	}
	return errs
}

func explainedOne(e manifests.Error) error {
	if e.Tab > 0 {
		e.Line, e.Detail = e.Tab, "a tab in the indentation: YAML takes spaces only, write spaces in its place"
		e.Template = false
	}
	return &e
}

// unrendered finds templates that are well-formed YAML: {{ in quotes, in a place where a template would be. In other
// texts it may be intended.
func unrendered(file string, doc manifests.Document, object map[string]any) []error {
	paths := [][]string{{"apiVersion"}, {"kind"}, {"metadata", "name"}, {"metadata", "namespace"}}
	var errs []error
	report := func(path string, v any) {
		if text, _ := tree.Text(v); strings.Contains(text, "{{") {
			errs = append(errs,
				&manifests.Error{File: file, Line: doc.Line(path), Detail: path + " has {{", Template: true})
		}
	}
	for _, path := range paths {
		report(strings.Join(path, "."), tree.At(object, path...))
	}
	if p, ok := pods.Read(object); ok {
		for i := range p.Containers {
			report(p.In(&p.Containers[i], "image"), p.Containers[i].Spec["image"])
		}
	}
	return errs
}
