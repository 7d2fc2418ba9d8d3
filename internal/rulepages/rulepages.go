// Package rulepages says which page of docs/rules explains a rule, and where on it.
//
// The pages are written by the tests in tests/rulepages. Each rule is on one page, at an anchor that is
// made of its ID, so that a link to it stays the same when the title of the rule changes.
package rulepages

import "strings"

// Folder is where the pages are, from the root of the repository.
const Folder = "docs/rules"

// Index is the file of the page that lists all rules.
const Index = "README.md"

// Page is a page of rules about one subject.
type Page struct {
	// Name is that of the file, without its ending.
	Name string
	// Title and About begin the page. About is Markdown.
	Title, About string
	// rules are IDs and ranges of IDs, with spaces between them.
	rules string
}

// File is that of the page, in [Folder].
func (p Page) File() string { return p.Name + ".md" }

// Has says whether the page explains the rule of an ID.
func (p Page) Has(id string) bool {
	for some := range strings.FieldsSeq(p.rules) {
		first, last, isRange := strings.Cut(some, "-")
		if id == first || isRange && len(id) == len(first) && first <= id && id <= last {
			return true
		}
	}
	return false
}

// Of returns the page that explains the rule of an ID, false if there is no such page.
func Of(id string) (Page, bool) {
	for _, p := range pages {
		if p.Has(id) {
			return p, true
		}
	}
	return Page{}, false
}

// Anchor is where a page explains the rule of an ID.
func Anchor(id string) string { return strings.ToLower(id) }

// Link leads to the rule of an ID, from a page in [Folder]. If no page explains it, the link leads to the list
// of all rules.
func Link(id string) string {
	if p, ok := Of(id); ok {
		return p.File() + "#" + Anchor(id)
	}
	return Index
}
