package provider

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"path"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// repository begins the import paths of the packages in this repository. The rest of a path is the directory.
const repository = "github.com/mixedkube/mixedkube/"

// thisPackage is this package.
var thisPackage = reflect.TypeFor[Component]().PkgPath()

// comments are the comments of packages on their types.
type comments struct {
	// docs are the comments by the package's path, the type and, for fields and methods, their name:
	// "…/topology.Pool.Name".
	docs map[string]string
	// choices are the constants of a type, in the order of the source.
	choices map[string][]choice
	// imports are the packages of this repository that a package imports, by their names in it. Packages that have
	// been read have a map.
	imports map[string]map[string]string
	// aliases are the types that a package exports from another one: "…/aks.LoginMode" is "…/aks/plan.LoginMode".
	aliases map[string]string
	// exported are the constants that a package exports from another one, by the name of the former and the
	// constant in the latter: "aks:…/aks/plan.CalicoPolicy" is Calico.
	exported map[string]choice
	// functions are the functions, by package and name.
	functions map[string]bool
	// literals are the values of constants, by package and name.
	literals map[string]ast.Expr
	// keys are the names of fields in other languages, by package, type and field.
	keys map[string]string
}

// choice is a constant. Its comment is in the package pkg.
type choice struct{ name, value, doc, pkg string }

// readComments reads the source of this package, and of those in this repository that it imports.
func readComments(t *testing.T) *comments {
	t.Helper()
	c := &comments{
		docs: map[string]string{}, choices: map[string][]choice{}, imports: map[string]map[string]string{},
		aliases: map[string]string{}, exported: map[string]choice{}, functions: map[string]bool{},
		literals: map[string]ast.Expr{}, keys: map[string]string{},
	}
	c.read(t, thisPackage)
	return c
}

// read reads a package and those that it imports, unless it has been read.
func (c *comments) read(t *testing.T, pkg string) {
	t.Helper()
	if c.imports[pkg] != nil {
		return
	}
	c.imports[pkg] = map[string]string{}
	dir, err := filepath.Rel(filepath.FromSlash(thisPackage), filepath.FromSlash(pkg))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the package %s has no files in %s, %v", pkg, dir, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		c.file(parsed, pkg)
	}
	for _, imported := range c.imports[pkg] {
		c.read(t, imported)
	}
}

func (c *comments) file(file *ast.File, pkg string) {
	for _, spec := range file.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if strings.HasPrefix(imported, repository) {
			c.imports[pkg][name] = imported
		}
	}
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
				c.constants(spec, pkg, file.Name.Name)
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
	if spec.Assign.IsValid() {
		c.aliases[name], _ = c.selected(spec.Type, name[:strings.LastIndex(name, ".")])
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

// selected returns the package and the name of an expression that takes something from a package of this repository.
func (c *comments) selected(e ast.Expr, pkg string) (full string, ok bool) {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	from, ok := s.X.(*ast.Ident)
	if !ok {
		return "", false
	}
	imported, ok := c.imports[pkg][from.Name]
	if !ok {
		return "", false
	}
	return imported + "." + s.Sel.Name, true
}

func (c *comments) constants(spec *ast.ValueSpec, pkg, pkgName string) {
	if len(spec.Values) != 1 {
		return
	}
	c.literals[pkg+"."+spec.Names[0].Name] = spec.Values[0]
	if taken, ok := c.selected(spec.Values[0], pkg); ok {
		c.exported[pkgName+":"+taken] = choice{name: spec.Names[0].Name, doc: spec.Doc.Text(), pkg: pkg}
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
	c.choices[key] = append(c.choices[key], choice{spec.Names[0].Name, text, spec.Doc.Text(), pkg})
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
		if taken, ok := c.selected(e, pkg); ok {
			return c.value(taken)
		}
	}
	return "", false
}

// of returns the choices of a type. If the package that its token names exports some of them from the package of the
// type, the choices are those, with their names and comments in the former: the others are values that it only
// recognizes.
func (c *comments) of(t reflect.Type) []choice {
	all := c.choices[t.PkgPath()+"."+t.Name()]
	if len(all) == 0 {
		return nil
	}
	var exported []choice
	for _, one := range all {
		if taken, ok := c.exported[strings.Split(token(t), ":")[1]+":"+t.PkgPath()+"."+one.name]; ok {
			if taken.doc == "" {
				taken.doc, taken.pkg = one.doc, one.pkg
			}
			taken.value = one.value
			exported = append(exported, taken)
		}
	}
	if len(exported) > 0 {
		return exported
	}
	return all
}
