package arm

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/azuresim/gosource"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

func TestBodiesMatchTheSDK(t *testing.T) {
	t.Parallel()
	models := map[string][]string{}
	for _, kind := range kinds {
		pkg, name, _ := strings.Cut(rulesOf(kind).model, ".")
		models[pkg] = append(models[pkg], name)
	}
	modules := map[string]string{
		"armauthorization":    "authorization/armauthorization/v2",
		"armcompute":          "compute/armcompute/v6",
		"armcontainerservice": "containerservice/armcontainerservice/v8",
		"armmsi":              "msi/armmsi",
		"armnetwork":          "network/armnetwork/v7",
		"armresources":        "resources/armresources",
	}
	for pkg, names := range models {
		t.Run(pkg, func(t *testing.T) {
			t.Parallel()
			golden.Equal(t, "bodies/"+pkg+".txt",
				loadSDK(t, "github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/"+modules[pkg]).bodies(t, names))
		})
	}
}

// sdk is a package of Azure's SDK.
type sdk struct {
	types map[string]ast.Expr
	// names are the JSON names of fields by type, from the type's own decoder.
	names map[string]map[string]string
	// possible are the constants of enumerations, and values their values.
	possible map[string][]string
	values   map[string]string
}

func loadSDK(t *testing.T, module string) sdk {
	t.Helper()
	s := sdk{map[string]ast.Expr{}, map[string]map[string]string{}, map[string][]string{}, map[string]string{}}
	for _, file := range gosource.Load(t, module) {
		for _, declaration := range file.Decls {
			switch declared := declaration.(type) {
			case *ast.FuncDecl:
				s.readFunction(declared)
			case *ast.GenDecl:
				for _, spec := range declared.Specs {
					s.readSpec(spec)
				}
			}
		}
	}
	return s
}

func (s sdk) readSpec(spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		s.types[spec.Name.Name] = spec.Type
	case *ast.ValueSpec:
		for i, value := range spec.Values {
			if literal, ok := value.(*ast.BasicLit); ok {
				s.values[spec.Names[i].Name], _ = strconv.Unquote(literal.Value)
			}
		}
	}
}

// readFunction reads the values of an enumeration,
//
//	func PossibleModeValues() []Mode { return []Mode{ModeA, ModeB} }
//
// and the names of an object's properties:
//
//	func (a *A) UnmarshalJSON(data []byte) error {
//		...
//		case "name":
//			err = unpopulate(val, "Name", &a.Name)
func (s sdk) readFunction(f *ast.FuncDecl) {
	enum, isEnum := strings.CutPrefix(f.Name.Name, "Possible")
	switch {
	case isEnum && f.Recv == nil:
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if all, ok := n.(*ast.CompositeLit); ok {
				for _, one := range all.Elts {
					s.possible[strings.TrimSuffix(enum,
						"Values")] = append(s.possible[strings.TrimSuffix(enum, "Values")], one.(*ast.Ident).Name)
				}
			}
			return true
		})
	case f.Name.Name == "UnmarshalJSON":
		receiver, names := f.Recv.List[0], map[string]string{}
		s.names[receiver.Type.(*ast.StarExpr).X.(*ast.Ident).Name] = names
		ast.Inspect(f.Body, func(n ast.Node) bool {
			branch, ok := n.(*ast.CaseClause)
			if !ok || len(branch.List) != 1 {
				return true
			}
			name, _ := strconv.Unquote(branch.List[0].(*ast.BasicLit).Value)
			ast.Inspect(branch, func(n ast.Node) bool {
				if field, ok := n.(*ast.SelectorExpr); ok {
					if of, ok := field.X.(*ast.Ident); ok && of.Name == receiver.Names[0].Name {
						names[field.Sel.Name] = name
					}
				}
				return true
			})
			return false
		})
	}
}

// bodies returns the text of some types, and of the types that they refer to.
func (s sdk) bodies(t *testing.T, names []string) string {
	t.Helper()
	texts := map[string]string{}
	for len(names) > 0 {
		name := names[0]
		names = names[1:]
		if texts[name] != "" {
			continue
		}
		text, more := s.body(name)
		if text == "" {
			t.Fatalf("%s is neither an object that the SDK decodes nor an enumeration", name)
		}
		texts[name], names = text, append(names, more...)
	}
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		all.WriteString(texts[name])
	}
	return all.String()
}

// body returns the text of a type, and the types that it mentions.
func (s sdk) body(name string) (text string, mentions []string) {
	var lines []string
	for _, constant := range s.possible[name] {
		lines = append(lines, "\t"+s.values[constant]+"\n")
	}
	if len(lines) > 0 {
		return "enum " + name + "\n" + strings.Join(lines, ""), nil
	}
	structure, ok := s.types[name].(*ast.StructType)
	if !ok {
		return "", nil
	}
	for _, field := range structure.Fields.List {
		property, ok := s.names[name][field.Names[0].Name]
		if !ok {
			return "", nil
		}
		expression, of := expressionOf(field.Type)
		if plainTypes[of] == nil {
			mentions = append(mentions, of)
		}
		lines = append(lines, fmt.Sprintf("\t%s %s\n", property, expression))
	}
	slices.Sort(lines)
	return "type " + name + "\n" + strings.Join(lines, ""), mentions
}

// expressionOf returns a type as the files write it, and the type in its lists and maps.
func expressionOf(of ast.Expr) (expression, element string) {
	switch of := of.(type) {
	case *ast.StarExpr:
		return expressionOf(of.X)
	case *ast.ArrayType:
		if element, ok := of.Elt.(*ast.Ident); ok && element.Name == "byte" {
			return "base64", "base64"
		}
		inner, element := expressionOf(of.Elt)
		return "[]" + inner, element
	case *ast.MapType:
		inner, element := expressionOf(of.Value)
		return "map[]" + inner, element
	case *ast.SelectorExpr:
		return of.Sel.Name, of.Sel.Name
	case *ast.Ident:
		return of.Name, of.Name
	default:
		return "", ""
	}
}
