package structure

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// description has the fields of an OpenAPI description that the test reads.
type description struct {
	Definitions map[string]property `json:"definitions"`
	Paths       map[string]struct {
		Post *struct {
			Kind groupVersionKind `json:"x-kubernetes-group-version-kind"`
		} `json:"post"`
	} `json:"paths"`
}

type property struct {
	Ref                  string              `json:"$ref"`
	Type                 string              `json:"type"`
	Format               string              `json:"format"`
	Items                *property           `json:"items"`
	AdditionalProperties *property           `json:"additionalProperties"`
	Properties           map[string]property `json:"properties"`
	Kinds                []groupVersionKind  `json:"x-kubernetes-group-version-kind"`
}

type groupVersionKind struct{ Group, Version, Kind string }

func (k groupVersionKind) String() string {
	return strings.TrimPrefix(k.Group+"/"+k.Version+" "+k.Kind, "/")
}

// generated is the table of all releases, the oldest first.
type generated struct {
	minors []int
	kinds  map[string]*entry
	types  map[string]map[string]*entry
}

// entry is the type of a kind or of a field, and the releases that have it.
type entry struct {
	form   string
	minors []int
}

// add records the kinds and the types of a release.
func (t *generated) add(release string, d *description) error {
	minor, err := minorOf(release)
	if err != nil {
		return err
	}
	if t.types == nil {
		t.kinds, t.types = map[string]*entry{}, map[string]map[string]*entry{}
	}
	t.minors = append(t.minors, minor)
	for kind, name := range d.served() {
		if name == "" {
			return fmt.Errorf("a %s can be created, but is not defined", kind)
		}
		if err := note(t.kinds, kind, short(name), minor); err != nil {
			return err
		}
		if err := t.define(d, name, minor); err != nil {
			return err
		}
	}
	return nil
}

// served returns the definitions of the kinds of which objects can be created.
func (d *description) served() map[string]string {
	types := map[string]string{}
	for name, s := range d.Definitions {
		for _, kind := range s.Kinds {
			types[kind.String()] = name
		}
	}
	kinds := map[string]string{}
	for path, operations := range d.Paths {
		// A path with a name creates a subresource, such as an Eviction.
		if operations.Post != nil && !strings.Contains(path, "{name}") {
			kind := operations.Post.Kind.String()
			kinds[kind] = types[kind]
		}
	}
	return kinds
}

var release = regexp.MustCompile(`^v1\.(\d+)\.\d+$`)

func minorOf(version string) (int, error) {
	m := release.FindStringSubmatch(version)
	if m == nil {
		return 0, fmt.Errorf("%q is not a release of Kubernetes: write v1.36.3", version)
	}
	return strconv.Atoi(m[1])
}

// define records the fields of a type, and of all types of its fields.
func (t *generated) define(d *description, name string, minor int) error {
	fields := t.types[short(name)]
	if fields == nil {
		fields = map[string]*entry{}
		t.types[short(name)] = fields
	}
	for field, s := range d.Definitions[name].Properties {
		form, ref, err := formOf(&s)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", name, field, err)
		}
		known := fields[field] != nil && slices.Contains(fields[field].minors, minor)
		if err := note(fields, field, form, minor); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if ref != "" && !known {
			if err := t.define(d, ref, minor); err != nil {
				return err
			}
		}
	}
	return nil
}

// note adds a release to an entry. No field has changed its type yet.
func note(all map[string]*entry, name, form string, minor int) error {
	e := all[name]
	if e == nil {
		e = &entry{form: form}
		all[name] = e
	}
	if e.form != form {
		return fmt.Errorf("%s is a %s, but was a %s in an earlier release", name, form, e.form)
	}
	if !slices.Contains(e.minors, minor) {
		e.minors = append(e.minors, minor)
	}
	return nil
}

const (
	machinery  = "io.k8s.apimachinery.pkg."
	extensions = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1."
)

// special are the types that read JSON themselves.
var special = map[string]string{
	machinery + "api.resource.Quantity":         "quantity",
	machinery + "util.intstr.IntOrString":       "intOrString",
	machinery + "apis.meta.v1.Time":             "time",
	machinery + "apis.meta.v1.MicroTime":        "microTime",
	machinery + "apis.meta.v1.FieldsV1":         "any",
	machinery + "runtime.RawExtension":          "any",
	extensions + "JSON":                         "any",
	extensions + "JSONSchemaPropsOrArray":       "schemaOrList",
	extensions + "JSONSchemaPropsOrBool":        "schemaOrBool",
	extensions + "JSONSchemaPropsOrStringArray": "schemaOrStrings",
}

// formOf returns the type of a field, and the definition with the fields of that type.
func formOf(s *property) (form, ref string, err error) {
	switch {
	case s.Ref != "":
		name := strings.TrimPrefix(s.Ref, "#/definitions/")
		if form, ok := special[name]; ok {
			return form, "", nil
		}
		return short(name), name, nil
	case s.Type == "array" && s.Items != nil:
		form, ref, err = formOf(s.Items)
		return "[]" + form, ref, err
	case s.Type == "object" && s.AdditionalProperties != nil:
		form, ref, err = formOf(s.AdditionalProperties)
		return "{}" + form, ref, err
	}
	switch s.Type + " " + s.Format {
	case "string ":
		return "string", "", nil
	case "string byte":
		return "bytes", "", nil
	case "integer int32":
		return "int32", "", nil
	case "integer int64":
		return "int64", "", nil
	case "number double":
		return "float", "", nil
	case "boolean ":
		return "bool", "", nil
	}
	return "", "", fmt.Errorf("a type %q of format %q is not known", s.Type, s.Format)
}

// short returns the name of a definition without the path of its Go package: core.v1.PodSpec.
func short(name string) string {
	parts := strings.Split(name, ".")
	return strings.Join(parts[max(0, len(parts)-3):], ".")
}

// text writes the table: the kinds, then the types with their fields.
func (t *generated) text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "minors %d-%d\n", t.minors[0], t.minors[len(t.minors)-1])
	for _, name := range slices.Sorted(maps.Keys(t.kinds)) {
		fmt.Fprintf(&b, "kind %s %s%s\n", name, t.kinds[name].form, t.since(t.kinds[name].minors))
	}
	for _, name := range slices.Sorted(maps.Keys(t.types)) {
		fmt.Fprintf(&b, "type %s\n", name)
		for _, field := range slices.Sorted(maps.Keys(t.types[name])) {
			e := t.types[name][field]
			fmt.Fprintf(&b, "%s %s%s\n", field, e.form, t.since(e.minors))
		}
	}
	return b.Bytes()
}

// since returns the releases of an entry, if not all have it: " 36-" since 1.36, " -35" until
// 1.35.
func (t *generated) since(minors []int) string {
	first, last := "", ""
	if minors[0] != t.minors[0] {
		first = strconv.Itoa(minors[0])
	}
	if end := minors[len(minors)-1]; end != t.minors[len(t.minors)-1] {
		last = strconv.Itoa(end)
	}
	if first+last == "" {
		return ""
	}
	return " " + first + "-" + last
}
