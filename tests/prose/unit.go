package prose

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Unit is a piece of prose: a paragraph, an item of a list, a row of a table or a string.
type Unit struct {
	// Path is the path of the file, with slashes, relative to the root of the repository.
	Path string
	// Heading is true for a heading of a page or of a doc comment, and Cell for a cell of a table.
	Heading, Cell bool
	// Text is the piece in one line. Masked has the same length, with an x for each byte of code and of links.
	Text, Masked string
	lines        []start
}

// start is the offset in the text at which a line of the file begins.
type start struct{ at, line int }

// Line returns the line of the file that contains an offset of the text.
func (u Unit) Line(offset int) int {
	i, found := slices.BinarySearchFunc(u.lines, offset, func(s start, at int) int { return cmp.Compare(s.at, at) })
	if !found {
		i--
	}
	return u.lines[i].line
}

// Find returns the prose of a file. It is empty for files of other kinds.
func Find(name string, source []byte) ([]Unit, error) {
	switch path.Ext(name) {
	case ".go":
		return goUnits(name, source)
	case ".md":
		return markdownUnits(name, string(source)), nil
	case ".yaml", ".yml", ".sh", ".ps1", ".toml", ".nft", ".conf", ".service":
		return commentUnits(name, string(source), "#"), nil
	case ".py":
		return commentUnits(name, blocksAsLines(string(source), `"""`, `"""`, "#"), "#"), nil
	case ".ts", ".js", ".mjs", ".css":
		return commentUnits(name, blocksAsLines(string(source), "/*", "*/", "//"), "//"), nil
	}
	switch path.Base(name) {
	case "Makefile", "Dockerfile":
		return commentUnits(name, string(source), "#"), nil
	}
	return nil, nil
}

// paragraph collects the lines of a unit.
type paragraph struct {
	path          string
	heading, cell bool
	text          strings.Builder
	lines         []start
}

func (p *paragraph) add(text string, line int) {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return
	}
	if p.text.Len() > 0 {
		p.text.WriteByte(' ')
	}
	p.lines = append(p.lines, start{p.text.Len(), line})
	p.text.WriteString(text)
}

// flush ends the unit and begins another one. A single word is not prose.
func (p *paragraph) flush(units []Unit) []Unit {
	text := p.text.String()
	if strings.Contains(text, " ") {
		units = append(units, Unit{
			Path: p.path, Heading: p.heading, Cell: p.cell,
			Text: text, Masked: code.ReplaceAllStringFunc(text, mask), lines: p.lines,
		})
	}
	*p = paragraph{path: p.path}
	return units
}

// code matches text that does not have to be plain English: code spans, targets of links and addresses.
var code = regexp.MustCompile("`[^`]*`" + `|\]\([^)\s]*\)|https?://[^\s)]*`)

func mask(s string) string { return strings.Repeat("x", len(s)) }
