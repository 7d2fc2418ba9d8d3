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

// comments are what the public packages say of their types.
type comments struct {
	// docs are by the package's path, the type and, of fields, the field: "…/topology.Pool.Name".
	docs map[string]string
	// choices are the constants of a type, in the order of the source.
	choices map[string][]choice
	// public are constants that a public package takes over from one below it, by their names there:
	// "…/aks/plan.CalicoPolicy" is Calico.
	public map[string]choice
	// values are the texts of constants, by package and name, and keys the names of fields in other
	// languages, by package, type and field.
	values, keys map[string]string
}

type choice struct{ name, value, doc string }

// readComments reads the source of the components.
func readComments(t *testing.T) *comments {
	t.Helper()
	c := &comments{
		docs: map[string]string{}, choices: map[string][]choice{}, public: map[string]choice{},
		values: map[string]string{}, keys: map[string]string{},
	}
	root := filepath.Join("..", "..", "components")
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") ||
			strings.Contains(file, "testdata") {
			return err
		}
		parsed, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		c.file(parsed, path.Join(components, filepath.ToSlash(folder)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// The functions have their arguments here.
	parsed, err := parser.ParseFile(gotoken.NewFileSet(), "functions_of.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	c.file(parsed, reflect.TypeFor[Finding]().PkgPath())
	return c
}

func (c *comments) file(file *ast.File, pkg string) {
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok {
			c.docs[pkg+"."+receiver(f)+f.Name.Name] = f.Doc.Text()
		}
		d, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range d.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok && v.Doc == nil && !d.Lparen.IsValid() {
				v.Doc = d.Doc // of a constant that stands alone
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

// receiver is the type of a method with a dot, "" of a function.
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
	last := ""
	for _, f := range s.Fields.List {
		// A comment is about the fields below it too, up to an empty line: fields of one line that
		// have tags of their own.
		if f.Doc != nil {
			last = f.Doc.Text()
		}
		for _, n := range f.Names {
			c.docs[name+"."+n.Name] = last
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
	if text, ok := literal(spec.Values[0]); ok {
		c.values[pkg+"."+spec.Names[0].Name] = text
	}
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

// literal is the text of a constant that is written as one, or as several.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		first, ok := literal(e.X)
		second, and := literal(e.Y)
		return first + second, ok && and
	}
	return "", false
}

// of are the choices of a type, under the names and with the comments of the public package. What a
// package below it has beside those is for values that it only recognizes.
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
