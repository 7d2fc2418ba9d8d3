package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	modulePath = "github.com/mixedkube/mixedkube/"
	factsPath  = "internal/core/facts"
)

// withoutUses are directories that are left out: tests and what they use, and simulations, which no preview needs.
var withoutUses = []string{
	"components/mocktest", "internal/azuresim", factsPath + "/lives", "internal/lab", "internal/testkit", "tests",
}

// names are sets of names by a name.
type names map[string]map[string]bool

func (n names) add(user, name string) {
	if n[user] == nil {
		n[user] = map[string]bool{}
	}
	n[user][name] = true
}

// usesOf returns the names of the facts that packages of a module read, by the directory of the package, and those that
// functions of the packages of facts read, by the name of the function: vm.ofEC2.
func usesOf(root string, all []fact) (names, error) {
	direct := names{}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		dir, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		dir = filepath.ToSlash(dir)
		if dir != "." && strings.HasPrefix(entry.Name(), ".") || slices.Contains(withoutUses, dir) ||
			entry.Name() == "testdata" || entry.Name() == "node_modules" {
			return fs.SkipDir
		}
		return direct.addPackage(file, dir)
	})
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, f := range all {
		for _, name := range f.names {
			known[name] = true
		}
	}
	uses := names{}
	for user := range direct {
		if !known[user] {
			direct.follow(user, known, map[string]bool{}, func(name string) { uses.add(user, name) })
		}
	}
	return uses, nil
}

// follow calls found with the known names that a user refers to, directly or through other names that are not known.
func (n names) follow(user string, known, seen map[string]bool, found func(name string)) {
	for name := range n[user] {
		switch {
		case seen[name]:
		case known[name]:
			found(name)
		default:
			seen[name] = true
			n.follow(name, known, seen, found)
		}
	}
}

// addPackage adds the references of a package. Within a package of facts, each declaration refers to others.
func (n names) addPackage(at, dir string) error {
	set := token.NewFileSet()
	sources, err := filepath.Glob(filepath.Join(at, "*.go"))
	if err != nil {
		return err
	}
	var files []*ast.File
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, source, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	prefix, ofFacts := prefixOf(dir)
	if !ofFacts {
		for _, file := range files {
			n.addSelectors(dir, file, importsOf(file))
		}
		return nil
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	// The imports are left out: names in the package are all that counts.
	config := types.Config{Importer: noImports{}, Error: func(error) {}}
	checked, _ := config.Check(dir, set, files, &info)
	for _, file := range files {
		imported := importsOf(file)
		for _, declaration := range file.Decls {
			for name, part := range parts(declaration) {
				n.addSelectors(prefix+name, part, imported)
				ast.Inspect(part, func(node ast.Node) bool {
					if id, ok := node.(*ast.Ident); ok && info.Uses[id] != nil &&
						info.Uses[id].Parent() == checked.Scope() {
						n.add(prefix+name, prefix+id.Name)
					}
					return true
				})
			}
		}
	}
	return nil
}

// prefixOf returns what the names of facts of a package begin with.
func prefixOf(dir string) (prefix string, ofFacts bool) {
	below, ofFacts := strings.CutPrefix(dir+"/", factsPath+"/")
	if below == "" || !ofFacts {
		return "", ofFacts
	}
	return path.Base(dir) + ".", true
}

// importsOf returns the prefixes of the packages of facts that a file imports, by their names there.
func importsOf(file *ast.File) map[string]string {
	all := map[string]string{}
	for _, spec := range file.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		prefix, ofFacts := prefixOf(strings.TrimPrefix(imported, modulePath))
		if !ofFacts {
			continue
		}
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		all[name] = prefix
	}
	return all
}

// addSelectors adds what a file or a declaration reads from packages of facts that are imported.
func (n names) addSelectors(user string, in ast.Node, imported map[string]string) {
	ast.Inspect(in, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			if of, ok := selector.X.(*ast.Ident); ok {
				if prefix, ok := imported[of.Name]; ok {
					n.add(user, prefix+selector.Sel.Name)
				}
			}
		}
		return true
	})
}

// parts returns the specifications of a declaration, or the function, by the names that it declares. A method belongs
// to its type.
func parts(declaration ast.Decl) map[string]ast.Node {
	all := map[string]ast.Node{}
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			name = strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*")
		}
		all[name] = d
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				all[s.Name.Name] = s
			case *ast.ValueSpec:
				for _, name := range s.Names {
					all[name.Name] = s
				}
			}
		}
	}
	return all
}

// noImports imports nothing.
type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	return nil, fmt.Errorf("%s is left out", path)
}

// usesTable returns the source of the table of uses of package lives.
func usesTable(uses names) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprint(&out, "// Code generated by tests/cmd/facts; DO NOT EDIT.\n\npackage lives\n\n"+
		"//facts:none who uses facts\nvar uses = map[string][]string{\n")
	for _, user := range slices.Sorted(maps.Keys(uses)) {
		fmt.Fprintf(&out, "\t%q: {\n", user)
		for _, name := range slices.Sorted(maps.Keys(uses[user])) {
			fmt.Fprintf(&out, "\t\t%q,\n", name)
		}
		fmt.Fprint(&out, "\t},\n")
	}
	fmt.Fprint(&out, "}\n")
	return format.Source(out.Bytes())
}
