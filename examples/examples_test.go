// Package examples_test holds what is true of every example, and the README to
// those that it shows.
package examples_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

func TestTheREADMEShowsTheExamplesAsTheyAre(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{
		"iis/main.go", "iis/main_test.go", "aks-quickstart/main.go",
		"kubeadm-quickstart/main.go",
	} {
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(readme), "```go\n"+string(code)+"```\n") {
			t.Errorf("README.md does not show %s as it is", file)
		}
	}
}

func TestEveryExampleIsAShortProject(t *testing.T) {
	t.Parallel()
	const maxLines = 50
	projects, err := filepath.Glob("*/Pulumi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	programs, err := filepath.Glob("*/main.go")
	if err != nil {
		t.Fatal(err)
	}
	if len(projects) < 2 || len(projects) != len(programs) {
		t.Fatalf("projects are %v, programs are %v: each example needs both", projects, programs)
	}
	for _, file := range projects {
		dir := filepath.Dir(file)
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var project struct{ Name, Runtime, Description string }
			if err := yaml.Unmarshal(text, &project); err != nil {
				t.Fatal(err)
			}
			if project.Name != dir || project.Runtime != "go" || project.Description == "" {
				t.Errorf(
					"Pulumi.yaml says %+v: the name is the folder's, the runtime is go, and a description is needed",
					project,
				)
			}
			program, err := os.ReadFile(filepath.Join(dir, "main.go"))
			if err != nil {
				t.Fatal(err)
			}
			if lines := strings.Count(string(program), "\n"); lines > maxLines {
				t.Errorf("main.go has %d lines, more than %d", lines, maxLines)
			}
		})
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
