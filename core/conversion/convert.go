package conversion

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/placeholder"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
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
	if errs := o.Validate(nil); len(errs) > 0 {
		var all []error
		for _, err := range errs {
			all = append(all, err)
		}
		return Result{}, all
	}
	c := converter{options: o, objectsOnly: objectsOnly, checker: o.checker(), answers: newAnswers(o.Platforms)}
	for _, f := range files {
		c.read(f)
	}
	c.adopt()
	for _, s := range c.sources {
		c.write(s)
	}
	switch wrong := c.wrong(); {
	case len(wrong) == 0:
		c.errs = append(c.errs, c.answers.problems(c.objects())...)
	case objectsOnly:
		c.errs = append(wrong, c.errs...)
	default: // an answer may be about an object that could not be read
	}
	if len(c.errs) > 0 {
		return Result{}, c.errs
	}
	c.check()
	return c.result, nil
}

// wrong returns the problems of all files.
func (c *converter) wrong() []error {
	var errs []error
	for _, s := range c.sources {
		errs = append(errs, s.problems...)
	}
	return errs
}

type converter struct {
	options     Options
	objectsOnly bool
	checker     *preflight.Checker
	answers     *answers
	sources     []*source
	errs        []error
	result      Result
}

// source is a file that is being converted.
type source struct {
	file File
	text *manifests.Text
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
	// renamed is true if kustomize replaces an image.
	renamed bool
	// problems are what keeps the file from being completed.
	problems []error
}

// item is an object, and its document.
type item struct {
	Object
	doc  manifests.Document
	pods *pods.Object
	// written has the placeholders of the object, which are unknown values in pods; nil if it has none.
	written  *pods.Object
	decision mutate.Decision
}

func (c *converter) read(f File) {
	text, err := manifests.NewText(f.Text, f.Name)
	s := &source{
		file: f, text: text, edits: make([][]mutate.Edit, len(text.Documents)), problems: explained(err),
	}
	for i, doc := range text.Documents {
		object := tree.Map(doc.Value)
		kind, by := c.options.kindOf(f.Name, doc.Value)
		if kind.IsObject() {
			s.problems = append(s.problems, unrendered(f.Name, doc, object)...)
			s.manifests = append(s.manifests, i)
			s.renamed = c.options.repository.Rename(f.Name, object) || s.renamed
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
	c.sources = append(c.sources, s)
}

// adopt decides what each object needs.
func (c *converter) adopt() {
	var classes []map[string]any
	for _, s := range c.sources {
		for _, i := range s.manifests {
			if object := tree.Map(s.text.Documents[i].Value); object["kind"] == "RuntimeClass" {
				classes = append(classes, object)
			}
		}
	}
	policy := c.options.policy()
	policy.Classes = classes
	policy.Mark = !c.objectsOnly
	for _, s := range c.sources {
		for _, i := range s.manifests {
			doc := s.text.Documents[i]
			it := &item{Object: newObject(s.file.Name, doc, tree.Map(doc.Value)), doc: doc}
			c.errs = append(c.errs, it.complete(c.checker.Context(), policy, c.answers)...)
			s.edits[i] = it.decision.Edits
			s.objects = append(s.objects, it)
		}
	}
}

// complete completes an object. The errors are about the answer for it.
func (it *item) complete(context *pods.Context, policy mutate.Policy, a *answers) (errs []error) {
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
func (c *converter) write(s *source) {
	out := File{Name: s.file.Name, Text: s.file.Text}
	if len(s.problems) == 0 && slices.ContainsFunc(s.edits, func(e []mutate.Edit) bool { return len(e) > 0 }) {
		if text, changes, problems := c.edited(s); len(problems) == 0 {
			out.Text, out.Changes = text, changes
		} else {
			s.problems = problems
		}
	}
	out.Problems = s.problems
	c.result.Files = append(c.result.Files, out)
}

// edited makes the edits. It removes everything before it adds anything, so that additions do not depend on the values
// that they replace. A removal may leave an empty map or list, which is an addition to the tree.
func (c *converter) edited(s *source) (edited []byte, changes []manifests.Change, problems []error) {
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
	if !removes { // most files: their text need not be read again
		if problems = edit(s.text, additions); len(problems) > 0 {
			return nil, nil, problems
		}
		edited = s.text.Bytes()
		return edited, s.text.Changes(), c.unlike(s, edited)
	}
	if problems = edit(s.text, removals); len(problems) > 0 {
		return nil, nil, problems
	}
	bare, err := manifests.NewText(s.text.Bytes(), s.file.Name)
	if err != nil || len(bare.Documents) != len(s.text.Documents) {
		return nil, nil, []error{&manifests.Error{File: s.file.Name, Detail: notInPlace}}
	}
	if problems = edit(bare, additions); len(problems) > 0 {
		return nil, nil, problems
	}
	edited = bare.Bytes()
	return edited, manifests.Compose(s.text.Changes(), bare.Changes(), s.text.Size()), c.unlike(s, edited)
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
func (c *converter) unlike(s *source, edited []byte) (problems []error) {
	before := s.text.Documents
	docs, err := manifests.ReadObjects(bytes.NewReader(edited), s.file.Name)
	if err != nil || len(docs) != len(before) {
		return []error{&manifests.Error{File: s.file.Name, Detail: notInPlace}}
	}
	for i, doc := range docs {
		if s.renamed && slices.Contains(s.manifests, i) {
			c.options.repository.Rename(s.file.Name, tree.Map(doc.Value))
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

// check collects the findings about the completed objects.
func (c *converter) check() {
	c.sources = slices.DeleteFunc(c.sources, func(s *source) bool { return len(s.problems) > 0 })
	across := c.across()
	for _, s := range c.sources {
		c.result.Left = append(c.result.Left, s.left...)
		c.result.Findings = append(c.result.Findings, s.partial...)
		for _, o := range s.objects {
			alone := append(o.alone(c.checker), c.checker.DuplicateKeys(o.Tree, o.doc.Duplicates)...)
			found := preflight.Join(alone, across[o])
			c.result.Findings = append(c.result.Findings, o.findings(found)...)
			c.result.Objects = append(c.result.Objects, o.Object)
		}
	}
}

func (c *converter) items() []*item {
	var all []*item
	for _, s := range c.sources {
		all = append(all, s.objects...)
	}
	return all
}

func (c *converter) objects() []Object {
	var all []Object
	for _, it := range c.items() {
		all = append(all, it.Object)
	}
	return all
}

// findings returns the findings of preflight, after the questions if there are any.
func (it *item) findings(found []preflight.Finding) []Finding {
	if it.Done == Unchanged && slices.ContainsFunc(found, preflight.Finding.Blocks) {
		it.Done = Wrong
	}
	var all []Finding
	for _, path := range it.decision.Unsupported {
		all = append(all, it.finding(uncompleted(it, path), true))
	}
	if it.Done == Unknown && it.decision.Outcome != mutate.Misannotated {
		all = append(all, it.finding(question(it), true))
	}
	if it.decision.Pin != nil {
		all = append(all, it.finding(pinned(it.decision.Pin), true))
	}
	if it.decision.Unselected != "" {
		all = append(all, it.finding(unselected(it), false))
	}
	for _, f := range found {
		all = append(all, it.finding(f, false))
	}
	return all
}

func (it *item) finding(f preflight.Finding, isQuestion bool) Finding {
	return Finding{
		Finding: f, File: it.File, Line: it.doc.Line(f.Path),
		Kind: it.Kind, Namespace: it.Namespace, Name: it.Name, Question: isQuestion,
	}
}

// pinned asks about a build that no pool has, and that is not known to be mixedkube's.
func pinned(pin *pods.Pin) preflight.Finding {
	f := preflight.Finding{
		Severity: preflight.Warning, Path: pin.Path, Value: pin.Build,
		Detail: "no pool has this build of Windows, and others run the images",
		Fix:    "change or remove it: it is not the whole node selector that mixedkube writes for these images",
	}
	if pin.Earlier {
		f.Fix = "move it with MovePins (--move-pins): an earlier version of mixedkube wrote the node selector"
	}
	return f
}

// unselected explains why host-process pods do not select the release of their images. Source of the advice:
// https://github.com/containerd/containerd/issues/7431 and its fix, https://github.com/containerd/containerd/pull/8101.
func unselected(o *item) preflight.Finding {
	release := o.decision.Unselected
	return preflight.Finding{
		Severity: preflight.Info, Path: o.pods.Pods.Path(),
		Detail: fmt.Sprintf(
			"host-process containers run on any Windows release, so the pods are not led to that of their images, %s",
			release,
		),
		Fix: fmt.Sprintf("if an image is an index whose entries have an os.version, which containerd pulls on "+
			"matching nodes only, select %s=%s or use another image",
			topology.LabelWindowsBuild, release.Build()),
	}
}

// question asks what the pods are for.
func question(o *item) preflight.Finding {
	f := preflight.Finding{
		Severity: preflight.Warning, Path: o.pods.Pods.Path(),
		Fix: fmt.Sprintf("specify it with the annotation %s: linux or, for example, %s", preflight.PlatformAnnotation,
			platform.WindowsServer2022),
	}
	switch images := imagesOf(o.pods.Pods); {
	case len(images) == 0:
		f.Detail = "nothing indicates whether the pods are for Linux or for Windows"
	case o.decision.ImagesDiffer:
		f.Detail = "the images contradict each other (" + strings.Join(images, ", ") + ")"
	case o.decision.ImagesOfBoth:
		f.Detail = "nothing indicates whether the pods are for Linux or for Windows, and the images are published " +
			"for both (" + strings.Join(images, ", ") + ")"
	case slices.ContainsFunc(images, func(ref string) bool { return platform.FromImage(ref).ByTag }):
		f.Detail = "only the tag of an image says what the pods are for, and images for Windows have such tags, too (" +
			strings.Join(images, ", ") + ")"
	default:
		f.Detail = "nothing indicates whether the pods are for Linux or for Windows, nor do the images (" +
			strings.Join(images, ", ") + ")"
	}
	if o.decision.NotLinux != "" {
		f.Detail += ", and they are not assumed to be Linux pods: " + o.decision.NotLinux
	}
	return f
}

// imagesOf returns the images of a pod, each once, without those that are secret.
func imagesOf(p *pods.Pods) []string {
	var images []string
	for i := range p.Containers {
		v := p.Containers[i].Spec["image"]
		if _, secret := v.(tree.Secret); secret {
			continue
		}
		if image, _ := tree.Text(v); image != "" && !slices.Contains(images, image) {
			images = append(images, image)
		}
	}
	return images
}
