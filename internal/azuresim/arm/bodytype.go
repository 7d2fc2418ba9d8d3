package arm

import (
	"embed"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
	"sync"
)

// bodyFiles are the types of bodies, a file for each package of Azure's SDK for Go. A test compares them with the SDK,
// which is not imported here because the SDK of networks and machines takes a minute to compile.
//
// A line "type NAME" begins an object. Each line below it has a tab, the JSON name of a property and its type: []
// before a type makes it a list, and map[] an object with any names. A line "enum NAME" begins an enumeration, with a
// value in each line below it.
//
//go:embed bodies
var bodyFiles embed.FS

// bodyType is the type of a value in a body.
type bodyType struct {
	// name is the SDK's name.
	name string
	// ofAKS is true if AKS reads it.
	ofAKS bool
	form  form
	// limit is the greatest number.
	limit float64
	// properties are the properties of an object, by their JSON names.
	properties map[string]*bodyType
	// element is the type in a list or a map.
	element *bodyType
	// values are the values of an enumeration. A string without any can have any value.
	values []string
}

type form int

const (
	anyForm form = iota
	textForm
	boolForm
	wholeForm
	floatForm
	timeForm
	base64Form
	listForm
	mapForm
	objectForm
)

// plainTypes are the types that the SDK takes from Go.
var plainTypes = map[string]*bodyType{
	"any":     {name: "any", form: anyForm},
	"string":  {name: "string", form: textForm},
	"bool":    {name: "bool", form: boolForm},
	"int32":   {name: "int32", form: wholeForm, limit: math.MaxInt32},
	"int64":   {name: "int64", form: wholeForm, limit: math.Nextafter(1<<63, 0)},
	"float32": {name: "float32", form: floatForm, limit: math.MaxFloat32},
	"float64": {name: "float64", form: floatForm, limit: math.MaxFloat64},
	"Time":    {name: "Time", form: timeForm},
	"base64":  {name: "base64 string", form: base64Form},
}

// bodyTypes are the types of all bodies, by names as in armnetwork.VirtualNetwork.
var bodyTypes = sync.OnceValue(func() map[string]*bodyType {
	files, err := fs.Glob(bodyFiles, "bodies/*.txt")
	if err != nil {
		panic(err)
	}
	all := map[string]*bodyType{}
	for _, file := range files {
		content, err := bodyFiles.ReadFile(file)
		if err != nil {
			panic(err)
		}
		sdk := strings.TrimSuffix(path.Base(file), ".txt")
		for name, t := range readBodyTypes(string(content)) {
			t.ofAKS = sdk == "armcontainerservice"
			all[sdk+"."+name] = t
		}
	}
	for name, values := range newValues {
		for _, value := range values {
			if !slices.Contains(all[name].values, value) {
				all[name].values = append(all[name].values, value)
			}
		}
	}
	for _, name := range openEnums {
		all[name].values = nil
	}
	return all
})

// readBodyTypes reads the types of a file by their names.
func readBodyTypes(content string) map[string]*bodyType {
	types := map[string]*bodyType{}
	named := func(name string) *bodyType {
		if types[name] == nil {
			types[name] = &bodyType{name: name}
		}
		return types[name]
	}
	var current *bodyType
	for line := range strings.Lines(content) {
		line = strings.TrimSuffix(line, "\n")
		below, isBelow := strings.CutPrefix(line, "\t")
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case isBelow && current.form == textForm:
			current.values = append(current.values, below)
		case isBelow:
			name, expression, _ := strings.Cut(below, " ")
			current.properties[name] = typeOfExpression(expression, named)
		case word == "enum":
			current = named(rest)
			current.form = textForm
		case word == "type":
			current = named(rest)
			current.form, current.properties = objectForm, map[string]*bodyType{}
		default:
			panic(fmt.Sprintf("arm: %q is neither a type nor an enumeration", line))
		}
	}
	return types
}

func typeOfExpression(expression string, named func(string) *bodyType) *bodyType {
	if element, ok := strings.CutPrefix(expression, "[]"); ok {
		of := typeOfExpression(element, named)
		return &bodyType{name: "list of " + of.name, form: listForm, element: of}
	}
	if element, ok := strings.CutPrefix(expression, "map[]"); ok {
		return &bodyType{name: "object", form: mapForm, element: typeOfExpression(element, named)}
	}
	if plain := plainTypes[expression]; plain != nil {
		return plain
	}
	return named(expression)
}
