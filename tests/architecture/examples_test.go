package architecture_test

import (
	"errors"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// withoutExamples are packages that cannot have a runnable example, and why.
var withoutExamples = map[string]string{
	"examples/internal/exampletest":                         "its functions take a *testing.T",
	"internal/azuresim":                                     "it has no code: its README.md is the map of it",
	"internal/azuresim/apiserver":                           "it stands in for the API servers of a lab that runs",
	"internal/azuresim/azurenative":                         "the engine starts it as a plugin",
	"internal/azuresim/gosource":                            "its functions take a *testing.T",
	"internal/azuresim/machine/machinetest":                 "it makes the input of the tests of package machine",
	"internal/azuresim/pulumicommand":                       "the engine starts it as a plugin",
	"internal/testkit/benchtest":                            "its functions take a *testing.T",
	"internal/testkit/casetest":                             "its functions take a *testing.T",
	"core/preflight/internal/sources":                       "it has only addresses",
	"internal/core/facts":                                   "it has only values, which change with their sources",
	"internal/lab":                                          "it starts a cluster",
	"internal/lab/debian":                                   "it downloads programs",
	"internal/lab/nodebinaries":                             "it builds programs for minutes",
	"internal/lab/packages":                                 "it installs packages for programs in other languages",
	"internal/lab/tools/pulumi-resource-kubernetes/v2beta2": "it stands in for a package that no longer exists",
	"internal/lab/wine":                                     "it needs Wine",
	"internal/provider/sdks":                                "it makes SDKs with thousands of files",
	"stacks/stacktest":                                      "its functions take a *testing.T",
	"stacks/stackprogram":                                   "the programs of the stacks are its examples",
}

// Each package has an example that newcomers read first and can copy. go test runs it and compares its output.
// Programs and packages of tests have none.
func TestEachPackageHasARunnableExample(t *testing.T) {
	t.Parallel()
	var packages []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a temporary directory
		}
		if err != nil || !entry.IsDir() || path == root {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		if strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || entry.Name() == "node_modules" ||
			slices.Contains([]string{"bin", "dist", "sdk", "tests"}, name) {
			return filepath.SkipDir
		}
		if isLibrary(t, path) {
			packages = append(packages, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(packages) < 80 {
		t.Errorf("only %d packages were found", len(packages))
	}
	examples := map[string]bool{}
	for _, name := range packages {
		examples[name] = hasExample(parseTests(t, filepath.Join(root, filepath.FromSlash(name))))
	}
	for _, finding := range exampleFindings(examples, withoutExamples) {
		t.Error(finding)
	}
}

// exampleFindings lists the packages that break the rule, and wrong exceptions. examples is true for a package
// that has an example.
func exampleFindings(examples map[string]bool, except map[string]string) []string {
	var findings []string
	for _, name := range slices.Sorted(maps.Keys(examples)) {
		switch _, excepted := except[name]; {
		case excepted && examples[name]:
			findings = append(findings, name+" has a runnable example: remove it from withoutExamples")
		case !excepted && !examples[name]:
			findings = append(findings, name+" has no runnable example: show its main use in a function Example with "+
				"a comment // Output: in example_test.go")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(except)) {
		if _, found := examples[name]; !found {
			findings = append(findings, name+" is not a package: remove it from withoutExamples")
		}
	}
	return findings
}

// isLibrary reports whether a directory has a package that others can import.
func isLibrary(t *testing.T, dir string) bool {
	t.Helper()
	for _, path := range goFiles(t, dir) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		return file.Name.Name != "main"
	}
	return false
}

func parseTests(t *testing.T, dir string) []*ast.File {
	t.Helper()
	var files []*ast.File
	for _, path := range goFiles(t, dir) {
		if !strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

func goFiles(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, entry := range entries {
		if !entry.IsDir() && strings.HasSuffix(entry.Name(), ".go") {
			paths = append(paths, filepath.Join(dir, entry.Name()))
		}
	}
	return paths
}

// hasExample reports whether go test runs one of the examples in tests, which it does if the example has an output.
func hasExample(tests []*ast.File) bool {
	return slices.ContainsFunc(doc.Examples(tests...), func(e *doc.Example) bool { return e.Output != "" })
}

func TestHasExample(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		source string
		want   bool
	}{
		"with output":       {"func Example() {\n\tprintln()\n\t// Output: a\n}", true},
		"without output":    {"func Example() {\n\tprintln()\n}", false},
		"with empty output": {"func Example() {\n\tprintln()\n\t// Output:\n}", false},
		"in any order":      {"func ExampleA() {\n\tprintln()\n\t// Unordered output: a\n}", true},
		"a test":            {"func TestExample(t *testing.T) {\n\tprintln()\n\t// Output: a\n}", false},
		"another function":  {"func Examples() {\n\tprintln()\n\t// Output: a\n}", false},
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "a_test.go", "package a\n"+tt.source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if got := hasExample([]*ast.File{file}); got != tt.want {
			t.Errorf("%s: hasExample is %t", name, got)
		}
	}
}

func TestExampleFindings(t *testing.T) {
	t.Parallel()
	want := []string{
		"b has no runnable example: show its main use in a function Example with a comment // Output: in " +
			"example_test.go",
		"d has a runnable example: remove it from withoutExamples",
		"e is not a package: remove it from withoutExamples",
	}
	got := exampleFindings(map[string]bool{"a": true, "b": false, "c": false, "d": true},
		map[string]string{"c": "a reason", "d": "a reason", "e": "a reason"})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("exampleFindings (-want +got):\n%s", diff)
	}
}
