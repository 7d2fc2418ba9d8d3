package conversion

import (
	"bytes"
	"reflect"
	"slices"

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
	s := c.read(f)
	s.complete()
	return s.converted(s.write())
}

// converted returns the result for a file.
func (s *source) converted(f File) Converted {
	out := Converted{File: f, Left: s.left, Partial: s.partial, Content: s.content, Errs: s.errs}
	for _, it := range s.objects {
		one := ConvertedObject{
			Object: it.Object, Document: it.doc, Renamed: it.renamed, Answer: it.answer, Questions: it.questions(),
			Edits: it.decision.Edits,
		}
		if it.written != nil {
			one.Known = it.pods.Tree
		}
		out.Objects = append(out.Objects, one)
	}
	return out
}

// source is a file that is being converted.
type source struct {
	*Converter
	file File
	docs []manifests.Document
	// edits are the edits of each document, nil if it needs none.
	edits   [][]mutate.Edit
	objects []*item
	// manifests are the indexes of the documents that are manifests; left are the others, and partial those of them that
	// may be intended as objects.
	manifests []int
	left      []Left
	partial   []Finding
	// content is what says which environments the file belongs to.
	content repository.Content
	// renamed are the indexes of the documents in which kustomize changes an image or a label.
	renamed []int
	// written returns a built object as it is in its file. It is nil if the documents are those of the file.
	written func(object map[string]any) map[string]any
	// problems are what keeps the file from being completed, and errs are mistakes in the answers.
	problems, errs []error
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

// read reads a file.
func (c *Converter) read(f File) *source { return c.readAs(f, c.options.kindOf) }

// readAs reads a file. kindOf says what its documents are.
func (c *Converter) readAs(f File, kindOf func(file string, document any) (repository.Kind, string)) *source {
	docs, err := manifests.ReadObjects(bytes.NewReader(f.Text), f.Name)
	s := &source{
		Converter: c, file: f, docs: docs, edits: make([][]mutate.Edit, len(docs)), problems: explained(err),
	}
	for i, doc := range docs {
		object := tree.Map(doc.Value)
		kind, by := kindOf(f.Name, doc.Value)
		if doc.Template && c.options.repository != nil {
			kind, by = repository.Template, ""
		}
		if kind.IsObject() {
			s.problems = append(s.problems, unrendered(f.Name, doc, object)...)
			s.manifests = append(s.manifests, i)
			if c.options.repository.Transform(f.Name, object) {
				s.renamed = append(s.renamed, i)
			}
			continue
		}
		if c.objectsOnly {
			s.problems = append(s.problems, noObject(f.Name, doc, absent(object)))
		} else if partial, is := PartialObject(f.Name, doc.Line(""), object); is && kind == repository.Other {
			s.partial = append(s.partial, partial)
		}
		s.left = append(s.left, Left{f.Name, max(1, doc.Line("")), kind, by})
		if kind == repository.GitOps {
			s.content.Add(object)
		}
	}
	return s
}

// classes returns the RuntimeClasses of the file.
func (s *source) classes() (classes []map[string]any) {
	for _, i := range s.manifests {
		if object := tree.Map(s.docs[i].Value); object["kind"] == "RuntimeClass" {
			classes = append(classes, object)
		}
	}
	return classes
}

// complete completes the objects.
func (s *source) complete() {
	for _, i := range s.manifests {
		doc := s.docs[i]
		it := &item{
			Object: newObject(s.file.Name, doc, tree.Map(doc.Value)), doc: doc, renamed: slices.Contains(s.renamed, i),
		}
		it.Kind, it.Namespace, it.Name = s.namesOf(doc)
		s.errs = append(s.errs, it.complete(s.checker.Context(), s.policy, s.answers)...)
		s.edits[i] = it.decision.Edits
		s.objects = append(s.objects, it)
	}
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

// write applies the edits to the text, and checks that the text now has the intended meaning.
func (s *source) write() File {
	out := File{Name: s.file.Name, Text: s.file.Text}
	if len(s.problems) == 0 && slices.ContainsFunc(s.edits, func(e []mutate.Edit) bool { return len(e) > 0 }) {
		if text, changes, problems := s.edited(); len(problems) == 0 {
			out.Text, out.Changes = text, changes
		} else {
			s.problems = problems
		}
	}
	out.Problems = s.problems
	return out
}

// edited makes the edits. It removes everything before it adds anything, so that additions do not depend on the values
// that they replace. A removal may leave an empty map or list, which is an addition to the tree.
func (s *source) edited() (edited []byte, changes []manifests.Change, problems []error) {
	var removals, additions [][]mutate.Edit
	removes := false
	for _, edits := range s.edits {
		added := slices.IndexFunc(edits, func(e mutate.Edit) bool { return !e.Remove && !tree.Empty(e.Value) })
		if added < 0 {
			added = len(edits)
		}
		removals, additions = append(removals, edits[:added]), append(additions, edits[added:])
		removes = removes || added > 0
	}
	// Most files need no edits: only here, the text is read with the places of its values, which take much memory.
	text, err := manifests.NewText(s.file.Text, s.file.Name)
	if err != nil || len(text.Documents) != len(s.docs) {
		return nil, nil, []error{&manifests.Error{File: s.file.Name, Detail: notInPlace}}
	}
	if !removes {
		if problems = edit(text, additions); len(problems) > 0 {
			return nil, nil, problems
		}
		edited = text.Bytes()
		return edited, text.Changes(), s.unlike(edited)
	}
	if problems = edit(text, removals); len(problems) > 0 {
		return nil, nil, problems
	}
	bare, err := manifests.NewText(text.Bytes(), s.file.Name)
	if err != nil || len(bare.Documents) != len(s.docs) {
		return nil, nil, []error{&manifests.Error{File: s.file.Name, Detail: notInPlace}}
	}
	if problems = edit(bare, additions); len(problems) > 0 {
		return nil, nil, problems
	}
	edited = bare.Bytes()
	return edited, manifests.Compose(text.Changes(), bare.Changes(), text.Size()), s.unlike(edited)
}

// edit makes the edits of each document.
func edit(text *manifests.Text, all [][]mutate.Edit) (problems []error) {
	for i, edits := range all {
		if err := text.Edit(text.Documents[i], edits); err != nil {
			problems = append(problems, err)
		}
	}
	return problems
}

// unlike returns an error for each document of an edited text that has not the intended meaning.
func (s *source) unlike(edited []byte) (problems []error) {
	before := s.docs
	docs, err := manifests.ReadObjects(bytes.NewReader(edited), s.file.Name)
	if err != nil || len(docs) != len(before) {
		return []error{&manifests.Error{File: s.file.Name, Detail: notInPlace}}
	}
	for i, doc := range docs {
		if slices.Contains(s.renamed, i) {
			s.options.repository.Transform(s.file.Name, tree.Map(doc.Value))
		}
		want := before[i].Value
		if len(s.edits[i]) > 0 {
			want = mutate.Apply(tree.Map(want), s.edits[i])
		}
		if !reflect.DeepEqual(want, doc.Value) {
			problems = append(problems,
				&manifests.Error{File: s.file.Name, Line: before[i].Line(""), Detail: notInPlace})
		}
	}
	return problems
}

// notInPlace is the message if there is no better one: the edited text did not have the intended meaning.
const notInPlace = "cannot be completed in place: write the object without anchors, merge keys and lines that " +
	"continue on the next one"
