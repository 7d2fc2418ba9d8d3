package pages

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/tests/internal/markdown"
)

// links matches the links of a page to other files, with or without an anchor, and sources its pictures.
var (
	links   = regexp.MustCompile(`\]\(([^)#:\s]*)(#[^)\s]*)?\)`)
	sources = regexp.MustCompile(`<(?:img|source)[^>]* (?:src|srcset)="([^":]+)()"`)
)

// TestLinksLeadToFiles follows the links of all pages of the repository to its files and headings.
func TestLinksLeadToFiles(t *testing.T) {
	t.Parallel()
	followed := 0
	for _, page := range files(t, ".md") {
		if filepath.Base(page) == "introduction.md" {
			continue // a part of a generated page
		}
		text := markdown.Text(read(t, root, page)) // in code, calls of generic functions look like links
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
			if m[2] != "" && !hasAnchor(read(t, file), m[2][1:]) {
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
				} else if m[2] != "" && !hasAnchor(read(t, page), m[2][1:]) {
					t.Errorf("%s names docs/%s%s, but the page has no such heading", file, m[1], m[2])
				}
			}
		}
	}
	if found < 60 {
		t.Errorf("only %d pages are named", found)
	}
}

// ruleLinks matches links whose text begins with a rule.
var ruleLinks = regexp.MustCompile(`\[(MK\d+)[^\]]*\]\(([^)]*)\)`)

// TestLinksLeadToTheirRules follows the links of all pages.
func TestLinksLeadToTheirRules(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("there are %d pages: %v", len(pages), err)
	}
	links := 0
	for _, page := range pages {
		for _, m := range ruleLinks.FindAllStringSubmatch(read(t, page), -1) {
			links++
			if want := "rules/" + rulepages.Link(m[1]); m[2] != want {
				t.Errorf("%s: the link of %s is %s, want %s", filepath.Base(page), m[1], m[2], want)
			}
		}
	}
	if links < 100 {
		t.Errorf("the pages have only %d links to rules", links)
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

// hasAnchor reports whether a page has a heading or a mark with the anchor.
func hasAnchor(page, anchor string) bool {
	return slices.ContainsFunc(markdown.Headings(page), func(h markdown.Heading) bool { return h.Anchor == anchor })
}
