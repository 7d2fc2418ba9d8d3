package architecture_test

import (
	"go/ast"
	"go/token"
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
	var declared, run []string
	eachFile(t, "_test.go", func(path string, _ *token.FileSet, file *ast.File) {
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		found, named := benchmarks(file)
		for _, benchmark := range found {
			declared = append(declared, filepath.ToSlash(dir)+"."+benchmark)
		}
		for _, benchmark := range named {
			run = append(run, filepath.ToSlash(dir)+"."+benchmark)
		}
	})
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
