// Package examples_test holds what is true of every example, and the README to
// those that it shows.
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

	"github.com/mixedkube/mixedkube/internal/golden"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// shown are the files that pages have as they are.
var shown = map[string][]string{
	"README.md": {"iis/main.go", "iis/main_test.go", "aks-quickstart/main.go", "kubeadm-quickstart/main.go"},
	"docs/testing.md": {
		"tested-shop/main.go", "tested-shop/sdk_test.go", "tested-shop/main_test.go", "tested-shop/automation_test.go",
	},
	"docs/languages.md": {"iis/typescript/index.ts", "iis/python/__main__.py", "iis/yaml/Pulumi.yaml"},
}

// highlighted are the names that pages have for the languages of files.
var highlighted = map[string]string{".go": "go", ".ts": "typescript", ".py": "python", ".yaml": "yaml"}

// TestGeneratedREADME writes them into the pages with -update, each below a comment that names it.
func TestGeneratedREADME(t *testing.T) {
	t.Parallel()
	for page, files := range shown {
		content, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(page)))
		if err != nil {
			t.Fatal(err)
		}
		text := string(content)
		for _, file := range files {
			code, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			begin, end := "<!-- Written by `make generate`: edit examples/"+file+" instead. -->\n```"+
				highlighted[filepath.Ext(file)]+"\n", "```\n"
			before, rest, begins := strings.Cut(text, begin)
			_, after, ends := strings.Cut(rest, end)
			if !begins || !ends {
				t.Fatalf("%s has no place for examples/%s", page, file)
			}
			text = before + begin + string(code) + end + after
		}
		golden.Equal(t, "../"+page, text)
	}
}

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

// The README lists each example, and the name that the stacks have for it.
func TestTheREADMEListsTheExamples(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	folders, err := filepath.Glob("*/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range folders {
		if name := filepath.Dir(file); !strings.Contains(string(readme), "(examples/"+name+")") &&
			!strings.Contains(string(readme), "(examples/"+name+"/main.go)") {
			t.Errorf("README.md has no link to examples/%s", name)
		}
	}
	for _, w := range stackconfig.Workloads() {
		if !strings.Contains(string(readme), "`"+string(w)+"`") {
			t.Errorf("README.md does not name the workload %s of the stacks", w)
		}
	}
	for _, link := range regexp.MustCompile(`\]\(([a-z][^):#]*)(#[^)]*)?\)`).FindAllStringSubmatch(string(readme), -1) {
		if _, err := os.Stat(filepath.Join("..", link[1])); err != nil {
			t.Errorf("README.md: %v", err)
		}
	}
}
