package structure

import (
	"cmp"
	"fmt"
	"slices"
)

// Kind is a kind in one version of its group.
type Kind struct {
	GroupVersion, Name string
	typ                *Type
	span
}

// String returns the version and the name: "apps/v1 Deployment".
func (k *Kind) String() string { return k.GroupVersion + " " + k.Name }

// Type is a type of Kubernetes' API that has fields.
type Type struct {
	// Name is the name of the type in Go, for example "PodSpec".
	Name   string
	fields fields
	// all are the names of the fields, in alphabetical order.
	all []string
	// nested returns where the objects of the type, and those within them, have a field: its path by its name, "" if
	// there are several at the smallest depth.
	nested func() map[string]string
}

// field is a field of a [Type].
type field struct {
	*shape
	span
	// gate is nil for most fields.
	gate *gate
}

// span is a range of minor versions; an end that is 0 is open.
type span struct{ since, until int }

func (s span) has(minor int) bool { return minor >= s.since && (s.until == 0 || minor <= s.until) }
func (s span) always() bool       { return s == span{} }

// one returns one of the versions.
func (s span) one() int { return cmp.Or(s.since, s.until) }

// String describes the versions: "since Kubernetes 1.36".
func (s span) String() string {
	switch {
	case s.until == 0:
		return fmt.Sprintf("since Kubernetes 1.%d", s.since)
	case s.since == 0:
		return fmt.Sprintf("until Kubernetes 1.%d", s.until)
	case s.since == s.until:
		return fmt.Sprintf("in Kubernetes 1.%d", s.since)
	}
	return fmt.Sprintf("in Kubernetes 1.%d to 1.%d", s.since, s.until)
}

// form is how values are written.
type form int

const (
	anything form = iota
	object        // with the fields of a type
	list
	mapping // with keys that the user chooses
	str
	boolean
	int32s
	int64s
	float
	base64s
	quantity
	intOrString
	timestamp
	microTime
	// A schema in the definition of a custom resource, or something else.
	schemaOrList
	schemaOrBool
	schemaOrStrings
)

var forms = map[string]form{
	"any": anything, "string": str, "bool": boolean, "int32": int32s, "int64": int64s, "float": float,
	"bytes": base64s, "quantity": quantity, "intOrString": intOrString, "time": timestamp, "microTime": microTime,
	"schemaOrList": schemaOrList, "schemaOrBool": schemaOrBool, "schemaOrStrings": schemaOrStrings,
}

// shape is the type of a value: its form, and the type of its elements.
type shape struct {
	form form
	typ  *Type
	elem *shape
}

// names returns the fields that a type has in a version, 0 for any, in alphabetical order.
func (t *Type) names(minor int) []string {
	if minor == 0 {
		return t.all
	}
	return slices.DeleteFunc(slices.Clone(t.all), func(name string) bool { return !t.fields.get(name).has(minor) })
}

// fieldsOfObjects is the function behind [Type.nested].
func (t *Type) fieldsOfObjects() map[string]string {
	type place struct {
		at  string
		typ *Type
	}
	found := map[string]string{}
	level := []place{{typ: t}}
	for range 3 {
		var next []place
		here := map[string]string{}
		for _, p := range level {
			for _, child := range p.typ.fields.sorted {
				if child.form != object || child.name == "metadata" || child.name == "status" {
					continue
				}
				at := p.at + child.name + "."
				for _, f := range child.typ.fields.sorted {
					if _, again := here[f.name]; again {
						here[f.name] = ""
					} else {
						here[f.name] = at + f.name
					}
				}
				next = append(next, place{at, child.typ})
			}
		}
		for name, at := range here {
			if _, nearer := found[name]; !nearer {
				found[name] = at
			}
		}
		level = next
	}
	return found
}

// fields are the fields of a type by their names. Every field of every object is looked up, and this takes less than
// half the time of a map: a few bytes of a name are enough to find its slot.
type fields struct {
	// slots have at least as many empty slots as full ones. A name whose slot is full is in the next empty one.
	slots []slot
	// sorted are the full slots, in the alphabetical order of the names.
	sorted []*slot
	// usual are the slots of [usual] fields, in the order of their ranks.
	usual []*slot
}

type slot struct {
	name string
	field
}

// usual are the fields that most manifests set, with their ranks: those of outer types come first.
var usual = func() map[string]int {
	ranks := map[string]int{}
	for _, name := range []string{
		"apiVersion", "kind", "metadata", "spec", "name", "namespace", "labels", "annotations", "replicas", "selector",
		"template", "matchLabels", "containers", "image", "resources", "env", "ports", "volumeMounts",
		"securityContext", "livenessProbe", "readinessProbe", "os", "nodeSelector", "tolerations", "volumes", "key",
		"operator", "value", "effect", "containerPort", "port", "protocol", "path", "httpGet", "periodSeconds",
		"limits", "requests", "valueFrom", "secretKeyRef", "configMapKeyRef", "mountPath", "emptyDir",
		"windowsOptions", "runAsUserName",
	} {
		ranks[name] = len(ranks)
	}
	return ranks
}()

func newFields(names []string, of map[string]field) fields {
	size := 2
	for size < 2*len(names) {
		size *= 2
	}
	f := fields{slots: make([]slot, size)}
	for _, name := range names {
		s := f.slot(name)
		*s = slot{name, of[name]}
		f.sorted = append(f.sorted, s)
		if _, is := usual[name]; is {
			f.usual = append(f.usual, s)
		}
	}
	slices.SortFunc(f.usual, func(a, b *slot) int { return cmp.Compare(usual[a.name], usual[b.name]) })
	return f
}

// get returns a field, nil if there is none with the name.
func (f *fields) get(name string) *field {
	if s := f.slot(name); s.name != "" {
		return &s.field
	}
	return nil
}

// slot returns the slot of a name, or the empty one in its place.
func (f *fields) slot(name string) *slot {
	if name == "" {
		return &slot{}
	}
	n := len(name)
	at := uint(9*n) + uint(name[0]) + 33*uint(name[n-1]) + 7*uint(name[n/2])
	for mask := uint(len(f.slots) - 1); ; at++ {
		if s := &f.slots[at&mask]; s.name == name || s.name == "" {
			return s
		}
	}
}
