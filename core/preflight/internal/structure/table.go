package structure

import (
	_ "embed"
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
