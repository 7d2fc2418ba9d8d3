package conversion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// File is a file with manifests.
type File struct {
	// Name is the name of the file, for messages.
	Name string
	// Text is the content: YAML or JSON, in UTF-8, or in UTF-16 with a byte order mark.
	Text []byte
	// Changes are the changes of the text of a file of a [Result], in its order. The offsets are in UTF-8, without a
	// byte order mark.
	Changes []manifests.Change
	// Problems are the mistakes in a file of a [Result], which is then unchanged.
	Problems []error
}

// Changed reports whether the text of a file of a [Result] differs from before.
func (f File) Changed() bool { return len(f.Changes) > 0 }

// Done is what was done with an object.
type Done string

// These are the values of [Done].
const (
	// NoPods is an object without pods: there is nothing to do.
	NoPods Done = ""
	// Unchanged is an object that already has all that it needs.
	Unchanged Done = "unchanged"
	// Wrong is an object with a finding that blocks it. It may have got fields for its operating system.
	Wrong Done = "wrong"
	// Completed is an object that has got the fields for its operating system.
	Completed Done = "completed"
	// Assumed is an object whose operating system nothing indicates, and that is treated as Linux as the caller
	// requested.
	Assumed Done = "assumed"
	// Unknown is an object whose operating system nothing indicates, and that stays unchanged: a finding asks.
	Unknown Done = "unknown"
	// Unsupported is an object that stays unchanged, with a finding that asks: an object of an unknown kind with pods
	// whose operating system nothing indicates; an Argo Workflow whose templates need different fields; or a
	// configuration of GitLab Runner, which is text.
	Unsupported Done = "unsupported"
)

// Judged returns what was done with an object about which there are findings of preflight.
func (d Done) Judged(found []preflight.Finding) Done {
	if (d == Unchanged || d == Completed || d == Assumed) && slices.ContainsFunc(found, preflight.Finding.Blocks) {
		return Wrong
	}
	return d
}

// Object is an object of a file, and what was done with it.
type Object struct {
	// File and Line are where the object begins.
	File string
	Line int
	// APIVersion, Kind, Namespace and Name are the object's own. Name is generateName if there is no other.
	APIVersion, Kind, Namespace, Name string
	// Done is what was done.
	Done Done
	// OS is what the pods are for. It is "" if that is not known, or if there are no pods.
	OS platform.OS
	// Platform is the platform if it is known: [platform.Linux], or the Windows release.
	Platform platform.Platform
	// Source is where the operating system is known from: "os.name", "the nodes that the pods select", "the
	// RuntimeClass", "host process", "the annotation", "the caller" (Platforms), "the images" or "the assumption".
	Source string
	// Tree is the object with its additions. It is shared: do not change it.
	Tree map[string]any
	// IgnoreChanges are the property paths of the additions to a Job or a Pod, for Pulumi's option with that name:
	// Pulumi would replace an existing one.
	IgnoreChanges []string
}

func newObject(file string, doc manifests.Document, object map[string]any) Object {
	o := Object{File: file, Line: doc.Line(""), Tree: object}
	o.APIVersion, _ = tree.Text(object["apiVersion"])
	o.Kind, o.Namespace, o.Name = Names(object)
	return o
}

// Names returns the kind, namespace and name in an object. The name is the beginning of it if the API server generates
// the rest (generateName).
func Names(object map[string]any) (kind, namespace, name string) {
	kind, _ = tree.Text(object["kind"])
	namespace, _ = tree.Text(tree.At(object, "metadata", "namespace"))
	if name, _ = tree.Text(tree.At(object, "metadata", "name")); name == "" {
		name, _ = tree.Text(tree.At(object, "metadata", "generateName"))
	}
	return kind, namespace, name
}

func (o *Object) take(d mutate.Decision) {
	o.OS, o.Platform, o.Source = d.OS, d.Platform, d.Source
	switch {
	case len(d.Unsupported) > 0:
		o.Done = Unsupported
	case !d.HasPods:
	case d.Outcome == mutate.Unknown, d.Outcome == mutate.Misannotated:
		o.Done = Unknown
	case d.Outcome == mutate.AssumedLinux:
		o.Done = Assumed
	case len(d.Edits) > 0:
		o.Done = Completed
	default:
		o.Done = Unchanged
	}
	o.IgnoreChanges = mutate.IgnoreChanges(o.Tree, d.Edits)
	o.Tree = mutate.Apply(o.Tree, d.Edits)
}

// Adoptable reports whether the object has pods that can be completed, and that
// [Options.Platforms] may be about.
func (o Object) Adoptable() bool { return o.Done != NoPods && o.Done != Unsupported }

// Key returns the name of the object in [Options.Platforms]: "shop/Deployment/web", or "Deployment/web" without a
// namespace.
func (o Object) Key() string {
	if o.Namespace == "" {
		return o.Kind + "/" + o.Name
	}
	return o.Namespace + "/" + o.Kind + "/" + o.Name
}

// keys returns the names of the object in [Options.Platforms], the one with the namespace first.
func (o Object) keys() [2]string { return [...]string{o.Key(), o.Kind + "/" + o.Name} }

// Names returns the names by which an answer can be about the object, none if it has no pods that can be completed.
func (o Object) Names() []string {
	if !o.Adoptable() {
		return nil
	}
	keys := o.keys()
	return slices.Compact(keys[:])
}

func place(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// Finding is a mistake in an object, or a question about it.
type Finding struct {
	// Finding is a finding of preflight. It has no rule if it is a question, if it is about a document that has only
	// one of apiVersion and kind, or if it is about host-process pods that do not select the release of their images.
	preflight.Finding
	// File is the file of the object. Line is the line of the field, or of the part that should have it, in the file as
	// it was read. For an object of a chart, File is the resource's name and Line is 0.
	File string
	Line int
	// Kind, Namespace and Name are the object's, "" if they are not set.
	Kind, Namespace, Name string
	// Question is true if nothing indicates the operating system of the pods.
	Question bool
}

// Subject returns the object in a short form, such as Deployment/shop/web. It returns "" if there is none.
func (f Finding) Subject() string {
	if f.Kind == "" {
		return ""
	}
	parts := []string{f.Kind, f.Namespace, f.Name}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "/")
}

// String returns a line for readers.
func (f Finding) String() string {
	parts := []string{place(f.File, f.Line)}
	if subject := f.Subject(); subject != "" {
		parts = append(parts, subject)
	}
	return fielderrors.Printable(strings.Join(parts, ": ")) + ": " + f.Finding.String()
}

// Result is the result of converting files.
type Result struct {
	// Files are all input files, in their order.
	Files []File
	// Objects are the objects of the files, in their order, with the items of lists as single objects.
	Objects []Object
	// Findings are in the order of the files. For each file, first those about documents that have only one of
	// apiVersion and kind, then those about the objects, in their order.
	Findings []Finding
	// Left are the documents that are not manifests, and stay unchanged.
	Left []Left
}

// Left is a document that is not a manifest.
type Left struct {
	// File is the file, and Line where the document begins.
	File string
	Line int
	// Kind is what the document is, and By the kustomization that decides it, "" for the document itself.
	Kind repository.Kind
	By   string
}
