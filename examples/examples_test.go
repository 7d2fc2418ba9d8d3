// Package examples_test holds what is true of every example, and the pages of docs to those that
// they show.
package examples_test

import (
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// Whoever reads an example sees all of it at once.
const (
	screen           = 50
	productionScreen = 80
)

// production are the examples with all that a cluster for production needs: they make it,
// and what runs in it.
var production = []string{"aks-production", "kubeadm-quickstart"}

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
					"Pulumi.yaml says %+v: the name is the folder's, the runtime is go, and a description is needed",
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

// projects are the names of the examples that are Pulumi programs.
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
		t.Fatalf("the projects are %v, and there are %d programs without one", names, missing)
	}
	return names
}

// lines are those of an example's program, in all of its files.
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
		if says := regexp.MustCompile(`Guarded: +true`).Match(code); says != enforces {
			t.Errorf("%s/mocks_test.go says that the example enforces package guard: %t, want %t", name, says, enforces)
		}
	}
}

// Users copy an example and its test, except for the helpers in this folder.
func TestExamplesImportWhatAUserCanImport(t *testing.T) {
	t.Parallel()
	const module = "github.com/mixedkube/mixedkube/"
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
				path, ours := strings.CutPrefix(strings.Trim(imported.Path.Value, `"`), module)
				helper := path == "examples/internal/exampletest" && strings.HasSuffix(file, "_test.go") &&
					!slices.Contains(slices.Concat(slices.Collect(maps.Values(shown))...), file)
				public := strings.HasPrefix(path, "components/") && !strings.Contains(path, "/internal/")
				if ours && !helper && !public {
					t.Errorf("%s imports %s, which no user can import", file, path)
				}
			}
		}
	}
}
