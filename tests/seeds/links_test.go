package seeds

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/rulepages"
)

// notInAnchors are what the anchors of headings leave out.
var notInAnchors = regexp.MustCompile("[^a-z0-9 _-]")

// ruleLink is the link from docs to a rule.
func ruleLink(id string) string { return "rules/" + rulepages.Link(id) }

// ruleLinks are links whose text begins with a rule.
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
			if want := ruleLink(m[1]); m[2] != want {
				t.Errorf("%s: the link of %s is %s, want %s", filepath.Base(page), m[1], m[2], want)
			}
		}
	}
	if links < 100 {
		t.Errorf("the pages have only %d links to rules", links)
	}
}

// links are those of a page to other files, with or without an anchor.
var links = regexp.MustCompile(`\]\(([^)#:\s]*)(#[^)\s]*)?\)`)

// codeBlocks hold calls of generic functions, which look like links.
var codeBlocks = regexp.MustCompile("(?ms)^```.*?^```$")

// folders of pages, and how many links they have at least.
var folders = map[string]int{
	"": 40, "docs": 200, "docs/decisions": 30, "internal/azuresim": 10,
}

// TestLinksLeadToFiles follows the links of all pages to files and headings of the
// repository.
func TestLinksLeadToFiles(t *testing.T) {
	t.Parallel()
	for folder, least := range folders {
		pages, err := filepath.Glob(filepath.Join(root, folder, "*.md"))
		if err != nil {
			t.Fatal(err)
		}
		followed := 0
		for _, page := range pages {
			followed += follow(t, page)
		}
		if followed < least {
			t.Errorf("only %d links of %d pages in %q were followed", followed, len(pages), folder)
		}
	}
}

// follow follows the links of a page, and says how many lead somewhere.
func follow(t *testing.T, page string) (followed int) {
	t.Helper()
	for _, m := range links.FindAllStringSubmatch(codeBlocks.ReplaceAllString(read(t, page), ""), -1) {
		file := page
		if m[1] != "" {
			file = filepath.Join(filepath.Dir(page), m[1])
		}
		if _, err := os.Stat(file); err != nil {
			t.Errorf("%s: %s leads to nothing", page, m[0])
			continue
		}
		followed++
		if m[2] != "" && !slices.Contains(anchorsOf(read(t, file)), m[2][1:]) {
			t.Errorf("%s: %s has no such heading", page, m[0])
		}
	}
	return followed
}

// anchorsOf are those of the headings of a page, and those that it has beside them.
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
