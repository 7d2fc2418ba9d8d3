package seeds

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/mixedkube/mixedkube/internal/rulepages"
)

// notInAnchors matches the characters that the anchors of headings leave out.
var notInAnchors = regexp.MustCompile("[^a-z0-9 _-]")

// ruleLink returns the link from docs to a rule.
func ruleLink(id string) string { return "rules/" + rulepages.Link(id) }

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
			if want := ruleLink(m[1]); m[2] != want {
				t.Errorf("%s: the link of %s is %s, want %s", filepath.Base(page), m[1], m[2], want)
			}
		}
	}
	if links < 100 {
		t.Errorf("the pages have only %d links to rules", links)
	}
}
