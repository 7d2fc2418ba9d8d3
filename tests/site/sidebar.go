package site

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// item is an item of VitePress' sidebar: a link, a group, or both.
type item struct {
	Text string `json:"text,omitempty"`
	Link string `json:"link,omitempty"`
	// Collapsed is nil if visitors cannot fold the group.
	Collapsed *bool  `json:"collapsed,omitempty"`
	Items     []item `json:"items,omitempty"`
}

// start is the start page of the site, and index the page from which the sidebar is generated.
const (
	start = "README.md"
	index = "docs/README.md"
)

// sidebar has the state while the sidebar is generated.
type sidebar struct {
	content

	listed map[string]bool
}

// sidebar returns the start page and the index, then a group for each heading of the index, for each other directory of
// docs, for the pages next to the code, and for the other pages in the root.
func (c content) sidebar() ([]item, error) {
	s := sidebar{content: c, listed: map[string]bool{}}
	for _, source := range []string{start, index} {
		if _, ok := c.pages[source]; !ok {
			return nil, fmt.Errorf("%s: no such page: the site needs it", source)
		}
	}
	groups := []item{{Items: []item{s.item(start, "Overview"), s.item(index, "")}}}
	for _, section := range sections(c.pages[index]) {
		group := item{Text: section.title, Collapsed: new(false)}
		for _, link := range section.links {
			if _, ok := c.pages[link.target]; ok && !s.listed[link.target] {
				group.Items = append(group.Items, s.item(link.target, link.text))
			}
		}
		if len(group.Items) > 0 {
			groups = append(groups, group)
		}
	}
	var missing []error
	code := item{Text: "Next to the code", Collapsed: new(false)}
	project := item{Text: "Project", Collapsed: new(false)}
	for _, source := range c.sources() {
		switch dir := path.Dir(source); {
		case s.listed[source]:
		case dir == ".":
			project.Items = append(project.Items, s.item(source, ""))
		case dir == "docs":
			missing = append(missing, fmt.Errorf("%s: no list in %s links to it: add it to one", source, index))
		case strings.HasPrefix(dir, "docs/"):
			groups = append(groups, s.dir(dir))
		default:
			code.Items = append(code.Items, s.item(source, ""))
		}
	}
	for _, group := range []item{code, project} {
		if len(group.Items) > 0 {
			groups = append(groups, group)
		}
	}
	return groups, errors.Join(missing...)
}

// item returns the item of a page. The item of a directory's README has the directory's other pages below it.
func (s sidebar) item(source, text string) item {
	s.listed[source] = true
	p := s.pages[source]
	if text == "" {
		text = p.title
	}
	made := item{Text: text, Link: "/" + strings.TrimSuffix(p.file, ".md")}
	dir, name := path.Split(source)
	if name == "README.md" {
		made.Link = "/" + dir
	}
	if dir = path.Clean(dir); name == "README.md" && strings.HasPrefix(dir, "docs/") {
		if made.Items = s.below(dir); len(made.Items) > 0 {
			made.Collapsed = new(true)
		}
	}
	return made
}

// below returns the pages of a directory that are not listed yet: in the order of its README, then by name.
func (s sidebar) below(dir string) []item {
	var sources []string
	for _, section := range sections(s.pages[path.Join(dir, "README.md")]) {
		for _, link := range section.links {
			sources = append(sources, link.target)
		}
	}
	var items []item
	for _, source := range append(sources, s.sources()...) {
		if _, ok := s.pages[source]; ok && path.Dir(source) == dir && !s.listed[source] {
			items = append(items, s.item(source, ""))
		}
	}
	return items
}

// dir returns the group of a directory to which the index does not link.
func (s sidebar) dir(dir string) item {
	if readme := path.Join(dir, "README.md"); s.pages[readme].source != "" {
		return s.item(readme, "")
	}
	name := strings.ReplaceAll(path.Base(dir), "-", " ")
	return item{Text: strings.ToUpper(name[:1]) + name[1:], Collapsed: new(true), Items: s.below(dir)}
}

// section is a heading of the second level with the first link of each item and row below it. The section before
// the first heading has no title.
type section struct {
	title string
	links []link
}

// link leads to a file of the repository.
type link struct{ text, target string }

// listing matches an item of a list or a row of a table, up to its first link.
var listing = regexp.MustCompile(`^\s*(?:[-*|]|\d+\.).*?\[([^\]]+)\]\(([^)#:\s]+)`)

func sections(p page) []section {
	all := []section{{}}
	for line := range prose(p.text) {
		last := &all[len(all)-1]
		if title, ok := strings.CutPrefix(line, "## "); ok {
			all = append(all, section{title: plain(title)})
		} else if m := listing.FindStringSubmatch(line); m != nil {
			last.links = append(last.links, link{plain(m[1]), path.Join(path.Dir(p.source), m[2])})
		}
	}
	return all
}
