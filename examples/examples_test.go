// Package examples_test tests that all examples follow the same rules, and that the pages of docs show them
// unchanged.
package examples_test

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// The limits of the number of lines: readers see the whole example at once.
const (
	screen           = 50
	productionScreen = 80
)

// production are the examples of clusters for production: they create the cluster and its workloads.
var production = []string{"aks-production", "aks-registry", "kubeadm-quickstart"}

func TestEveryExampleIsAShortProject(t *testing.T) {
	t.Parallel()
	for _, name := range projects(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join(name, "Pulumi.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			var project struct{ Name, Runtime, Description string }
			if err := yaml.Unmarshal(text, &project); err != nil {
				t.Fatal(err)
			}
			if project.Name != name || project.Runtime != "go" || project.Description == "" {
				t.Errorf(
					"Pulumi.yaml has %+v: want the name of the directory, the runtime go, and a description",
					project,
				)
			}
			limit := screen
			if slices.Contains(production, name) {
				limit = productionScreen
			}
			if lines := lines(t, name); lines > limit {
				t.Errorf("the program has %d lines, more than the %d of a screen", lines, limit)
			}
		})
	}
}

// projects returns the names of the examples that are Pulumi programs.
func projects(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*/Pulumi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		names = append(names, filepath.Dir(file))
	}
	programs, err := filepath.Glob("*/main.go")
	if err != nil {
		t.Fatal(err)
	}
	if missing := len(programs) - len(names); len(names) < 20 || missing != 0 {
		t.Fatalf("the projects are %v, and %d programs do not have one", names, missing)
	}
	return names
}

// lines returns the number of lines of an example's program, in all of its files.
func lines(t *testing.T, example string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(example, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sum += strings.Count(string(code), "\n")
	}
	return sum
}

// Each example has a test of exampletest.Mocked.
func TestEveryExampleRunsUnderTheMocksOfTheSDK(t *testing.T) {
	t.Parallel()
	for _, name := range projects(t) {
		code, err := os.ReadFile(filepath.Join(name, "mocks_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{"\nfunc TestUnderTheMocksOfTheSDK(t *", "exampletest.Mocked{", ".Run(t)\n"} {
			if !strings.Contains(string(code), part) {
				t.Errorf("%s/mocks_test.go has no %q", name, part)
			}
		}
		program, err := os.ReadFile(filepath.Join(name, "main.go"))
		if err != nil {
			t.Fatal(err)
		}
		enforces := strings.Contains(string(program), "guard.Enforce(")
		if guarded := regexp.MustCompile(`Guarded: +true`).Match(code); guarded != enforces {
			t.Errorf("%s/mocks_test.go has Guarded: %t, want %t, as the program does", name, guarded, enforces)
		}
	}
}

// promised matches a row of the table with the packages that docs/stability.md promises.
var promised = regexp.MustCompile(`(?m)^\| \[([a-z/]+)\]\(\.\./[a-z/]+\) \|`)

// Users copy an example and its test, except for the helpers in this directory.
func TestExamplesImportPromisedPackages(t *testing.T) {
	t.Parallel()
	const module = "github.com/mixedkube/mixedkube/"
	var docs strings.Builder
	for _, page := range pages(t) {
		docs.WriteString(read(t, page))
	}
	public := map[string]bool{}
	for _, m := range promised.FindAllStringSubmatch(read(t, "../docs/stability.md"), -1) {
		public[m[1]] = true
	}
	for _, name := range projects(t) {
		files, err := filepath.Glob(filepath.Join(name, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			code, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, imported := range code.Imports {
				path, own := strings.CutPrefix(strings.Trim(imported.Path.Value, `"`), module)
				helper := path == "examples/internal/exampletest" && strings.HasSuffix(file, "_test.go") &&
					!strings.Contains(docs.String(), "edit examples/"+filepath.ToSlash(file)+" instead")
				if own && !helper && !public[path] {
					t.Errorf("%s imports %s, which docs/stability.md does not promise", file, path)
				}
			}
		}
	}
}
