package seeds

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// notInAnchors are what the anchors of headings leave out.
var notInAnchors = regexp.MustCompile("[^a-z0-9 _-]")

// ruleLink is the link from docs to a rule: to its heading, where its catalogue has one for
// each rule.
func ruleLink(t *testing.T, id string) string {
	t.Helper()
	component := catalogueOf(t, id)
	link := "../components/" + component + "/RULES.md"
	heading, _, _ := strings.Cut(catalogue(t, component)[id], "\n")
	title, ok := strings.CutPrefix(heading, "### ")
	if !ok {
		return link
	}
	return link + "#" + strings.ReplaceAll(notInAnchors.ReplaceAllString(strings.ToLower(title), ""), " ", "-")
}

// ruleLinks are links whose text begins with a rule.
var ruleLinks = regexp.MustCompile(`\[(MK\d+)[^\]]*\]\(([^)]*RULES\.md[^)]*)\)`)

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
			if want := ruleLink(t, m[1]); m[2] != want {
				t.Errorf("%s: the link of %s is %s, want %s", filepath.Base(page), m[1], m[2], want)
			}
		}
	}
	if links < 100 {
		t.Errorf("the pages have only %d links to rules", links)
	}
}
