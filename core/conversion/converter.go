package conversion

import (
	"bytes"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/placeholder"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Converter completes the objects of files one by one, for callers that do not hold all files in memory. Several
// goroutines may use it at once.
type Converter struct {
	options     Options
	objectsOnly bool
	checker     *preflight.Checker
	answers     answers
	policy      mutate.Policy
}

// NewConverter returns a converter. classes are the RuntimeClasses among the objects of all files. The errors are all
// mistakes in the options.
func NewConverter(o Options, classes []map[string]any) (*Converter, []error) {
	c, errs := newConverter(o, false)
	if len(errs) > 0 {
		return nil, errs
	}
	c.policy.Classes = classes
	return c, nil
}

func newConverter(o Options, objectsOnly bool) (*Converter, []error) {
	if invalid := o.Validate(nil); len(invalid) > 0 {
		var errs []error
		for _, err := range invalid {
			errs = append(errs, err)
		}
		return nil, errs
	}
	c := &Converter{
		options: o, objectsOnly: objectsOnly, checker: o.checker(), answers: o.Platforms, policy: o.policy(),
	}
	c.policy.Mark = !objectsOnly
	return c, nil
}

// Checker returns the checker for the completed objects.
func (c *Converter) Checker() *preflight.Checker { return c.checker }

// Converted is a file whose objects are completed.
type Converted struct {
	// File is the completed file. If it has problems, it is unchanged.
	File File
	// Objects are the objects, with the items of lists as single objects.
	Objects []ConvertedObject
	// Left are the documents that are not manifests, and Partial the findings about those that have only one of
	// apiVersion and kind. Content is what the GitOps objects among them
	// say about the environments of files.
	Left    []Left
	Partial []Finding
	Content repository.Content
	// Errs are the contradictions between the answers and the objects. The objects of these stay unchanged.
	Errs []error
}

// ConvertedObject is an object of a file.
type ConvertedObject struct {
	Object
	// Document is the document as it was read.
	Document manifests.Document
	// Known is Tree with its placeholders as unknown values, nil if it has none.
	Known map[string]any
	// Renamed is true if kustomize changes an image or a label of the object.
	Renamed bool
	// Questions are the questions about the object, and what [Convert] reports beside findings of preflight.
	Questions []Finding
	// Answer is the key of Options.Platforms that is about the object, "" if there is none.
	Answer string
	// Edits are what completes the object: Tree has them.
	Edits []mutate.Edit
}

// Convert completes the objects of a file. Findings of preflight are not in the result.
func (c *Converter) Convert(f File) Converted {
	var objects []ConvertedObject
	out := c.ConvertEach(f, func(one ConvertedObject) { objects = append(objects, one) })
	out.Objects = objects
	return out
}

// ConvertEach is Convert for files with many objects: it calls take with each completed object, and keeps none. Whether
// the file has problems is known only at the end: then none of the objects counts.
func (c *Converter) ConvertEach(f File, take func(ConvertedObject)) Converted {
	s := c.source(f)
	return s.converted(s.convert(func(it *item) { take(it.converted()) }))
}

func (it *item) converted() ConvertedObject {
	one := ConvertedObject{
		Object: it.Object, Document: it.doc, Renamed: it.renamed, Answer: it.answer, Questions: it.questions(),
		Edits: it.decision.Edits,
	}
	if it.written != nil {
		one.Known = it.pods.Tree
	}
	return one
}

// converted returns the result for a file, without its objects.
func (s *source) converted(f File) Converted {
	return Converted{File: f, Left: s.left, Partial: s.partial, Content: s.content, Errs: s.errs}
}

// source is a file that is being converted, part by part.
type source struct {
	*Converter
	file File
	// written returns a built object as it is in its file. It is nil if the documents are those of the file.
	written func(object map[string]any) map[string]any
	// edits are the edits of documents, by their indexes. It is nil if the edits are those that complete the objects.
	edits map[int][]mutate.Edit
	// read is the number of documents before the part.
	read int
	// left are the documents that are not manifests, and partial those of them that may be intended as objects.
	left    []Left
	partial []Finding
	// content is what says which environments the file belongs to.
	content repository.Content
	// changes has the changes of the text.
	changes []manifests.Change
	// objects has the objects for findings between them, if the caller keeps any.
	objects []*item
	// problems are what keeps the file from being completed. refused are edits that are not possible: they are problems
	// if there are no others. errs are mistakes in the options.
	problems, refused, errs []error
	// isUnreadable is true if an edited part cannot be read.
	isUnreadable bool
}

func (c *Converter) source(f File) *source { return &source{Converter: c, file: f} }

// convert completes the objects of the file, and calls take with each.
func (s *source) convert(take func(*item)) File {
	err := manifests.Parts(s.file.Text, s.file.Name, func(part *manifests.Part) { s.part(part, take) })
	s.problems = append(explained(err), s.problems...)
	out := File{Name: s.file.Name, Text: s.file.Text}
	if len(s.problems) == 0 {
		s.problems = s.refused
	}
	if len(s.problems) == 0 && len(s.changes) > 0 {
		text := manifests.Changed(s.file.Text, s.changes)
		if err := manifests.CheckLimits(text, s.file.Name); err == nil {
			out.Text, out.Changes = text, s.changes
		} else {
			s.problems = []error{&manifests.Error{File: s.file.Name, Detail: notInPlace}}
		}
	}
	out.Problems = s.problems
	return out
}

// part completes the objects of a part of the file, and edits them.
func (s *source) part(part *manifests.Part, take func(*item)) {
	e := newEdition(s, len(part.Documents))
	for i, doc := range part.Documents {
		if it := s.document(doc); it != nil {
			e.edits[i], e.renamed[i] = it.decision.Edits, it.renamed
			take(it)
		}
		if s.edits != nil {
			e.edits[i] = s.edits[s.read]
		}
		s.read++
	}
	if s.written == nil && len(s.problems) == 0 {
		e.make(part)
	}
}

// document completes a document, nil if it is not an object.
func (s *source) document(doc manifests.Document) *item {
	object := tree.Map(doc.Value)
	kind, by := s.options.kindOf(s.file.Name, doc)
	if kind.IsObject() {
		s.problems = append(s.problems, unrendered(s.file.Name, doc, object)...)
		renamed := s.options.repository.Transform(s.file.Name, object)
		it := &item{Object: newObject(s.file.Name, doc, object), doc: doc.Detached(), renamed: renamed}
		it.Kind, it.Namespace, it.Name = s.namesOf(doc)
		s.errs = append(s.errs, it.complete(s.checker.Context(), s.policy, s.answers)...)
		return it
	}
	if s.objectsOnly {
		s.problems = append(s.problems, noObject(s.file.Name, doc, absent(object)))
	} else if partial, is := PartialObject(s.file.Name, doc.Line(""), object); is && kind == repository.Other {
		s.partial = append(s.partial, partial)
	}
	s.left = append(s.left, Left{s.file.Name, max(1, doc.Line("")), kind, by})
	if kind == repository.GitOps {
		s.content.Add(object)
	}
	return nil
}

// classes returns the RuntimeClasses of a file.
func (c *Converter) classes(f File) (classes []map[string]any) {
	if text, _ := manifests.Decode(f.Text); !bytes.Contains(text, []byte("RuntimeClass")) {
		return nil
	}
	docs, _ := manifests.ReadObjects(bytes.NewReader(f.Text), f.Name)
	for _, doc := range docs {
		object := tree.Map(doc.Value)
		if kind, _ := c.options.kindOf(f.Name, doc); kind.IsObject() && object["kind"] == "RuntimeClass" {
			c.options.repository.Transform(f.Name, object)
			classes = append(classes, object)
		}
	}
	return classes
}

// item is an object, and its document.
type item struct {
	Object
	doc  manifests.Document
	pods *pods.Object
	// written has the placeholders of the object, which are unknown values in pods; nil if it has none.
	written  *pods.Object
	renamed  bool
	decision mutate.Decision
	// answer is the key of the answer about the object, "" if there is none.
	answer string
}

// complete completes an object. The errors are about the answer for it.
func (it *item) complete(context *pods.Context, policy mutate.Policy, a answers) (errs []error) {
	it.read()
	it.decision = mutate.Decide(it.pods, context.WithPlatform("", a.of(it.Object)), policy)
	if len(it.doc.Duplicates) > 0 {
		// It is unknown which of two duplicate values is the intended one: the object stays unchanged until one is
		// removed.
		it.decision = mutate.Decision{
			HasPods: it.decision.HasPods, Unsupported: it.decision.Unsupported, Templates: it.decision.Templates,
		}
	}
	if it.decision.HasPods {
		it.answer, _ = a.key(it.Object)
		errs = a.contradicted(it, it.decision.Against)
	}
	it.take(it.decision)
	if len(it.decision.Edits) > 0 {
		it.read()
	}
	return errs
}

// read reads the pods of the object. Placeholders are unknown values.
func (it *item) read() {
	known, has := placeholder.Without(it.Tree)
	if it.pods, it.written = pods.ReadObject(known), nil; has {
		it.written = pods.ReadObject(it.Tree)
	}
}

// alone returns the findings about the object alone.
func (it *item) alone(checker *preflight.Checker) []preflight.Finding {
	found := checker.CheckObject(it.pods)
	if it.written != nil {
		found = append(found, checker.CheckPlaceholders(it.written, found)...)
	}
	return found
}
