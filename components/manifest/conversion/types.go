package conversion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/manifests"
	"github.com/mixedkube/mixedkube/internal/mutate"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// File is a file with manifests.
type File struct {
	// Name is the file's, for messages.
	Name string
	// Text is what it holds: YAML or JSON, in UTF-8, or in UTF-16 with a byte order
	// mark.
	Text []byte
	// Changes are what was changed in the text of a file of a [Result], in its order. The
	// offsets are those in UTF-8, without a byte order mark.
	Changes []manifests.Change
	// Problems are what is wrong with a file of a [Result], which is then as it was.
	Problems []error
}

// Changed says of a file of a [Result] whether the text is another than before.
func (f File) Changed() bool { return len(f.Changes) > 0 }

// Done is what was done with an object.
type Done string

// What can be done with an object.
const (
	// NoPods is an object without pods: there is nothing to do.
	NoPods Done = ""
	// Kept is one that has all that it needs already.
	Kept Done = "kept"
	// Wrong is one that stays as it is, as a finding blocks it.
	Wrong Done = "wrong"
	// Completed is one that has got what its operating system needs.
	Completed Done = "completed"
	// Assumed is one of which nothing is known, and which was taken for Linux as the
	// caller wanted.
	Assumed Done = "assumed"
	// Asks is one of which nothing is known, and which stays as it is: a finding
	// asks.
	Asks Done = "asks"
	// Foreign is one of a kind that is not known, and that has pods of which nothing is
	// known; an Argo Workflow whose templates need different things; or a configuration of
	// GitLab Runner, which is text. It stays as it is: a finding asks.
	Foreign Done = "foreign"
)

// Object is an object of a file, and what was done with it.
type Object struct {
	// File and Line are where it begins.
	File string
	Line int
	// APIVersion, Kind, Namespace and Name are its own; the name is generateName
	// where it has no other.
	APIVersion, Kind, Namespace, Name string
	// Done is what was done.
	Done Done
	// OS is what the pods are for; "" where that is not known, and without pods.
	OS platform.OS
	// Platform is the platform where it is known: [platform.Linux], or the Windows
	// release.
	Platform platform.Platform
	// Source says where the operating system is known from: "os.name", "the nodes
	// that the pods select", "the RuntimeClass", "host process", "the annotation",
	// "the caller" (Platforms), "the images" or "the assumption".
	Source string
	// Tree is the object as it is now. It is shared: do not change it.
	Tree map[string]any
	// IgnoreChanges are the property paths of what was added to a Job or a Pod, for
	// Pulumi's option of that name: it would replace one that exists.
	IgnoreChanges []string
}

func newObject(file string, doc manifests.Document, object map[string]any) Object {
	o := Object{File: file, Line: doc.Line(""), Tree: object}
	o.APIVersion, _ = tree.Text(object["apiVersion"])
	o.Kind, o.Namespace, o.Name = Names(object)
	return o
}

// Names are what an object says about itself; the name is the beginning of it if the API server
// makes the rest (generateName).
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
	case len(d.Foreign) > 0:
		o.Done = Foreign
	case !d.HasPods:
	case d.Outcome == mutate.Unsaid, d.Outcome == mutate.Misannotated:
		o.Done = Asks
	case d.Outcome == mutate.TakenForLinux:
		o.Done = Assumed
	case len(d.Edits) > 0:
		o.Done = Completed
	default:
		o.Done = Kept
	}
	o.IgnoreChanges = mutate.IgnoreChanges(o.Tree, d.Edits)
	o.Tree = mutate.Apply(o.Tree, d.Edits)
}

// Adoptable reports whether the object has pods that can be completed, and that
// [Options.Platforms] may be about.
func (o Object) Adoptable() bool { return o.Done != NoPods && o.Done != Foreign }

// Key is the object as [Options.Platforms] names it: "shop/Deployment/web", without
// a namespace "Deployment/web".
func (o Object) Key() string {
	if o.Namespace == "" {
		return o.Kind + "/" + o.Name
	}
	return o.Namespace + "/" + o.Kind + "/" + o.Name
}

func place(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// Finding is something that is wrong with an object, or a question about it.
type Finding struct {
	// Finding is preflight's. A question has no rule, and neither has what is said of
	// a document that is half an object, and of host-process pods that are not led to
	// the release of their images.
	preflight.Finding
	// File is the object's, Line that of the field, or of what it should be in, as
	// the file was read. Of an object of a chart, File is the resource's name and Line
	// is 0.
	File string
	Line int
	// Kind, Namespace and Name are the object's, "" for what it does not say.
	Kind, Namespace, Name string
	// Asks says that nothing is known of the pods' operating system.
	Asks bool
}

// Subject is the object as people call it, Deployment/shop/web; "" if there is none.
func (f Finding) Subject() string {
	if f.Kind == "" {
		return ""
	}
	said := []string{f.Kind, f.Namespace, f.Name}
	return strings.Join(slices.DeleteFunc(said, func(part string) bool { return part == "" }), "/")
}

// String is a line for people.
func (f Finding) String() string {
	parts := []string{place(f.File, f.Line)}
	if subject := f.Subject(); subject != "" {
		parts = append(parts, subject)
	}
	return fielderrors.Printable(strings.Join(parts, ": ")) + ": " + f.Finding.String()
}

// Result is what became of files.
type Result struct {
	// Files are all that were given, in their order.
	Files []File
	// Objects are those of the files in their order, lists taken apart.
	Objects []Object
	// Findings are in the order of the files: of each, first those about documents
	// that have only one of apiVersion and kind, then those about the objects, in
	// their order.
	Findings []Finding
	// Others is the number of documents that are no Kubernetes objects: they have no
	// apiVersion or no kind, and are left alone.
	Others int
}
