package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Object identifies the object that a finding belongs to.
type Object struct {
	// Resource is the URN of the object in a Pulumi program, and empty for an object of a file.
	Resource string
	// Cluster is the name of the provider whose cluster the object was checked for. It is empty unless the program
	// names several clusters.
	Cluster string
	// Kind, Namespace and Name are the fields of the Kubernetes object. They are empty if the object does not set them.
	// A name that is secret or not known yet is empty.
	Kind, Namespace, Name string

	// anywhere is true if the object has no namespace, or if its namespace is unknown.
	anywhere bool
}

// ObjectOf returns the identity of an object, read from its fields.
func ObjectOf(object map[string]any) Object {
	var o Object
	o.Kind, _ = tree.Text(object["kind"])
	metadata := tree.Map(object["metadata"])
	o.Namespace = shown(metadata["namespace"])
	o.Name = cmp.Or(shown(metadata["name"]), shown(metadata["generateName"]))
	o.anywhere = o.Namespace == "" && metadata["namespace"] != nil || slices.Contains(withoutNamespace, o.Kind)
	return o
}

// TopologyOf returns the object of the findings about the topology of a cluster itself. The provider is [Object.Cluster],
// or empty. Patterns match it as Topology, or as Topology/PROVIDER.
func TopologyOf(provider string) Object {
	return Object{Cluster: provider, Kind: "Topology", Name: provider, anywhere: true}
}

// Facts returns the object of the finding about old facts, which is about a run as a whole. Patterns match it as Facts.
func Facts() Object { return Object{Kind: "Facts", anywhere: true} }

// withoutNamespace are the cluster-scoped kinds that can have findings.
var withoutNamespace = []string{"Namespace", "PersistentVolume", "RuntimeClass"}

// shown returns a text that is known and not secret, and "" for all other values.
func shown(v any) string {
	if _, secret := v.(tree.Secret); secret {
		return ""
	}
	text, _ := tree.Text(v)
	return text
}

// namespace returns the namespace that Kubernetes uses for the object, or "" if the object is in no namespace.
func (o Object) namespace() string {
	if o.anywhere {
		return ""
	}
	return cmp.Or(o.Namespace, "default")
}

// Key identifies the object in a [Baseline]: the types and the name of the resource, or the kind, namespace and name of
// an object of a file. It contains neither project nor stack, so that stacks can share a file, and neither file nor
// line, because they change while the object stays the same.
func (o Object) Key() string {
	if typ, name, ok := o.urn(); ok {
		return typ + urnDelimiter + name
	}
	return join("/", o.Kind, o.Namespace, o.Name)
}

// String returns the kind and the name of the object.
func (o Object) String() string { return join("/", o.Kind, o.Name) }

const urnDelimiter = "::"

// urn returns the types, including those of the parent components, and the name in the URN.
func (o Object) urn() (types, name string, ok bool) {
	// urn:pulumi:STACK::PROJECT::TYPES::NAME, where the name can contain anything.
	parts := strings.SplitN(o.Resource, urnDelimiter, 4)
	if len(parts) != 4 {
		return "", "", false
	}
	return parts[2], parts[3], true
}

// Suppressor is what suppresses a finding.
type Suppressor string

// The suppressors.
const (
	// ByObject is the object itself, by its annotation mixedkube.dev/ignore.
	ByObject Suppressor = "object"
	// ByIgnore is an [Ignore].
	ByIgnore Suppressor = "ignore"
	// ByBaseline is the [Baseline], which contains the finding.
	ByBaseline Suppressor = "baseline"
)

// Finding is a problem with an object. A suppressed finding does not block anything.
type Finding struct {
	rule.Finding
	Object
	// File is the file of the object, and Line is the line of the field in it. They are empty and 0 in a program.
	File string
	Line int
	// Also are further places that have written a part of the value, such as "shop/kustomization.yaml:4" for the tag of
	// an image. Only what a kustomization builds has some.
	Also []string
	// Environments are the names of the environments of the file in which it was found. The list is empty in a program,
	// and for files that are all for one cluster. InSome means that the file has other environments, too.
	Environments []string
	InSome       bool
	// SuppressedBy is what suppresses the finding, or empty if it is not suppressed.
	SuppressedBy Suppressor
	// Reason is why the finding is suppressed: the reason of an [Ignore], or the name of the annotation or of the file.
	Reason string
}

// String returns the finding without its object.
func (f Finding) String() string { return f.Finding.String() }

// identity identifies a finding, whatever its text.
func (f Finding) identity() known {
	return known{resource: f.Key(), rule: f.Rule, path: f.Path}
}

// subjectID identifies the object of the finding in its file, or in the program if there is no file. The line is not
// part of it, because it changes with the text before it.
func (f Finding) subjectID() string {
	if f.File == "" && f.Resource != "" {
		return f.Resource
	}
	return f.Key()
}

// identities counts what has the same identity in a report, so that each can get a fingerprint of its own.
type identities map[string]int

// count returns how many there are now with an identity.
func (i identities) count(identity ...string) int {
	id := strings.Join(identity, "\x00")
	i[id]++
	return i[id]
}

// join joins the parts that are not empty.
func join(delimiter string, parts ...string) string {
	var present []string
	for _, part := range parts {
		if part != "" {
			present = append(present, part)
		}
	}
	return strings.Join(present, delimiter)
}
