package conversion

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight"
)

// Convert completes the objects of files. The result has the files in their order; those that need no addition are the
// same byte for byte.
//
// A file that cannot be read, or not be completed in place, stays unchanged as a whole: the result has its errors in
// [File.Problems], and none of its objects.
//
// The errors are all mistakes in the options or, if there are none, in the answers: those that match nothing, or
// contradict the object. Each is a [*manifests.Error] or a [*field.Error], or names its file. Then there is no result.
// Mistakes in the objects are among the findings.
func Convert(files []File, o Options) (Result, []error) { return convert(files, o, false) }

// ConvertObjects is Convert for files whose documents are all deployed: a document that is not a Kubernetes object is
// an error, and so are the problems of a file.
func ConvertObjects(files []File, o Options) (Result, []error) { return convert(files, o, true) }

func convert(files []File, o Options, objectsOnly bool) (Result, []error) {
	c, errs := newConverter(o, objectsOnly)
	if len(errs) > 0 {
		return Result{}, errs
	}
	for _, f := range files {
		c.policy.Classes = append(c.policy.Classes, c.classes(f)...)
	}
	var r Result
	var wrong []error
	used, names := map[string]bool{}, []string{}
	sources := make([]*source, len(files))
	for i, f := range files {
		s := c.source(f)
		r.Files = append(r.Files, s.convert(func(it *item) {
			s.objects = append(s.objects, it)
			used[it.answer] = true
			names = append(names, it.Names()...)
		}))
		sources[i], errs, wrong = s, append(errs, s.errs...), append(wrong, s.problems...)
	}
	switch {
	case len(wrong) == 0:
		errs = append(errs, c.Unused(used, names)...)
	case objectsOnly:
		errs = append(wrong, errs...)
	default: // an answer may be about an object that could not be read
	}
	if len(errs) > 0 {
		return Result{}, errs
	}
	c.check(&r, slices.DeleteFunc(sources, func(s *source) bool { return len(s.problems) > 0 }))
	return r, nil
}

// check collects the findings about the completed objects.
func (c *Converter) check(r *Result, sources []*source) {
	across := c.across(sources)
	for _, s := range sources {
		r.Left = append(r.Left, s.left...)
		r.Findings = append(r.Findings, s.partial...)
		for _, it := range s.objects {
			alone := append(it.alone(c.checker), c.checker.DuplicateKeys(it.Tree, it.doc.Duplicates)...)
			r.Findings = append(r.Findings, it.findings(preflight.Join(alone, across[it]))...)
			r.Objects = append(r.Objects, it.Object)
		}
	}
}
