package structure

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed table.txt
var text string

// table is parsed when the first object is checked.
var table = sync.OnceValue(func() *tables { return parse(text) })

// tables are the parsed table.
type tables struct {
	// first and last are the minor versions in the table.
	first, last int
	// kinds are the kinds of each group and version.
	kinds map[string]map[string]*Kind
	// versions are the groups and versions of each kind.
	versions map[string][]string
	// groups are the groups with at least one served version.
	groups map[string]bool
	types  map[string]*Type
	shapes map[string]*shape
}

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

// schemas is the type of the schemas in definitions of custom resources.
const schemas = "apiextensions.v1.JSONSchemaProps"

// parse parses the table. It panics on an unknown line, which is a bug of the generator.
func parse(text string) *tables {
	t := &tables{
		kinds: map[string]map[string]*Kind{}, versions: map[string][]string{}, groups: map[string]bool{},
		types: map[string]*Type{}, shapes: map[string]*shape{},
	}
	read := map[*Type]map[string]field{}
	var in *Type
	var gated map[string]*gate
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case in == nil && words[0] == "minors":
			first, last, _ := strings.Cut(words[1], "-")
			t.first, t.last = number(first), number(last)
		case in == nil && words[0] == "kind":
			t.kind(words[1], words[2], &Kind{
				GroupVersion: words[1], Name: words[2], typ: t.typ(words[3]), span: spanOf(words[4:]),
			})
		case words[0] == "type" && len(words) == 2 && strings.Contains(words[1], "."):
			in, gated = t.typ(words[1]), gates[words[1]]
			read[in] = map[string]field{}
		default:
			read[in][words[0]] = field{t.shape(words[1]), spanOf(words[2:]), gated[words[0]]}
		}
	}
	for _, typ := range t.types {
		typ.all = slices.Sorted(maps.Keys(read[typ]))
		typ.fields = newFields(typ.all, read[typ])
		typ.nested = sync.OnceValue(typ.fieldsOfObjects)
	}
	return t
}

func (t *tables) kind(groupVersion, name string, kind *Kind) {
	if t.kinds[groupVersion] == nil {
		t.kinds[groupVersion] = map[string]*Kind{}
	}
	t.kinds[groupVersion][name] = kind
	t.versions[name] = append(t.versions[name], groupVersion)
	group, _ := split(groupVersion)
	t.groups[group] = true
}

func (t *tables) typ(name string) *Type {
	known := t.types[name]
	if known == nil {
		known = &Type{Name: name[strings.LastIndexByte(name, '.')+1:]}
		t.types[name] = known
	}
	return known
}

func (t *tables) shape(text string) *shape {
	known := t.shapes[text]
	if known != nil {
		return known
	}
	if element, ok := strings.CutPrefix(text, "[]"); ok {
		known = &shape{form: list, elem: t.shape(element)}
	} else if element, ok := strings.CutPrefix(text, "{}"); ok {
		known = &shape{form: mapping, elem: t.shape(element)}
	} else if form, ok := forms[text]; ok {
		known = &shape{form: form}
		if form >= schemaOrList {
			known.typ = t.typ(schemas)
		}
	} else {
		known = &shape{form: object, typ: t.typ(text)}
	}
	t.shapes[text] = known
	return known
}

func spanOf(words []string) span {
	if len(words) == 0 {
		return span{}
	}
	since, until, _ := strings.Cut(words[0], "-")
	return span{number(since), number(until)}
}

// number returns 0 for an open end.
func number(digits string) int {
	if digits == "" {
		return 0
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic("structure: table.txt: " + err.Error())
	}
	return n
}

// split splits a version into group and version: "apps" and "v1" of "apps/v1", "" and "v1" of "v1".
func split(groupVersion string) (group, version string) {
	group, version, ok := strings.Cut(groupVersion, "/")
	if !ok {
		return "", group
	}
	return group, version
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
