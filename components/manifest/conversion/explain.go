package conversion

import (
	"bytes"
	"errors"
	"strings"

	"github.com/mixedkube/mixedkube/internal/pods"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// explained says what to do about the errors of a file.
func explained(err error, text []byte) []error {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	lines := bytes.Split(text, []byte("\n"))
	var errs []error
	for _, part := range joined.Unwrap() {
		if e, ok := errors.AsType[*tree.Error](part); ok {
			part = explainedOne(*e, lines)
		}
		errs = append(errs, part)
	}
	return errs
}

const notRendered = "a template that was not rendered: convert what it renders, as helm template or kustomize build " +
	"write it"

func explainedOne(e tree.Error, lines [][]byte) error {
	line := tabNear(e.Line, lines)
	switch {
	case e.Cause == tree.Malformed && line > 0:
		e.Line, e.Detail = line, "a tab in the indentation: YAML takes spaces only, write spaces in its place"
	case e.Template:
		e.Detail += ": " + notRendered
	case e.Cause == tree.DuplicateKey:
		e.Detail += ": remove one of the two"
	}
	e.Template = false
	return &e
}

// tabNear is the line with a tab before its text at which the parser gives up, or
// the one before or after, 0 for none.
func tabNear(line int, lines [][]byte) int {
	for _, at := range []int{line, line - 1, line + 1} {
		if at < 1 || at > len(lines) {
			continue
		}
		text := lines[at-1]
		if indentation := text[:len(text)-len(bytes.TrimLeft(text, " \t"))]; bytes.IndexByte(indentation, '\t') >= 0 {
			return at
		}
	}
	return 0
}

// unrendered finds templates that are well-formed YAML: {{ in quotes, where a
// template would stand. In other texts it may be meant.
func unrendered(file string, doc tree.Document, object map[string]any) []error {
	paths := [][]string{{"apiVersion"}, {"kind"}, {"metadata", "name"}, {"metadata", "namespace"}}
	var errs []error
	report := func(path string, v any) {
		if text, _ := tree.Text(v); strings.Contains(text, "{{") {
			errs = append(errs, &tree.Error{File: file, Line: doc.Line(path), Detail: path + ": " + notRendered})
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
