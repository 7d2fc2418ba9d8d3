package site

import (
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// document has the parts of a built page that the check of the links reads.
type document struct {
	ids map[string]bool
	// links are the targets of links, and loaded the addresses that the browser fetches for the page.
	links, loaded []string
}

// Check returns the problems of the links in a built site: links to pages, anchors or files of the repository that do
// not exist, and addresses that a page fetches from another host. It sends no requests.
func (s Site) Check(built, repository fs.FS) ([]string, error) {
	documents := map[string]document{}
	var wrong []string
	external := func(name string, loaded []string) {
		for _, address := range loaded {
			if u, err := url.Parse(address); err == nil && u.Host != "" {
				wrong = append(wrong, fmt.Sprintf("%s: %s: the page fetches it from another host: put it into the "+
					"repository", name, address))
			}
		}
	}
	err := fs.WalkDir(built, ".", func(name string, _ fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case path.Ext(name) == ".html":
			documents[name], err = read(built, name)
		case path.Ext(name) == ".css":
			var styles []byte
			styles, err = fs.ReadFile(built, name)
			external(name, loadedByStyles(string(styles)))
		}
		return err
	})
	for name, d := range documents {
		external(name, d.loaded)
		for _, address := range append(d.links, d.loaded...) {
			if problem := s.problem(name, address, built, repository, documents); problem != "" {
				wrong = append(wrong, fmt.Sprintf("%s: %s: %s", name, address, problem))
			}
		}
	}
	slices.Sort(wrong)
	return slices.Compact(wrong), err
}

// fetched matches an address that a style sheet loads: a font, a picture or another style sheet.
var fetched = regexp.MustCompile(`(?:url\(\s*|@import\s+)["']?([^"')\s]+)`)

// loadedByStyles returns the addresses that a style sheet loads.
func loadedByStyles(styles string) []string {
	var loaded []string
	for _, m := range fetched.FindAllStringSubmatch(styles, -1) {
		loaded = append(loaded, m[1])
	}
	return loaded
}

// problem returns the problem of a link, or "" if its target exists.
func (s Site) problem(page, address string, built, repository fs.FS, documents map[string]document) string {
	u, err := url.Parse(address)
	if err != nil {
		return "it is not a valid address"
	}
	if u.Host != "" || u.Scheme != "" {
		// The files of the repository are at blob/main/FILE, or tree, or edit.
		below, inRepository := strings.CutPrefix("https://"+u.Host+u.Path, Repository+"/")
		parts := strings.SplitN(below, "/", 3)
		if !inRepository || len(parts) < 3 || parts[1] != "main" {
			return ""
		}
		if _, err := fs.Stat(repository, strings.TrimSuffix(parts[2], "/")); err != nil {
			return "the repository has no such file"
		}
		return ""
	}
	file := page
	if u.Path != "" {
		below, ok := strings.CutPrefix(u.Path, s.Base)
		if !ok {
			return "it is not below " + s.Base
		}
		if file = below; file == "" || strings.HasSuffix(file, "/") {
			file += "index.html"
		}
		if info, err := fs.Stat(built, file); err != nil || info.IsDir() {
			return "the site has no such page"
		}
	}
	if d, ok := documents[file]; ok && u.Fragment != "" && !d.ids[u.Fragment] {
		return "the page has no such anchor"
	}
	return ""
}

// read reads a page.
func read(built fs.FS, name string) (document, error) {
	d := document{ids: map[string]bool{}}
	file, err := built.Open(name)
	if err != nil {
		return d, err
	}
	defer func() { _ = file.Close() }()
	root, err := html.Parse(file)
	if err != nil {
		return d, err
	}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			switch {
			case a.Key == "id", a.Key == "name" && n.Data == "a":
				d.ids[a.Val] = true
			case a.Key == "href" && n.Data == "a":
				d.links = append(d.links, a.Val)
			case a.Key == "href" && n.Data == "link", a.Key == "src", a.Key == "srcset":
				d.loaded = append(d.loaded, a.Val)
			}
		}
	}
	return d, nil
}
