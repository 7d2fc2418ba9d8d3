package architecture_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// maxParameters is the number of parameters that a reader can keep apart.
const maxParameters = 6

func TestNoFunctionHasMoreThanSixParameters(t *testing.T) {
	t.Parallel()
	files := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		if entry.IsDir() {
			_, statErr := os.Stat(filepath.Join(path, "go.mod"))
			if isModule := statErr == nil; isModule || strings.HasPrefix(entry.Name(), ".") ||
				entry.Name() == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		files++
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		for _, finding := range parameterFindings(t, filepath.ToSlash(name), source) {
			t.Error(finding)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 100 {
		t.Errorf("read only %d files, which cannot be all files of the module", files)
	}
}

// parameterFindings returns the functions of a file with too many parameters: declared functions,
// literals, and function types. Fuzz tests are exempt, as fuzzers pass each argument separately.
func parameterFindings(t *testing.T, name string, source []byte) []string {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var findings []string
	for _, declaration := range file.Decls {
		in := "a variable or a type"
		if function, ok := declaration.(*ast.FuncDecl); ok {
			in = function.Name.Name
		}
		if strings.HasPrefix(in, "Fuzz") {
			continue
		}
		ast.Inspect(declaration, func(n ast.Node) bool {
			if function, ok := n.(*ast.FuncType); ok && function.Params.NumFields() > maxParameters {
				findings = append(findings, fmt.Sprintf(
					"%s: %s has %d parameters, and at most %d are easy to read: "+
						"make it a method of a type that has them",
					set.Position(function.Pos()), in, function.Params.NumFields(), maxParameters))
			}
			return true
		})
	}
	return findings
}

func TestParameterFindings(t *testing.T) {
	t.Parallel()
	const source = `package p

func good(a, b, c int, d, e, f string) {}

func (r receiver) goodMethod(a, b, c, d, e int, more ...string) (g, h int, err error) { return }

func bad(a, b, c int, d, e, f string, more ...int) {}

func (r receiver) badMethod(a, b, c, d, e, f, g int) {}

func literal() {
	_ = func(a, b, c, d, e, f, g, h int) {}
}

type function func(int, int, int, int, int, int, int)

func FuzzOne(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b, c, d, e, f int) {})
}
`
	const rule = ", and at most 6 are easy to read: make it a method of a type that has them"
	want := []string{
		"p.go:7:1: bad has 7 parameters" + rule,
		"p.go:9:1: badMethod has 7 parameters" + rule,
		"p.go:12:6: literal has 8 parameters" + rule,
		"p.go:15:15: a variable or a type has 7 parameters" + rule,
	}
	if diff := cmp.Diff(want, parameterFindings(t, "p.go", []byte(source))); diff != "" {
		t.Errorf("parameterFindings (-want +got):\n%s", diff)
	}
}
