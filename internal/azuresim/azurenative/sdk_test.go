package azurenative

import (
	"go/ast"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/azuresim/gosource"
)

// sdk are the structs of a package of azure-native's SDK.
type sdk map[string]*ast.StructType

func loadSDK(t *testing.T, module string) sdk {
	t.Helper()
	s := sdk{}
	for _, file := range gosource.Load(t, "github.com/pulumi/pulumi-azure-native-sdk/"+module+"/v3") {
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				if body, ok := spec.Type.(*ast.StructType); ok {
					s[spec.Name.Name] = body
				}
			}
			return true
		})
	}
	return s
}

// fieldType is the type of a field: the name of a struct or of another type, and how many lists or maps are around it.
type fieldType struct {
	name string
	in   int
}

func (s sdk) properties(name string) map[string]fieldType {
	all := map[string]fieldType{}
	if s[name] == nil {
		return nil
	}
	for _, field := range s[name].Fields.List {
		if field.Tag == nil {
			continue
		}
		tag, _ := strconv.Unquote(field.Tag.Value)
		key := reflect.StructTag(tag).Get("pulumi")
		if key == "" {
			continue
		}
		p := fieldType{}
		for at := field.Type; at != nil; {
			switch of := at.(type) {
			case *ast.StarExpr:
				at = of.X
			case *ast.ArrayType:
				at, p.in = of.Elt, p.in+1
			case *ast.MapType:
				at, p.in = of.Value, p.in+1
			case *ast.SelectorExpr:
				at = of.Sel
			case *ast.Ident:
				at, p.name = nil, of.Name
			default:
				at = nil
			}
		}
		// The fields of a resource are outputs: PropertiesResponseArrayOutput.
		if of, ok := strings.CutSuffix(p.name, "Output"); ok {
			p.name = strings.TrimSuffix(of, "Ptr")
			for _, list := range []string{"Array", "Map"} {
				if short, ok := strings.CutSuffix(p.name, list); ok {
					p.name, p.in = short, p.in+1
				}
			}
		}
		all[key] = p
	}
	return all
}

// paths returns the lines of a type's file, down to a depth: the types of networks contain each other in cycles.
func (s sdk) paths(input, output string, depth int) []string {
	var lines []string
	var walk func(path string, deep int, input, output string)
	walk = func(path string, deep int, input, output string) {
		in, out := s.properties(input), s.properties(output)
		for _, name := range slices.Sorted(maps.Keys(in)) {
			if _, ok := out[name]; !ok {
				lines = append(lines, path+name+" "+onlyInput)
			}
		}
		for name, o := range out {
			i, ok := in[name]
			line := path + name
			if !ok {
				lines = append(lines, line+" "+onlyOutput)
				continue
			}
			lines = append(lines, line)
			nested := strings.Repeat(".*", max(i.in, o.in))
			if deep < depth && s[i.name] != nil && s[o.name] != nil {
				walk(line+nested+".", deep+1, i.name, o.name)
			}
		}
	}
	walk("", 1, input, output)
	slices.Sort(lines)
	return lines
}

// All SDKs request the provider's version of the module that they share from the engine.
func TestReleaseMatchesTheSDK(t *testing.T) {
	t.Parallel()
	required, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	const sdk = "github.com/pulumi/pulumi-azure-native-sdk/"
	for _, module := range []string{sdk + "containerservice/v3", sdk + "v3"} {
		if want := module + " v" + Version; !strings.Contains(string(required), want) {
			t.Errorf("go.mod does not have %s", want)
		}
	}
}
