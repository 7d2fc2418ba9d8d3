package examples_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// runtimes are Pulumi's names of the languages other than Go, by the directories of their programs.
var runtimes = map[string]string{"typescript": "nodejs", "python": "python", "yaml": "yaml"}

// mainFiles are the files of the programs.
var mainFiles = map[string]string{
	"typescript": "index.ts", "python": "__main__.py", "yaml": "Pulumi.yaml",
}

// TestExamplesInOtherLanguages checks that the programs in all languages belong to one project, so that a stack can use
// any of them. The tests in tests/sdks check the programs.
func TestExamplesInOtherLanguages(t *testing.T) {
	t.Parallel()
	found := map[string]int{}
	for _, name := range projects(t) {
		want := project(t, filepath.Join(name, "Pulumi.yaml"))
		for dir, runtime := range runtimes {
			file := filepath.Join(name, dir, "Pulumi.yaml")
			if _, err := os.Stat(filepath.Join(name, dir)); err != nil {
				continue
			}
			found[name]++
			got := project(t, file)
			if got.Name != want.Name || got.Description != want.Description {
				t.Errorf("%s says %+v, want the name and the description of %s/Pulumi.yaml: %+v", file, got, name, want)
			}
			if got.runtime() != runtime {
				t.Errorf("%s has the runtime %q, want %q", file, got.runtime(), runtime)
			}
			code, err := os.ReadFile(filepath.Join(name, dir, mainFiles[dir]))
			if err != nil {
				t.Fatal(err)
			}
			if lines := strings.Count(string(code), "\n"); lines > productionScreen {
				t.Errorf("the program in %s/%s has %d lines, more than %d", name, dir, lines, productionScreen)
			}
		}
	}
	for name, languages := range found {
		if languages != len(runtimes) {
			t.Errorf("examples/%s is in %d other languages, want all %d", name, languages, len(runtimes))
		}
	}
	if len(found) < 4 {
		t.Errorf("%d examples are in other languages, want at least 4", len(found))
	}
}

// described has the fields of a project that are compared.
type described struct {
	Name, Description string
	Runtime           any
}

// runtime returns the name of the language, with or without options.
func (d described) runtime() string {
	if options, ok := d.Runtime.(map[string]any); ok {
		d.Runtime = options["name"]
	}
	name, _ := d.Runtime.(string)
	return name
}

func project(t *testing.T, file string) described {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var d described
	if err := yaml.Unmarshal(text, &d); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return d
}
