package architecture_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// withoutRuns are benchmarks that no test runs, and why.
var withoutRuns = []string{
	"internal/lab/tools.BenchmarkFirstBuild", // It builds all tools for minutes: make bench-cold.
}

// Each benchmark runs in a test of its package, so that it does not break unnoticed: see package benchtest.
func TestBenchmarksRunInTests(t *testing.T) {
	t.Parallel()
	watch(t)
	root := filepath.Join("..", "..")
	var declared, run []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != root:
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, filepath.Dir(path))
		in := func(benchmark string) string { return fmt.Sprintf("%s.%s", filepath.ToSlash(name), benchmark) }
		found, named := benchmarks(file)
		for _, benchmark := range found {
			declared = append(declared, in(benchmark))
		}
		for _, benchmark := range named {
			run = append(run, in(benchmark))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	run = append(run, withoutRuns...)
	slices.Sort(declared)
	slices.Sort(run)
	if diff := cmp.Diff(declared, run); diff != "" || len(declared) < 30 {
		t.Errorf("benchmarks (-declared +run in a test by benchtest.Once):\n%s", diff)
	}
}

// benchmarks returns the benchmarks that a file declares, and those that it runs with package benchtest.
func benchmarks(file *ast.File) (declared, run []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil && strings.HasPrefix(n.Name.Name, "Benchmark") {
				declared = append(declared, n.Name.Name)
			}
		case *ast.CallExpr:
			called, _ := n.Fun.(*ast.SelectorExpr)
			if called == nil {
				return true
			}
			if of, _ := called.X.(*ast.Ident); of == nil || of.Name != "benchtest" {
				return true
			}
			for _, argument := range n.Args {
				if name, ok := argument.(*ast.Ident); ok && strings.HasPrefix(name.Name, "Benchmark") {
					run = append(run, name.Name)
				}
			}
		}
		return true
	})
	return declared, run
}
