package architecture_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// maxTestLines is the length at which a table hides its cases: a reader finds a case by the name of its file instead.
const maxTestLines = 200

func TestNoTestAndNoTableIsLong(t *testing.T) {
	t.Parallel()
	files := 0
	eachFile(t, "_test.go", func(_ string, set *token.FileSet, file *ast.File) {
		files++
		for _, finding := range lengthFindings(set, file) {
			t.Error(strings.TrimPrefix(finding, root+"/"))
		}
	})
	if files < 500 {
		t.Errorf("read only %d files, which cannot be all tests of the modules", files)
	}
}

// lengthFindings returns the functions of a file, and the composite literals of its variables, that are too long.
func lengthFindings(set *token.FileSet, file *ast.File) []string {
	var findings []string
	check := func(name string, n ast.Node) bool {
		lines := set.Position(n.End()).Line - set.Position(n.Pos()).Line + 1
		if lines > maxTestLines {
			findings = append(findings, fmt.Sprintf("%s: %s has %d lines, and at most %d are easy to read: "+
				"make it a directory of cases", set.Position(n.Pos()), name, lines, maxTestLines))
		}
		return lines <= maxTestLines
	}
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			check(d.Name.Name, d)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				values, ok := spec.(*ast.ValueSpec)
				if !ok {
					continue
				}
				ast.Inspect(values, func(n ast.Node) bool {
					literal, ok := n.(*ast.CompositeLit)
					return !ok || check(values.Names[0].Name, literal)
				})
			}
		}
	}
	return findings
}

func TestLengthFindings(t *testing.T) {
	t.Parallel()
	set := token.NewFileSet()
	lines := func(n int) string { return strings.Repeat("\n", n) }
	file, err := parser.ParseFile(set, "p_test.go", "package p\n"+
		"func short() {"+lines(199)+"}\n"+
		"func long() {"+lines(200)+"}\n"+
		"var a, b = 1, []int{"+lines(199)+"}\n"+
		"var table = append([]string{"+lines(200)+"}, `"+lines(300)+"`)\n"+
		"const text = `"+lines(300)+"`\n", parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	const rule = " has 201 lines, and at most 200 are easy to read: make it a directory of cases"
	want := []string{"p_test.go:202:1: long" + rule, "p_test.go:603:20: table" + rule}
	if diff := cmp.Diff(want, lengthFindings(set, file)); diff != "" {
		t.Errorf("lengthFindings (-want +got):\n%s", diff)
	}
}
