// Package rulepages knows which page of docs/rules explains a rule, and at which anchor.
//
// The tests in tests/rulepages write the pages, and the index of the rules on them. Each rule is on one page, at an
// anchor derived from its ID, so that links do not change when the title of the rule changes.
package rulepages

import (
	"slices"
	"strings"
)

// Dir is the directory of the pages, from the root of the repository.
const Dir = "docs/rules"

// Index is the file of the page that lists all rules.
const Index = "README.md"

// Page is a page of rules about one subject.
type Page struct {
	// Name is the name of the file, without its extension.
	Name string
	// Title and About begin the page. About is Markdown.
	Title, About string
}

// File returns the name of the page's file in [Directory].
func (p Page) File() string { return p.Name + ".md" }

// Of returns the page that explains the rule with an ID, false if there is no such page.
func Of(id string) (Page, bool) {
	for _, p := range pages {
		if slices.Contains(index[p.Name], id) {
			return p, true
		}
	}
	return Page{}, false
}

// Anchor returns the anchor of the rule with an ID on its page.
func Anchor(id string) string { return strings.ToLower(id) }

// Link returns a link to the rule with an ID, from a page in [Directory]. If no page explains it, the link leads to the
// list of all rules.
func Link(id string) string {
	if p, ok := Of(id); ok {
		return p.File() + "#" + Anchor(id)
	}
	return Index
}
