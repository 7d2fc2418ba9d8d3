package site

import (
	"bytes"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// page is a Markdown file that becomes a page of the site.
type page struct {
	// source is its path in the repository, and file the name for VitePress: index.md for README.md.
	source, file, title string
	// generated is true if a program writes the text, so that users must not edit it.
	generated bool
	text      []byte
}

// content has the sources of the site.
type content struct {
	// pages and pictures have the path in the repository as the key.
	pages    map[string]page
	pictures map[string][]byte
	// dirs are the directories to which a page links.
	dirs map[string]bool
}

// sources lists the pages in order.
func (c content) sources() []string { return slices.Sorted(maps.Keys(c.pages)) }

// gather reads the pages in the root and in docs, the pages to which they link, and their pictures.
func gather(root fs.FS) (content, error) {
	c := content{pages: map[string]page{}, pictures: map[string][]byte{}, dirs: map[string]bool{}}
	names, err := fs.Glob(root, "*.md")
	if err != nil {
		return c, err
	}
	err = fs.WalkDir(root, "docs", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".md" {
			names = append(names, name)
		}
		return err
	})
	for ; len(names) > 0 && err == nil; names = names[1:] {
		if _, read := c.pages[names[0]]; read {
			continue
		}
		var linked []string
		linked, err = c.read(root, names[0])
		names = append(names, linked...)
	}
	return c, err
}

// read adds a page and its pictures, and returns the pages that it links to.
func (c content) read(root fs.FS, name string) (linked []string, _ error) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return nil, err
	}
	p := page{source: name, file: name, text: text, generated: bytes.HasPrefix(text, []byte("<!-- Written by "))}
	if dir, base := path.Split(name); base == "README.md" {
		p.file = dir + "index.md"
	}
	for line := range prose(text) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			p.title = plain(title)
			break
		}
	}
	c.pages[name] = p
	for _, target := range targets(text) {
		file := path.Join(path.Dir(name), target)
		info, err := fs.Stat(root, file)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid):
			// The check of the links reports missing targets of links, and VitePress missing pictures.
		case err != nil:
			return nil, err
		case info.IsDir():
			c.dirs[file] = true
		case path.Ext(file) == ".md":
			linked = append(linked, file)
		case slices.Contains([]string{".gif", ".jpg", ".png", ".svg", ".webp"}, path.Ext(file)):
			if c.pictures[file], err = fs.ReadFile(root, file); err != nil {
				return nil, err
			}
		}
	}
	return linked, nil
}

// summary returns the first paragraph of a page.
func (p page) summary() string {
	var lines []string
	for line := range prose(p.text) {
		if line = plain(line); line != "" && !strings.ContainsAny(line[:1], "#<![|>") {
			lines = append(lines, line)
		} else if len(lines) > 0 {
			break
		}
	}
	return strings.Join(lines, " ")
}

// linking matches a link or a picture in Markdown or in HTML.
var linking = regexp.MustCompile(`(?:\]\(|^ {0,3}\[[^\]]+\]: |\b(?:href|src|srcset)=")([^)"#:\s]+)`)

// targets returns the files to which a page links.
func targets(text []byte) []string {
	var all []string
	for line := range prose(text) {
		for _, m := range linking.FindAllStringSubmatch(line, -1) {
			all = append(all, m[1])
		}
	}
	return all
}

// prose yields the lines of a page that are not in a block of code.
func prose(text []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		fence := ""
		for line := range strings.Lines(string(text)) {
			line = strings.TrimRight(line, "\r\n")
			mark := strings.TrimLeft(line, " ")
			switch {
			case fence != "":
				if strings.HasPrefix(mark, fence) {
					fence = ""
				}
			case strings.HasPrefix(mark, "```"), strings.HasPrefix(mark, "~~~"):
				fence = mark[:3]
			case !yield(line):
				return
			}
		}
	}
}

// marked matches links, and the marks of code and of emphasis, in a line.
var marked = regexp.MustCompile("\\[([^\\]]*)\\]\\([^)]*\\)|[`*]")

// plain returns the text of a line without marks.
func plain(line string) string { return strings.TrimSpace(marked.ReplaceAllString(line, "$1")) }
