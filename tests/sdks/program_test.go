package sdks

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"sigs.k8s.io/yaml"
)

// program has the parts of a program in YAML that the checks need.
type program struct {
	Name, Runtime, Description string
	Config                     map[string]any
	Variables                  map[string]variable
	Resources                  map[string]resource
	Outputs                    map[string]any
}

// variable is the result of a function.
type variable struct {
	Invoke struct {
		Function  string
		Arguments map[string]any
	} `json:"fn::invoke"`
}

type resource struct {
	Type, Name string
	Properties map[string]any
	Options    struct {
		DependsOn, Providers []string
		Provider             string
	}
}

// checker finds the mistakes in a program.
type checker struct {
	program program
	types   map[string]*schema.Resource
	calls   map[string]*schema.Function
	wrong   []string
}

// check compares a program with the schemas of the packages that it uses: tokens, properties and their
// types, required properties, enums, and references.
func check(source []byte, packages map[string]schema.PackageReference) ([]string, error) {
	c := checker{types: map[string]*schema.Resource{}, calls: map[string]*schema.Function{}}
	if err := yaml.UnmarshalStrict(source, &c.program); err != nil {
		return []string{err.Error()}, nil //nolint:nilerr // the error is a mistake of the program
	}
	for _, name := range slices.Sorted(maps.Keys(c.program.Variables)) {
		call := c.program.Variables[name].Invoke
		found, err := findFunction(call.Function, packages)
		if err != nil {
			return nil, err
		}
		if found == nil {
			c.add(name, "there is no function "+call.Function)
			continue
		}
		c.calls[name] = found
		var inputs []*schema.Property
		if found.Inputs != nil {
			inputs = found.Inputs.Properties
		}
		c.object(name, inputs, call.Arguments)
	}
	for _, name := range slices.Sorted(maps.Keys(c.program.Resources)) {
		if isUnchecked(c.program.Resources[name].Type) {
			c.types[name] = &schema.Resource{}
			continue
		}
		found, err := find(c.program.Resources[name].Type, packages)
		if err != nil {
			return nil, err
		}
		if found == nil {
			c.add(name, c.program.Resources[name].Type+" is not a resource of its package")
			continue
		}
		c.types[name] = found
	}
	for _, name := range slices.Sorted(maps.Keys(c.types)) {
		r := c.program.Resources[name]
		if isUnchecked(r.Type) {
			c.value(name, schema.AnyType, r.Properties)
		} else {
			c.object(name, c.types[name].InputProperties, r.Properties)
		}
		for _, used := range slices.Concat(r.Options.DependsOn, r.Options.Providers, []string{r.Options.Provider}) {
			c.text(name+".options", used)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.program.Outputs)) {
		c.value("outputs."+name, schema.AnyType, c.program.Outputs[name])
	}
	return c.wrong, nil
}

// isUnchecked reports whether a resource is of azure-native, whose schema has hundreds of megabytes and is not here. The
// references in its properties are checked.
func isUnchecked(token string) bool { return strings.HasPrefix(token, "azure-native:") }

// find returns the resource of a token, or nil if there is none.
func find(token string, packages map[string]schema.PackageReference) (*schema.Resource, error) {
	if name, ok := strings.CutPrefix(token, "pulumi:providers:"); ok && packages[name] != nil {
		return packages[name].Provider()
	}
	name, _, _ := strings.Cut(token, ":")
	if packages[name] == nil {
		return nil, nil
	}
	found, _, err := packages[name].Resources().Get(token)
	return found, err
}

// findFunction returns the function of a token, or nil if there is none.
func findFunction(token string, packages map[string]schema.PackageReference) (*schema.Function, error) {
	name, _, _ := strings.Cut(token, ":")
	if packages[name] == nil {
		return nil, nil
	}
	found, _, err := packages[name].Functions().Get(token)
	return found, err
}

func (c *checker) add(path, what string) { c.wrong = append(c.wrong, path+": "+what) }

func (c *checker) object(path string, properties []*schema.Property, value map[string]any) {
	known := map[string]*schema.Property{}
	for _, p := range properties {
		known[p.Name] = p
		if _, isSet := value[p.Name]; !isSet && p.IsRequired() && p.ConstValue == nil {
			c.add(path+"."+p.Name, "is required")
		}
	}
	for _, key := range slices.Sorted(maps.Keys(value)) {
		if p, ok := known[key]; ok {
			c.value(path+"."+key, p.Type, value[key])
		} else {
			c.add(path+"."+key, "is not a property")
		}
	}
}

// value checks the type of a value. References in a text may have any type.
func (c *checker) value(path string, t schema.Type, value any) {
	if text, ok := value.(string); ok && c.text(path, text) {
		return
	}
	if object, ok := value.(map[string]any); ok && object[readFile] != nil {
		c.value(path+"."+readFile, schema.StringType, object[readFile])
		value = "" // the text of a file
	}
	switch t := t.(type) {
	case *schema.OptionalType:
		c.value(path, t.ElementType, value)
	case *schema.InputType:
		c.value(path, t.ElementType, value)
	case *schema.ObjectType:
		if object, ok := value.(map[string]any); ok {
			c.object(path, t.Properties, object)
		} else {
			c.add(path, "must be an object")
		}
	case *schema.ArrayType:
		list, ok := value.([]any)
		if !ok {
			c.add(path, "must be a list")
		}
		for i, element := range list {
			c.value(fmt.Sprintf("%s[%d]", path, i), t.ElementType, element)
		}
	case *schema.MapType:
		object, ok := value.(map[string]any)
		if !ok {
			c.add(path, "must be an object")
		}
		for _, key := range slices.Sorted(maps.Keys(object)) {
			c.value(path+"."+key, t.ElementType, object[key])
		}
	case *schema.EnumType:
		if !slices.ContainsFunc(t.Elements, func(e *schema.Enum) bool { return e.Value == value }) {
			c.add(path, fmt.Sprintf("%v is not a value of %s", value, t.Token))
		}
	default:
		c.scalar(path, t, value)
	}
}

func (c *checker) scalar(path string, t schema.Type, value any) {
	fits := true
	switch t {
	case schema.BoolType:
		_, fits = value.(bool)
	case schema.IntType, schema.NumberType:
		_, fits = value.(float64)
	case schema.StringType:
		_, fits = value.(string)
	case schema.AnyType:
		// Outputs can have references at any depth.
		if object, ok := value.(map[string]any); ok {
			for _, key := range slices.Sorted(maps.Keys(object)) {
				c.value(path+"."+key, t, object[key])
			}
		}
	}
	if !fits {
		c.add(path, fmt.Sprintf("must be of the type %s", t))
	}
}

// readFile is the function of YAML that returns the text of a file.
const readFile = "fn::readFile"

var reference = regexp.MustCompile(`\$\{([A-Za-z0-9_-]+)(?:\.([A-Za-z0-9_-]+))?[^}]*\}`)

// text checks the references in a text, and reports whether the text consists only of a reference.
func (c *checker) text(path, text string) bool {
	for _, found := range reference.FindAllStringSubmatch(text, -1) {
		name, property := found[1], found[2]
		of, isResource := c.types[name]
		call, isCall := c.calls[name]
		_, isConfig := c.program.Config[name]
		if !isResource && !isCall && !isConfig {
			c.add(path, fmt.Sprintf("%s is neither a resource nor a configuration value", name))
		}
		var outputs []*schema.Property
		switch {
		case isResource:
			outputs = of.Properties
		case isCall:
			outputs = call.ReturnType.(*schema.ObjectType).Properties
		default:
			continue
		}
		hasName := func(p *schema.Property) bool { return p.Name == property }
		if property != "" && !slices.ContainsFunc(outputs, hasName) {
			c.add(path, fmt.Sprintf("%s has no output %s", name, property))
		}
	}
	whole := reference.FindString(text)
	return whole != "" && whole == text
}
