package examples_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/golden"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// shown are the examples in pages: a file, or the programs of a directory in all languages.
var shown = map[string][]string{
	"docs/aks.md":               {"aks-quickstart"},
	"docs/existing-clusters.md": {"aks-existing-cluster"},
	"docs/identity.md":          {"gmsa"},
	"docs/logs.md":              {"log-monitor"},
	"docs/machines.md":          {"kubeadm-quickstart"},
	"docs/manifests.md":         {"adopt-helm-chart"},
	"docs/metrics.md":           {"windows-exporter"},
	"docs/runtimes.md":          {"node-problem-detector"},
	"docs/testing.md": {
		"iis/main_test.go", "tested-shop/main.go", "tested-shop/sdk_test.go", "tested-shop/main_test.go",
		"tested-shop/automation_test.go",
	},
	"docs/workloads.md": {"iis"},
}

// highlighted are the names of the languages in pages, by the extensions of files.
var highlighted = map[string]string{".go": "go", ".ts": "typescript", ".py": "python", ".yaml": "yaml"}

// tabs are the languages of a program, in the order of their tabs, with their files.
var tabs = []struct{ language, file string }{
	{"Go", "main.go"},
	{"TypeScript", "typescript/" + mainFiles["typescript"]},
	{"Python", "python/" + mainFiles["python"]},
	{"YAML", "yaml/" + mainFiles["yaml"]},
}

// beginTabs and endTabs are invisible on GitHub. The site of the documentation makes tabs of the text between them.
const beginTabs, endTabs = "<!-- tabs -->\n", "<!-- /tabs -->\n"

// TestGeneratedPages writes programs into the pages with -update, each below a comment that names it.
func TestGeneratedPages(t *testing.T) {
	t.Parallel()
	for page, examples := range shown {
		text := read(t, "../"+page)
		for _, example := range examples {
			comment := "<!-- Written by `make generate`: edit examples/" + example + " instead. -->\n"
			begin, end := "```"+highlighted[filepath.Ext(example)]+"\n", "```\n"
			if filepath.Ext(example) == "" {
				begin, end = beginTabs, endTabs
			}
			before, rest, begins := strings.Cut(text, comment+begin)
			_, after, ends := strings.Cut(rest, end)
			if !begins || !ends {
				t.Fatalf("%s has no place for examples/%s", page, example)
			}
			text = before + comment + code(t, example) + after
		}
		golden.Equal(t, "../"+page, text)
		if got, want := strings.Count(text, beginTabs), strings.Count(text, "instead. -->\n"+beginTabs); got != want {
			t.Errorf("%s has %d tabs, and %d of them come from examples", page, got, want)
		}
	}
}

// code returns an example as in a page: the block of a file, or a tab for each language of a directory.
func code(t *testing.T, example string) string {
	t.Helper()
	if extension := filepath.Ext(example); extension != "" {
		return "```" + highlighted[extension] + "\n" + read(t, example) + "```\n"
	}
	var blocks []string
	for _, tab := range tabs {
		blocks = append(blocks, "**"+tab.language+"**\n\n"+code(t, example+"/"+tab.file))
	}
	return beginTabs + "\n" + strings.Join(blocks, "\n") + "\n" + endTabs
}

// A page that shows an example in tabs must be in shown. Otherwise the page would have a manual copy.
func TestNoPageShowsACopyOfAnExample(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	generated := slices.Collect(maps.Keys(shown))
	for _, page := range append(pages, "../README.md") {
		name := strings.TrimPrefix(filepath.ToSlash(page), "../")
		text := read(t, page)
		for _, mark := range []string{beginTabs, "edit examples/", "\nfunc main() { pulumi.Run(program) }\n"} {
			if strings.Contains(text, mark) && !slices.Contains(generated, name) {
				t.Errorf("%s has %q, and is not in shown", name, mark)
			}
		}
	}
}

// The README must be short: everything else is on a page of docs.
func TestTheREADMEIsShort(t *testing.T) {
	t.Parallel()
	const limit = 150
	if got := strings.Count(read(t, "../README.md"), "\n"); got > limit {
		t.Errorf("README.md has %d lines, and at most %d are allowed: move the rest to docs", got, limit)
	}
}

// The lines of Go that pages add to a program must be lines of an example.
func TestPagesShowHowAnExampleIsGuarded(t *testing.T) {
	t.Parallel()
	program := read(t, "tested-shop/main.go")
	for _, page := range []string{"README.md", "docs/guard.md"} {
		_, rest, begins := strings.Cut(read(t, "../"+page), "```diff\n")
		difference, _, ends := strings.Cut(rest, "```\n")
		if !begins || !ends {
			t.Fatalf("%s shows no difference", page)
		}
		added := 0
		for line := range strings.Lines(difference) {
			line, ok := strings.CutPrefix(line, "+")
			if !ok {
				continue
			}
			added++
			if !strings.Contains(program, "\n"+line) {
				t.Errorf("%s: examples/tested-shop/main.go has no line %q", page, line)
			}
		}
		if added != 4 {
			t.Errorf("%s adds %d lines, want 4", page, added)
		}
	}
}

// The page of the workloads lists each example, and that of the lab each workload of the stacks.
func TestThePagesListTheExamples(t *testing.T) {
	t.Parallel()
	page := read(t, "../docs/workloads.md")
	for _, name := range projects(t) {
		if !strings.Contains(page, "| ["+name+"](../examples/"+name+") |") {
			t.Errorf("docs/workloads.md does not list examples/%s", name)
		}
	}
	lab := read(t, "../docs/lab.md")
	for _, w := range stackconfig.Workloads() {
		if !strings.Contains(lab, "| `"+string(w)+"` |") {
			t.Errorf("docs/lab.md does not name the workload %s of the stacks", w)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
