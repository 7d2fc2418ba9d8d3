package seeds

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// links matches the links of a page to other files, with or without an anchor, and sources its pictures.
var (
	links   = regexp.MustCompile(`\]\(([^)#:\s]*)(#[^)\s]*)?\)`)
	sources = regexp.MustCompile(`<(?:img|source)[^>]* (?:src|srcset)="([^":]+)()"`)
)

// codeBlocks matches blocks of code, in which calls of generic functions look like links.
var codeBlocks = regexp.MustCompile("(?ms)^ *```.*?^ *```$")

// TestLinksLeadToFiles follows the links of all pages of the repository to its files and headings.
func TestLinksLeadToFiles(t *testing.T) {
	t.Parallel()
	followed := 0
	for _, page := range files(t, ".md") {
		if filepath.Base(page) == "introduction.md" {
			continue // a part of a generated page
		}
		text := codeBlocks.ReplaceAllString(read(t, root, page), "")
		found := append(links.FindAllStringSubmatch(text, -1), sources.FindAllStringSubmatch(text, -1)...)
		for _, m := range found {
			file := filepath.Join(root, page)
			if m[1] != "" {
				file = filepath.Join(filepath.Dir(file), m[1])
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: the target of %s does not exist", page, m[0])
				continue
			}
			followed++
			if m[2] != "" && !slices.Contains(anchorsOf(read(t, file)), m[2][1:]) {
				t.Errorf("%s: %s has no such heading", page, m[0])
			}
		}
	}
	if followed < 1000 {
		t.Errorf("only %d links were followed", followed)
	}
}

// named matches pages that other files name in comments, messages and scripts. Pages of other projects have
// a path before them.
var named = regexp.MustCompile(`(?:^|[^\w./-]|\.\./|(?:%s|mixedkube)/blob/main/)docs/([\w/-]+\.md)(#[a-z0-9-]+)?`)

// TestNamedPagesExist looks for the pages of docs that all files of the repository name.
func TestNamedPagesExist(t *testing.T) {
	t.Parallel()
	found := 0
	for _, file := range files(t, ".go", ".yaml", ".yml", ".sh", ".ts", ".py", ".golden", ".md", "Makefile", ".txt") {
		for line := range strings.Lines(read(t, root, file)) {
			if !strings.Contains(line, "docs/") {
				continue
			}
			for _, m := range named.FindAllStringSubmatch(line, -1) {
				found++
				page := filepath.Join(root, "docs", filepath.FromSlash(m[1]))
				if _, err := os.Stat(page); err != nil {
					t.Errorf("%s names docs/%s, which does not exist", file, m[1])
				} else if m[2] != "" && !slices.Contains(anchorsOf(read(t, page)), m[2][1:]) {
					t.Errorf("%s names docs/%s%s, but the page has no such heading", file, m[1], m[2])
				}
			}
		}
	}
	if found < 60 {
		t.Errorf("only %d pages are named", found)
	}
}

// The index leads to every page.
func TestTheIndexHasEveryPage(t *testing.T) {
	t.Parallel()
	index := read(t, root, "docs", "README.md")
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(pages) < 30 {
		t.Fatalf("there are %d pages: %v", len(pages), err)
	}
	for _, page := range pages {
		if name := filepath.Base(page); name != "README.md" && !strings.Contains(index, "]("+name+")") {
			t.Errorf("docs/README.md does not lead to %s", name)
		}
	}
}

// files returns the files of the repository with one of the endings, except built and installed files.
func files(t *testing.T, endings ...string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			// The tests of the site have pages of their own, with dead links.
			if path == filepath.Join(root, "tests", "site") {
				return fs.SkipDir
			}
			if slices.Contains([]string{"node_modules", "dist", "sdk", "bin", ".git", ".lab"}, name) {
				return fs.SkipDir
			}
			return nil
		}
		if !slices.ContainsFunc(endings, func(ending string) bool { return strings.HasSuffix(name, ending) }) {
			return nil
		}
		inside, err := filepath.Rel(root, path)
		found = append(found, filepath.ToSlash(inside))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// anchorsOf returns the anchors of the headings of a page, and its other anchors.
func anchorsOf(page string) []string {
	var anchors []string
	for line := range strings.Lines(page) {
		if id, ok := strings.CutPrefix(line, `<a id="`); ok {
			id, _, _ = strings.Cut(id, `"`)
			anchors = append(anchors, id)
		}
		if _, title, ok := strings.Cut(strings.TrimSpace(line), "# "); ok && strings.HasPrefix(line, "#") {
			anchors = append(anchors,
				strings.ReplaceAll(notInAnchors.ReplaceAllString(strings.ToLower(title), ""), " ", "-"))
		}
	}
	return anchors
}
