// Package markdown reads the headings and blocks of code of pages.
package markdown

import (
	"regexp"
	"strings"
)

// Heading is a heading of a page, or a mark that links can name without a heading.
type Heading struct {
	// Text is without marks of code; empty for a mark.
	Text string
	// Anchor is what links name after #.
	Anchor string
}

// Block is a block of code.
type Block struct {
	// Language is the word after the opening fence, and can be empty.
	Language string
	// Line is the number of the opening fence, from 1.
	Line int
	// Lines are the lines between the fences.
	Lines []string
}

// Code returns the lines of the block as one text.
func (b Block) Code() string { return strings.Join(b.Lines, "\n") + "\n" }

// notInAnchors matches the characters that the anchors of headings leave out.
var notInAnchors = regexp.MustCompile("[^a-z0-9 _-]")

// Headings returns the headings and marks of a page, in order. A comment in a block of code is not a heading.
func Headings(page string) []Heading {
	var found []Heading
	text, _ := split(page)
	for _, line := range text {
		if id, ok := strings.CutPrefix(line, `<a id="`); ok {
			id, _, _ = strings.Cut(id, `"`)
			found = append(found, Heading{Anchor: id})
		}
		if title := strings.TrimLeft(line, "#"); title != line && strings.HasPrefix(title, " ") {
			title = strings.TrimSpace(title)
			found = append(found, Heading{
				Text:   strings.ReplaceAll(title, "`", ""),
				Anchor: strings.ReplaceAll(notInAnchors.ReplaceAllString(strings.ToLower(title), ""), " ", "-"),
			})
		}
	}
	return found
}

// Blocks returns the blocks of code of a page, in order. They can be indented in a list.
func Blocks(page string) []Block {
	_, blocks := split(page)
	return blocks
}

// Text returns a page without its blocks of code.
func Text(page string) string {
	text, _ := split(page)
	return strings.Join(text, "\n")
}

// fence matches the line before a block. It can be the first line of a list item.
var fence = regexp.MustCompile("^ *(?:[0-9]+[.] |- )?```([a-z]*)$")

// split returns the lines outside blocks of code, and the blocks.
func split(page string) ([]string, []Block) {
	var text []string
	var blocks []Block
	var open *Block
	for i, line := range strings.Split(page, "\n") {
		opening := fence.FindStringSubmatch(line)
		switch {
		case open == nil && opening != nil:
			open = &Block{Language: opening[1], Line: i + 1}
		case open == nil:
			text = append(text, line)
		case strings.TrimSpace(line) == "```":
			blocks = append(blocks, *open)
			open = nil
		default:
			open.Lines = append(open.Lines, line)
		}
	}
	return text, blocks
}
