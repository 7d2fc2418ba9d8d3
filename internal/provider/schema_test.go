package provider

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

type (
	typeSpec struct {
		Type                 string     `json:"type,omitempty"`
		Ref                  string     `json:"$ref,omitempty"`
		Items                *typeSpec  `json:"items,omitempty"`
		AdditionalProperties *typeSpec  `json:"additionalProperties,omitempty"`
		OneOf                []typeSpec `json:"oneOf,omitempty"`
		// Discriminator is the property that distinguishes the types of OneOf.
		Discriminator *discriminator `json:"discriminator,omitempty"`
		Plain         bool           `json:"plain,omitempty"`
	}
	discriminator struct {
		Property string            `json:"propertyName"`
		Mapping  map[string]string `json:"mapping"`
	}
	property struct {
		typeSpec
		Const       string `json:"const,omitempty"`
		Description string `json:"description,omitempty"`
		Secret      bool   `json:"secret,omitempty"`
		Deprecation string `json:"deprecationMessage,omitempty"`
	}
	enumValue struct {
		Name        string `json:"name"`
		Description string `json:"description,omitempty"`
		Value       string `json:"value"`
	}
	object struct {
		Description string              `json:"description,omitempty"`
		Type        string              `json:"type"`
		Properties  map[string]property `json:"properties,omitempty"`
		Required    []string            `json:"required,omitempty"`
		Enum        []enumValue         `json:"enum,omitempty"`
	}
	resourceSpec struct {
		Description     string              `json:"description"`
		IsComponent     bool                `json:"isComponent"`
		Properties      map[string]property `json:"properties,omitempty"`
		Required        []string            `json:"required,omitempty"`
		InputProperties map[string]property `json:"inputProperties"`
		RequiredInputs  []string            `json:"requiredInputs,omitempty"`
	}
	functionSpec struct {
		Description string `json:"description"`
		Inputs      object `json:"inputs"`
		Outputs     object `json:"outputs"`
	}
)

// open are types whose constants are examples: they take other values too.
var open = map[reflect.Type]bool{
	reflect.TypeFor[workload.User]():    true,
	reflect.TypeFor[hostprocess.User](): true,
}

// generator writes the schema from the types of the components and from their comments.
type generator struct {
	comments  *comments
	version   string // of the kubernetes SDK
	resources map[string]resourceSpec
	functions map[string]functionSpec
	types     map[string]object
	// of are the Go types by their tokens: two types cannot share a token.
	of map[string]reflect.Type
}

func generate(t *testing.T) *generator {
	t.Helper()
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`pulumi-kubernetes/sdk/v4 (v\S+)`).FindSubmatch(mod)
	g := &generator{
		comments: readComments(t), version: string(version[1]), resources: map[string]resourceSpec{},
		functions: map[string]functionSpec{}, types: map[string]object{}, of: map[string]reflect.Type{},
	}
	for _, c := range Components() {
		r := resourceSpec{Description: g.describe(c.Result), IsComponent: true, Properties: map[string]property{}}
		outputs := c.fieldsOfOutputs()
		for _, name := range slices.Sorted(maps.Keys(outputs)) {
			f := outputs[name]
			r.Properties[name] = g.property(owner(c.Result, f), f, name, g.output(f.Type))
			r.Required = append(r.Required, name)
		}
		r.InputProperties, r.RequiredInputs = g.inputs(c.Args, true)
		g.resources[c.Token()] = r
	}
	for _, f := range Functions() {
		g.functions[f.Token] = g.function(f)
	}
	return g
}

func (g *generator) function(f Function) functionSpec {
	pkg, name := g.comments.full(thisPackage, f.Go)
	goName := name[strings.LastIndex(name, ".")+1:]
	description, _ := g.comments.description(g.comments.docs[pkg+"."+name], pkg, "", goName, lastPart(f.Token))
	made := functionSpec{
		Description: description, Inputs: object{Type: "object"}, Outputs: object{Type: "object"},
	}
	made.Inputs.Properties, made.Inputs.Required = g.inputs(f.Args, false)
	made.Outputs.Properties, made.Outputs.Required = g.properties(f.Result, false)
	return made
}

// inputs returns the properties of arguments. A file can have the topology.
func (g *generator) inputs(t reflect.Type, plain bool) (properties map[string]property, required []string) {
	properties, required = g.properties(t, plain)
	if takesTopology(t) {
		properties[topologyFileKey] = property{
			typeSpec: typeSpec{Type: "string", Plain: plain},
			Description: "topologyFile is the path of a file with the topology, instead of `topology`. It is " +
				"relative to " +
				"the directory of the program. `mixedkube topology --live` writes such a file.",
		}
		required = slices.DeleteFunc(required, func(name string) bool { return name == topologyKey })
	}
	return properties, required
}

// describe returns the description of a type, from its comment.
func (g *generator) describe(t reflect.Type) string {
	doc := g.comments.docs[t.PkgPath()+"."+t.Name()]
	description, _ := g.comments.description(doc, t.PkgPath(), "", t.Name(), "")
	return description
}

func (g *generator) properties(t reflect.Type, plain bool) (properties map[string]property, required []string) {
	properties = map[string]property{}
	known := fields(t)
	for _, key := range slices.Sorted(maps.Keys(known)) {
		f := known[key]
		spec := g.spec(f.Type, plain && !isComponentOutput(f.Type))
		switch {
		case f.Tag.Get("provider") != "any":
		case f.Type.Kind() == reflect.Slice:
			spec = typeSpec{Type: "array", Items: &anyType} // Python's SDK takes a bare one for a dict
		default:
			spec = anyType
		}
		properties[key] = g.property(owner(t, f), f, key, spec)
		if !optional(f) {
			required = append(required, key)
		}
	}
	return properties, required
}

func (g *generator) property(in reflect.Type, f reflect.StructField, key string, spec typeSpec) property {
	p := property{typeSpec: spec, Secret: strings.Contains(f.Tag.Get("provider"), "secret")}
	p.Description, p.Deprecation = g.comments.description(
		g.comments.docs[in.PkgPath()+"."+in.Name()+"."+f.Name], in.PkgPath(), in.Name(), f.Name, key)
	return p
}

// anyType is the type of values that programs pass to a resource. It takes any value: programs in YAML and Python could
// not pass a more specific one, because their type checkers distinguish types and choices of outputs from those of
// inputs.
var anyType = typeSpec{Ref: "pulumi.json#/Any"}

// output returns the type of an output.
func (g *generator) output(t reflect.Type) typeSpec {
	if isComponentOutput(below(t)) {
		return anyType
	}
	return g.spec(t, false)
}

// spec returns the type of a property. If plain is set, the property does not take outputs, unless the type does.
func (g *generator) spec(t reflect.Type, plain bool) typeSpec {
	t = below(t)
	switch {
	case t == specType, isText(t):
		return typeSpec{Type: "string", Plain: plain}
	case isResourceArgs(t):
		return typeSpec{Type: "object", AdditionalProperties: &typeSpec{Ref: "pulumi.json#/Any"}}
	case t.Implements(inputType) && t.Kind() == reflect.String: // pulumi.ID
		return typeSpec{Type: "string"}
	case t.Implements(inputType):
		element := elementOf(t)
		if element == nil {
			return typeSpec{Ref: "pulumi.json#/Any"}
		}
		return g.spec(element, false)
	}
	plain = plain && !hasInputs(t)
	switch t.Kind() {
	case reflect.String:
		text, ref := typeSpec{Type: "string", Plain: plain}, typeSpec{Ref: g.enum(t), Plain: plain}
		switch {
		case ref.Ref == "":
			return text
		case open[t]:
			return typeSpec{OneOf: []typeSpec{text, ref}, Plain: plain}
		default:
			return ref
		}
	case reflect.Bool:
		return typeSpec{Type: "boolean", Plain: plain}
	case reflect.Int, reflect.Uint16:
		return typeSpec{Type: "integer", Plain: plain}
	case reflect.Float64:
		return typeSpec{Type: "number", Plain: plain}
	case reflect.Slice:
		element := g.spec(t.Elem(), plain)
		return typeSpec{Type: "array", Items: &element, Plain: plain}
	case reflect.Map:
		element := g.spec(t.Elem(), plain)
		return typeSpec{Type: "object", AdditionalProperties: &element, Plain: plain}
	case reflect.Interface:
		if hasVariants(t) {
			return g.union(t, plain)
		}
		return typeSpec{Ref: "pulumi.json#/Any"}
	case reflect.Struct:
		return typeSpec{Ref: g.object(t), Plain: plain}
	}
	panic(fmt.Sprintf("%s cannot be in a schema", t))
}

// hasInputs reports whether a value within a type can be an output.
func hasInputs(t reflect.Type) bool {
	t = below(t)
	switch {
	case isText(t):
		return false
	case t.Implements(inputType), isComponentOutput(t):
		return true
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Map:
		return hasInputs(t.Elem())
	case reflect.Struct:
		for _, f := range fields(t) {
			if hasInputs(f.Type) {
				return true
			}
		}
	}
	return false
}

var kubernetes = regexp.MustCompile(
	`^(?:github\.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes|k8s\.io/api)/(.+)$`)

// object returns the reference to a struct.
func (g *generator) object(t reflect.Type) string {
	if m := kubernetes.FindStringSubmatch(t.PkgPath()); m != nil {
		// Arguments have the type of the plain struct, and groups of extensions have their full names.
		group := strings.Replace(m[1], "apiextensions/", "apiextensions.k8s.io/", 1)
		return fmt.Sprintf("/kubernetes/%s/schema.json#/types/kubernetes:%s:%s", g.version, group, t.Name())
	}
	if !g.register(t) {
		properties, required := g.properties(t, hasInputs(t))
		if isVariant(t) {
			properties[variantKey] = property{
				typeSpec: typeSpec{Type: "string"}, Const: t.Name(),
				Description: variantKey + " is `" + t.Name() + "`.",
			}
			required = append(required, variantKey)
		}
		g.types[token(t)] = object{
			Description: g.describe(t), Type: "object", Properties: properties, Required: required,
		}
	}
	return "#/types/" + token(t)
}

// union returns the type of an interface.
func (g *generator) union(t reflect.Type, plain bool) typeSpec {
	u := typeSpec{Plain: plain, Discriminator: &discriminator{Property: variantKey, Mapping: map[string]string{}}}
	for _, one := range variants[t] {
		ref := g.object(one)
		u.OneOf = append(u.OneOf, typeSpec{Ref: ref, Plain: plain})
		u.Discriminator.Mapping[one.Name()] = ref
	}
	return u
}

// isVariant reports whether a type is a variant of an interface.
func isVariant(t reflect.Type) bool {
	for _, all := range variants {
		if slices.Contains(all, t) {
			return true
		}
	}
	return false
}

// register adds a type, and reports whether it was already registered.
func (g *generator) register(t reflect.Type) bool {
	was, found := g.of[token(t)]
	if found && was != t {
		panic(fmt.Sprintf("%s and %s would both be %s", was, t, token(t)))
	}
	g.of[token(t)] = t
	return found
}

// dependency is a package whose types the schema refers to.
type dependency struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// languages returns the options of the generators of the languages: the names of the SDKs, and the SDK of the
// kubernetes provider that the SDK for Python imports. The SDK for TypeScript takes it from the dependencies.
func languages(kubernetes string) map[string]any {
	return map[string]any{
		"nodejs": map[string]any{
			"packageName":          "@mixedkube/mixedkube",
			"respectSchemaVersion": true,
		},
		"python": map[string]any{
			"packageName": "mixedkube",
			"requires": map[string]string{
				"pulumi": ">=3.142.0,<4.0.0", "pulumi-kubernetes": ">=" + kubernetes + ",<5.0.0",
			},
			"pyproject":            map[string]bool{"enabled": true},
			"respectSchemaVersion": true,
		},
	}
}

// TestGeneratedSchema compares the schema of the plugin with the types and comments of the components.
func TestGeneratedSchema(t *testing.T) {
	t.Parallel()
	g := generate(t)
	version := strings.TrimPrefix(g.version, "v")
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(struct {
		Name        string   `json:"name"`
		DisplayName string   `json:"displayName"`
		Description string   `json:"description"`
		Keywords    []string `json:"keywords"`
		License     string   `json:"license"`
		Repository  string   `json:"repository"`
		Namespace   string   `json:"namespace"`
		// Server is the URL from which Pulumi downloads the plugin of a release, by the name in .goreleaser.yaml.
		Server    string                  `json:"pluginDownloadURL"`
		Depends   []dependency            `json:"dependencies"`
		Language  map[string]any          `json:"language"`
		Resources map[string]resourceSpec `json:"resources"`
		Functions map[string]functionSpec `json:"functions"`
		Types     map[string]object       `json:"types"`
	}{
		Name: "mixedkube", DisplayName: "mixedkube",
		Description: "Components for Kubernetes clusters with Linux and Windows nodes.",
		Keywords:    []string{"kubernetes", "windows", "category/infrastructure", "kind/component"},
		License:     "Apache-2.0", Repository: "https://github.com/mixedkube/mixedkube", Namespace: "mixedkube",
		Server:    "github://api.github.com/mixedkube/mixedkube",
		Depends:   []dependency{{Name: "kubernetes", Version: version}},
		Language:  languages(version),
		Resources: g.resources, Functions: g.functions, Types: g.types,
	})
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, "schema.json", out.String())
}

// TestEverythingIsDescribed finds properties, types and choices without a comment in Go.
func TestEverythingIsDescribed(t *testing.T) {
	t.Parallel()
	g := generate(t)
	check := func(where, description string) {
		if description == "" {
			t.Errorf("%s has no description: write its comment in Go", where)
		}
	}
	for token, r := range g.resources {
		check(token, r.Description)
		for name, p := range r.InputProperties {
			check(token+", input "+name, p.Description)
		}
		for name, p := range r.Properties {
			check(token+", output "+name, p.Description)
		}
	}
	for token, f := range g.functions {
		check(token, f.Description)
		for name, p := range f.Inputs.Properties {
			check(token+", input "+name, p.Description)
		}
		for name, p := range f.Outputs.Properties {
			check(token+", output "+name, p.Description)
		}
	}
	for token, o := range g.types {
		check(token, o.Description)
		for name, p := range o.Properties {
			check(token+", "+name, p.Description)
		}
		for _, v := range o.Enum {
			check(token+", value "+v.Name, v.Description)
		}
	}
}

// TestTagsAgree checks that a name is the same in programs and in files.
func TestTagsAgree(t *testing.T) {
	t.Parallel()
	g := generate(t)
	structs := maps.Clone(g.of)
	for _, c := range Components() {
		structs[c.Token()+"Args"] = c.Args
	}
	for _, f := range Functions() {
		structs[f.Token+"Args"], structs[f.Token+"Result"] = f.Args, f.Result
	}
	lowerCamel := regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)
	for _, token := range slices.Sorted(maps.Keys(structs)) {
		if structs[token].Kind() != reflect.Struct {
			continue
		}
		for key, f := range fields(structs[token]) {
			if _, tagged := f.Tag.Lookup("pulumi"); !tagged || !lowerCamel.MatchString(key) {
				t.Errorf("%s.%s has no tag pulumi with a name in lower camel case", structs[token], f.Name)
			}
			for _, other := range []string{"json", "yaml"} {
				if name, _, _ := strings.Cut(f.Tag.Get(other), ","); name != "" && name != key {
					t.Errorf("%s.%s is %s in the tag %s and %s in the tag pulumi",
						structs[token], f.Name, name, other, key)
				}
			}
		}
	}
}
