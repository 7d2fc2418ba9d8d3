package architecture_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A struct that embeds a type with a method String inherits it: %v then prints the embedded value, and nothing else.
func TestNoExportedStructInheritsItsString(t *testing.T) {
	t.Parallel()
	watch(t)
	structs := structsBelow(t, root, slices.Concat(publicFloors, []string{"internal"})...)
	for _, name := range slices.Sorted(maps.Keys(structs)) {
		if from := structs.inherits(name); from != "" && isExported(name) {
			t.Errorf("%s inherits String from %s: give it a String of its own, or name the field", name, from)
		}
	}
	if len(structs) < 500 {
		t.Errorf("%d types are found, want more", len(structs))
	}
}

func TestAStructThatInheritsItsStringIsFound(t *testing.T) {
	t.Parallel()
	const text = `package report
import other "` + module + `/core/rule"
type Object struct{ Name string }
func (o Object) String() string { return o.Name }
type Landing struct { Object; Text string }
type Deeper struct { *Landing }
type Own struct { Object; Text string }
func (o *Own) String() string { return o.Text }
type Failure struct { Object }
func (f Failure) Error() string { return f.Name }
type Named struct { Object Object }
type Outside struct { other.Finding }
type Private struct { unknown.Type }
`
	file, err := parser.ParseFile(token.NewFileSet(), "report.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	found := typesByName{"core/rule.Finding": {printed: true}}
	found.add("core/report", file)
	got := map[string]string{}
	for name := range found {
		if from := found.inherits(name); from != "" {
			got[name] = from
		}
	}
	want := map[string]string{
		"core/report.Landing": "core/report.Object", "core/report.Deeper": "core/report.Object",
		"core/report.Outside": "core/rule.Finding",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func isExported(name string) bool { return ast.IsExported(name[strings.LastIndexByte(name, '.')+1:]) }

// typesByName has types by the path of their package, without the module, and their name.
type typesByName map[string]*declared

type declared struct {
	// printed means that the type has a method String or Error of its own.
	printed  bool
	embedded []string
}

// inherits returns the type whose String a type inherits, "" if there is none.
func (t typesByName) inherits(name string) string {
	of := t[name]
	if of == nil || of.printed {
		return ""
	}
	for _, embedded := range of.embedded {
		if other := t[embedded]; other != nil && other.printed {
			return embedded
		}
		if from := t.inherits(embedded); from != "" {
			return from
		}
	}
	return ""
}

func (t typesByName) of(name string) *declared {
	if t[name] == nil {
		t[name] = &declared{}
	}
	return t[name]
}

// add adds the types and the methods of a file.
func (t typesByName) add(pkg string, file *ast.File) {
	imported := map[string]string{}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		path, own := strings.CutPrefix(path, module+"/")
		if err != nil || !own {
			continue
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = path
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil || decl.Name.Name != "String" && decl.Name.Name != "Error" {
				continue
			}
			if name := nameOf(pkg, imported, decl.Recv.List[0].Type); name != "" {
				t.of(name).printed = true
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				named, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				of := t.of(pkg + "." + named.Name.Name)
				fields, ok := named.Type.(*ast.StructType)
				if !ok {
					continue
				}
				for _, field := range fields.Fields.List {
					if name := nameOf(pkg, imported, field.Type); name != "" && len(field.Names) == 0 {
						of.embedded = append(of.embedded, name)
					}
				}
			}
		}
	}
}

// nameOf returns the name of a type of this module, "" for any other.
func nameOf(pkg string, imported map[string]string, typ ast.Expr) string {
	switch typ := typ.(type) {
	case *ast.StarExpr:
		return nameOf(pkg, imported, typ.X)
	case *ast.IndexExpr:
		return nameOf(pkg, imported, typ.X)
	case *ast.Ident:
		return pkg + "." + typ.Name
	case *ast.SelectorExpr:
		if from, ok := typ.X.(*ast.Ident); ok && imported[from.Name] != "" {
			return imported[from.Name] + "." + typ.Sel.Name
		}
	}
	return ""
}

// structsBelow reads the types of directories, without tests.
func structsBelow(t *testing.T, root string, dirs ...string) typesByName {
	t.Helper()
	found := typesByName{}
	sourcesBelow(t, root, dirs, func(file string, parsed *ast.File) { found.add(path.Dir(file), parsed) })
	return found
}
