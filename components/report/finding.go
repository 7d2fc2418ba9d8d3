package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// Object says which object a finding is about.
type Object struct {
	// Resource is the URN of the object in a Pulumi program, empty for one of a file.
	Resource string
	// Cluster is the name of the provider for whose cluster the object was checked, where the
	// program names several clusters; empty otherwise.
	Cluster string
	// Kind, Namespace and Name are those of the object in Kubernetes, empty for what it does not
	// say. A name that is not known yet, or secret, is empty.
	Kind, Namespace, Name string

	// anywhere says that the object has no namespace, or one that is not known.
	anywhere bool
}

// ObjectOf is what an object says of itself.
func ObjectOf(object map[string]any) Object {
	var o Object
	o.Kind, _ = tree.Text(object["kind"])
	metadata := tree.Map(object["metadata"])
	o.Namespace = shown(metadata["namespace"])
	o.Name = cmp.Or(shown(metadata["name"]), shown(metadata["generateName"]))
	o.anywhere = o.Namespace == "" && metadata["namespace"] != nil || slices.Contains(withoutNamespace, o.Kind)
	return o
}

// withoutNamespace are the kinds of which there are findings, and that are in no namespace.
var withoutNamespace = []string{"Namespace", "PersistentVolume", "RuntimeClass"}

// shown is a text that is known and not secret.
func shown(v any) string {
	if _, secret := v.(tree.Secret); secret {
		return ""
	}
	text, _ := tree.Text(v)
	return text
}

// namespace is the one in which Kubernetes looks for the object, "" if it is in none.
func (o Object) namespace() string {
	if o.anywhere {
		return ""
	}
	return cmp.Or(o.Namespace, "default")
}

// Key tells objects apart in a [Baseline]: the types and the name of the resource, or kind,
// namespace and name of an object of a file. It has neither project nor stack, so that stacks can
// share a file, and no file or line, which change while the object stays the same.
func (o Object) Key() string {
	if typ, name, ok := o.urn(); ok {
		return typ + urnDelimiter + name
	}
	return join("/", o.Kind, o.Namespace, o.Name)
}

// String is the object as people call it.
func (o Object) String() string { return join("/", o.Kind, o.Name) }

const urnDelimiter = "::"

// urn are the types, with those of the components above, and the name in the URN.
func (o Object) urn() (types, name string, ok bool) {
	// urn:pulumi:STACK::PROJECT::TYPES::NAME, where the name can hold anything.
	parts := strings.SplitN(o.Resource, urnDelimiter, 4)
	if len(parts) != 4 {
		return "", "", false
	}
	return parts[2], parts[3], true
}

// Silencer says who silences a finding.
type Silencer string

// Who silences findings.
const (
	// ByObject is the object itself, with its annotation mixedkube.dev/ignore.
	ByObject Silencer = "object"
	// ByIgnore is an [Ignore].
	ByIgnore Silencer = "ignore"
	// ByBaseline is the [Baseline], which knows the finding.
	ByBaseline Silencer = "baseline"
)

// Finding is what is wrong with an object. It stops nothing if it is silenced.
type Finding struct {
	rule.Finding
	Object
	// File is that of the object, Line the one of the field in it; empty and 0 in a program.
	File string
	Line int
	// SilencedBy says who silences the finding, empty if nobody does.
	SilencedBy Silencer
	// Reason is why: that of an [Ignore], or the name of the annotation or of the file.
	Reason string
}

// String is the finding without its object, as people read it.
func (f Finding) String() string { return f.Finding.String() }

// identity is what makes two findings the same one, whatever they say of it.
func (f Finding) identity() known {
	return known{resource: f.Key(), rule: f.Rule, path: f.Path}
}

// join joins what is not empty.
func join(delimiter string, parts ...string) string {
	var given []string
	for _, part := range parts {
		if part != "" {
			given = append(given, part)
		}
	}
	return strings.Join(given, delimiter)
}
