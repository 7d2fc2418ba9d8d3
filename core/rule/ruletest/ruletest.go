// Package ruletest tests that a package lists all rules that it declares.
package ruletest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/rule"
)

// Listed fails the test unless list has exactly the rules that the packages below a directory declare, in the order of
// their IDs.
func Listed(t *testing.T, dir string, list []rule.Rule) {
	t.Helper()
	declared := Declared(t, dir)
	slices.Sort(declared)
	var listed []string
	for _, r := range list {
		listed = append(listed, r.ID)
	}
	if diff := cmp.Diff(declared, listed); diff != "" {
		t.Errorf("rules of %s (-declared +listed):\n%s", dir, diff)
	}
}

// Declared returns the ID of each package-level variable below a directory that is a rule: a literal of type Rule, with
// or without its checks, or the result of a function that returns one and takes the ID as its first argument.
func Declared(t *testing.T, dir string) []string {
	t.Helper()
	var files []*ast.File
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "testdata":
			return fs.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		files = append(files, file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	makers := makers(files)
	var ids []string
	for value := range values(files) {
		switch value := value.(type) {
		case *ast.CompositeLit:
			if isRule(value.Type) {
				ids = append(ids, id(value))
			}
		case *ast.CallExpr:
			if name, ok := value.Fun.(*ast.Ident); ok && slices.Contains(makers, name.Name) {
				ids = append(ids, text(value.Args[0]))
			}
		}
	}
	return ids
}

// makers returns the functions that return a rule.
func makers(files []*ast.File) []string {
	var names []string
	for _, file := range files {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && f.Recv == nil && f.Type.Results != nil && isRule(f.Type.Results.List[0].Type) {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

// values yields the values that package-level variables are initialized with.
func values(files []*ast.File) func(yield func(ast.Expr) bool) {
	return func(yield func(ast.Expr) bool) {
		for _, file := range files {
			for _, d := range file.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok || g.Tok != token.VAR {
					continue
				}
				for _, spec := range g.Specs {
					for _, value := range spec.(*ast.ValueSpec).Values {
						if !yield(value) {
							return
						}
					}
				}
			}
		}
	}
}

func isRule(t ast.Expr) bool {
	s, ok := t.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := s.X.(*ast.Ident)
	return ok && (pkg.Name == "rule" || pkg.Name == "engine") && s.Sel.Name == "Rule"
}

func id(literal *ast.CompositeLit) string {
	for _, e := range literal.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		switch key := pair.Key.(*ast.Ident).Name; key {
		case "ID":
			return text(pair.Value)
		case "Rule": // of a rule with its checks
			switch value := pair.Value.(type) {
			case *ast.CompositeLit:
				return id(value)
			case *ast.CallExpr:
				return text(value.Args[0])
			}
		}
	}
	return "a rule without an ID"
}

func text(e ast.Expr) string {
	if literal, ok := e.(*ast.BasicLit); ok {
		return strings.Trim(literal.Value, `"`)
	}
	return "an ID that is not a literal"
}
