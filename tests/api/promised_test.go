package api

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/tests/internal/markdown"
)

const (
	root   = "../.."
	module = "github.com/mixedkube/mixedkube"
	// stability is the page whose table has the promised packages.
	stability = "docs/stability.md"
)

// row matches a line of that table: the directory, the target of its link and why programs import the package.
var row = regexp.MustCompile(`(?m)^\| \[([a-z0-9/]+)\]\(\.\./([a-z0-9/]+)\) \| ([^|]+) \|$`)

// promised returns the directories of the packages that docs/stability.md promises, in the order of the page.
func promised(t *testing.T) []string {
	t.Helper()
	var dirs []string
	for _, m := range row.FindAllStringSubmatch(read(t, stability), -1) {
		dirs = append(dirs, m[1])
	}
	return dirs
}

// read returns a file of the repository.
func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

func TestThePageListsPackagesOnce(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, m := range row.FindAllStringSubmatch(read(t, stability), -1) {
		dir := m[1]
		if seen[dir] || dir != m[2] || strings.TrimSpace(m[3]) == "" {
			t.Errorf("%s: the row of %s is there twice, or links to another directory", stability, dir)
		}
		seen[dir] = true
		if slices.Contains(strings.Split(dir, "/"), "internal") {
			t.Errorf("%s promises %s, which no other module can import", stability, dir)
		}
		if sources, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.go")); len(sources) == 0 {
			t.Errorf("%s promises %s, which is not a package: %v", stability, dir, err)
		}
	}
	if len(seen) < 10 {
		t.Errorf("%s promises only %d packages", stability, len(seen))
	}
}

// imports matches an import of this module in a block of Go.
var imports = regexp.MustCompile(`(?m)^\s*(?:import )?(?:\w+ )?"` + regexp.QuoteMeta(module) + `/([^"]+)"$`)

// Readers copy these programs. TestExamplesImportPromisedPackages holds the same for the examples.
func TestProgramsInPagesImportPromisedPackages(t *testing.T) {
	t.Parallel()
	pages, err := fs.Glob(os.DirFS(root), "docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	dirs := promised(t)
	found := 0
	for _, page := range append(pages, "README.md") {
		for _, dir := range importedBy(read(t, page)) {
			found++
			if !slices.Contains(dirs, dir) {
				t.Errorf("%s imports %s, which %s does not promise", page, dir, stability)
			}
		}
	}
	if found < 20 {
		t.Errorf("the pages import only %d packages", found)
	}
}

// importedBy returns the packages of this module that the blocks of Go in a page import.
func importedBy(page string) []string {
	found := map[string]bool{}
	for _, block := range markdown.Blocks(page) {
		if block.Language != "go" {
			continue
		}
		for _, m := range imports.FindAllStringSubmatch(block.Code(), -1) {
			found[path.Clean(m[1])] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func TestImportedBy(t *testing.T) {
	t.Parallel()
	const page = "Import `" + module + "/internal/a`:\n\n```go\nimport (\n\t\"fmt\"\n\n\t\"" + module +
		"/components/b\"\n\tother \"" + module + "/components/c\"\n)\n\nimport \"" + module +
		"/components/d\"\n```\n\n```text\nimport \"" + module + "/internal/e\"\n```\n"
	want := []string{"components/b", "components/c", "components/d"}
	if diff := cmp.Diff(want, importedBy(page)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
