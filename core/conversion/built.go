package conversion

import (
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// ConvertBuilt is Convert for objects that a kustomization has built: the text has no place to write to, and the caller
// writes the edits. written returns an object as it is in its file, which has the names for questions and answers; nil
// if it is in none.
func (c *Converter) ConvertBuilt(f File, written func(object map[string]any) map[string]any) Converted {
	s := c.source(f)
	s.written = written
	var objects []ConvertedObject
	out := s.converted(s.convert(func(it *item) { objects = append(objects, it.converted()) }))
	out.Objects = objects
	return out
}

// Edit makes edits in the documents of a file, by their indexes. If that is not possible in place, the file has the
// problems.
func (c *Converter) Edit(f File, edits map[int][]mutate.Edit) File {
	s := c.source(f)
	s.edits = edits
	return s.convert(func(*item) {})
}

// namesOf returns the kind, namespace and name of a document for questions and answers.
func (s *source) namesOf(doc manifests.Document) (kind, namespace, name string) {
	object := tree.Map(doc.Value)
	if s.written != nil {
		if as := s.written(object); as != nil {
			object = as
		}
	}
	return Names(object)
}
