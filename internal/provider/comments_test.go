package provider

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"io/fs"
	"path"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// comments are the comments of the public packages on their types.
type comments struct {
	// docs are the comments by the package's path, the type and, for fields and methods, their name:
	// "…/topology.Pool.Name".
	docs map[string]string
	// choices are the constants of a type, in the order of the source.
	choices map[string][]choice
	// public are constants that a public package exports from a package below it, by their names in the latter:
	// "…/aks/plan.CalicoPolicy" is Calico.
	public map[string]choice
	// functions are the functions, by package and name.
	functions map[string]bool
	// literals are the values of constants, by package and name.
	literals map[string]ast.Expr
	// keys are the names of fields in other languages, by package, type and field.
	keys map[string]string
}

type choice struct{ name, value, doc string }

// readComments reads the source of the components.
func readComments(t *testing.T) *comments {
	t.Helper()
	c := &comments{
		docs: map[string]string{}, choices: map[string][]choice{}, public: map[string]choice{},
		functions: map[string]bool{}, literals: map[string]ast.Expr{}, keys: map[string]string{},
	}
	c.read(t, filepath.Join("..", "..", "components"), components)
	c.read(t, filepath.Join("..", "facts"), facts)
	// This package has the arguments of the functions.
	for _, file := range []string{"functions_of.go", "functions_network.go"} {
		parsed, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		c.file(parsed, reflect.TypeFor[Finding]().PkgPath())
	}
	return c
}

// read reads the packages in a directory and below it.
func (c *comments) read(t *testing.T, root, pkg string) {
	t.Helper()
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") ||
			strings.Contains(file, "testdata") {
			return err
		}
		parsed, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		c.file(parsed, path.Join(pkg, filepath.ToSlash(dir)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (c *comments) file(file *ast.File, pkg string) {
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok {
			c.docs[pkg+"."+receiver(f)+f.Name.Name] = f.Doc.Text()
			c.functions[pkg+"."+receiver(f)+f.Name.Name] = true
		}
		d, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range d.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok && v.Doc == nil && !d.Lparen.IsValid() {
				v.Doc = d.Doc // of a constant outside of a group
			}
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				c.typ(spec, pkg+"."+spec.Name.Name, d)
			case *ast.ValueSpec:
				c.constants(spec, pkg)
			}
		}
	}
}

// receiver returns the type of a method with a dot, "" for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if name, ok := t.(*ast.Ident); ok {
		return name.Name + "."
	}
	return "?."
}

func (c *comments) typ(spec *ast.TypeSpec, name string, d *ast.GenDecl) {
	c.docs[name] = spec.Doc.Text()
	if c.docs[name] == "" {
		c.docs[name] = d.Doc.Text()
	}
	s, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range s.Fields.List {
		for _, n := range f.Names {
			c.docs[name+"."+n.Name] = f.Doc.Text()
			if f.Tag != nil {
				tag, _ := strconv.Unquote(f.Tag.Value)
				c.keys[name+"."+n.Name], _, _ = strings.Cut(reflect.StructTag(tag).Get("pulumi"), ",")
			}
		}
	}
}

func (c *comments) constants(spec *ast.ValueSpec, pkg string) {
	if len(spec.Values) != 1 {
		return
	}
	c.literals[pkg+"."+spec.Names[0].Name] = spec.Values[0]
	if taken, ok := spec.Values[0].(*ast.SelectorExpr); ok {
		if from, ok := taken.X.(*ast.Ident); ok {
			c.public[path.Join(pkg, from.Name)+"."+taken.Sel.Name] = choice{
				name: spec.Names[0].Name, doc: spec.Doc.Text(),
			}
		}
	}
	typ, ok := spec.Type.(*ast.Ident)
	if !ok {
		return
	}
	value, ok := spec.Values[0].(*ast.BasicLit)
	if !ok {
		return
	}
	text, err := strconv.Unquote(value.Value)
	if err != nil {
		return
	}
	key := pkg + "." + typ.Name
	c.choices[key] = append(c.choices[key], choice{spec.Names[0].Name, text, spec.Doc.Text()})
}

// value returns the text of a constant, by package and name.
func (c *comments) value(name string) (string, bool) {
	expr, ok := c.literals[name]
	if !ok {
		return "", false
	}
	return c.text(expr, name[:strings.LastIndex(name, ".")])
}

// text returns the text of an expression in a package: a literal, a constant, or several of them.
func (c *comments) text(e ast.Expr, pkg string) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != gotoken.STRING {
			return e.Value, true
		}
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		first, ok := c.text(e.X, pkg)
		second, and := c.text(e.Y, pkg)
		return first + second, ok && and
	case *ast.Ident:
		return c.value(pkg + "." + e.Name)
	case *ast.SelectorExpr:
		from, ok := e.X.(*ast.Ident)
		if !ok {
			return "", false
		}
		for _, in := range []string{pkg, components, path.Dir(facts)} {
			if text, ok := c.value(path.Join(in, from.Name) + "." + e.Sel.Name); ok {
				return text, true
			}
		}
	}
	return "", false
}

// facts is the package of the defaults that have been looked up.
const facts = "github.com/mixedkube/mixedkube/internal/facts"

// of returns the choices of a type, with the names and the comments of the public package. The other constants of a
// package below it are values that it only recognizes.
func (c *comments) of(pkg, name string) []choice {
	all := c.choices[pkg+"."+name]
	var public []choice
	for _, one := range all {
		if taken, ok := c.public[pkg+"."+one.name]; ok {
			if taken.doc == "" {
				taken.doc = one.doc
			}
			public = append(public, choice{taken.name, one.value, taken.doc})
		}
	}
	if len(public) > 0 {
		return public
	}
	return all
}
