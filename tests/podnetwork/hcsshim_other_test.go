//go:build !windows

package podnetwork

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// hcsshimTypes returns the types of the settings of a policy, by its type. hcsshim compiles for
// Windows only, so they are derived from its source.
func hcsshimTypes(t *testing.T) map[string]func() any {
	t.Helper()
	// The package is from the module that the tests require.
	cmd := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.Dir}}", "github.com/Microsoft/hcsshim/hcn")
	cmd.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	var problem bytes.Buffer
	cmd.Stderr = &problem
	dir, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, problem.String())
	}
	source, err := parser.ParseFile(token.NewFileSet(),
		filepath.Join(strings.TrimSpace(string(dir)), "hcnpolicy.go"), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	declared := declarations(source)
	types := map[string]func() any{}
	for policy, name := range map[string]string{
		"ACL": "AclPolicySetting", "OutBoundNAT": "OutboundNatPolicySetting", "SDNRoute": "SDNRoutePolicySetting",
	} {
		made := typeOf(t, declared, ast.NewIdent(name))
		types[policy] = func() any { return reflect.New(made).Interface() }
	}
	return types
}

// declarations returns the types of a file by their names.
func declarations(file *ast.File) map[string]ast.Expr {
	declared := map[string]ast.Expr{}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			declared[spec.Name.Name] = spec.Type
		}
		return true
	})
	return declared
}

// typeOf derives a type from its source.
func typeOf(t *testing.T, declared map[string]ast.Expr, of ast.Expr) reflect.Type {
	t.Helper()
	switch e := of.(type) {
	case *ast.ArrayType:
		return reflect.SliceOf(typeOf(t, declared, e.Elt))
	case *ast.StructType:
		var fields []reflect.StructField
		for _, f := range e.Fields.List {
			tag := ""
			if f.Tag != nil {
				tag, _ = strconv.Unquote(f.Tag.Value)
			}
			for _, name := range f.Names {
				fields = append(fields, reflect.StructField{
					Name: name.Name, Type: typeOf(t, declared, f.Type), Tag: reflect.StructTag(tag),
				})
			}
		}
		return reflect.StructOf(fields)
	case *ast.Ident:
		basic := map[string]reflect.Type{
			"string": reflect.TypeFor[string](), "bool": reflect.TypeFor[bool](),
			"uint16": reflect.TypeFor[uint16](), "uint32": reflect.TypeFor[uint32](),
		}
		if found, ok := basic[e.Name]; ok {
			return found
		}
		if under, ok := declared[e.Name]; ok {
			return typeOf(t, declared, under)
		}
	}
	t.Fatalf("the test cannot make the type %#v", of)
	return nil
}
