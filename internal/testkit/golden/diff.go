package golden

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff"
)

// Diff returns a unified diff of two texts, or nothing if they are equal. It quotes lines with differences that a
// terminal does not show: blanks at the end, and control characters.
func Diff(want, got string) string {
	// It fails only if edits overlap.
	unified, _ := udiff.ToUnified("want", "got", want, edits(want, got), udiff.DefaultContextLines)
	var b strings.Builder
	for line := range strings.Lines(unified) {
		b.WriteString(visible(line))
	}
	return b.String()
}

func visible(line string) string {
	text := strings.TrimSuffix(line, "\n")
	if len(text) < 2 {
		return line
	}
	sign, text := text[:1], text[1:]
	hidden := func(r rune) bool { return r != '\t' && !unicode.IsPrint(r) }
	if strings.TrimRight(text, " \t") == text && !strings.ContainsFunc(text, hidden) {
		return line
	}
	return sign + strconv.Quote(text) + "\n"
}

// Difference returns what turns a text into another one: the lines that differ, as in a unified diff without context.
// The head of each group has the lines that enclose it, which are indented less, instead of numbers, which would change
// with each line that both texts get.
func Difference(from, to string) string {
	var b strings.Builder
	for _, edit := range edits(from, to) {
		removed := from[edit.Start:edit.End]
		b.WriteString("@@" + enclosing(from[:edit.Start], removed+edit.New) + " @@\n")
		prefixed(&b, "-", removed)
		prefixed(&b, "+", edit.New)
	}
	return b.String()
}

func prefixed(b *strings.Builder, sign, text string) {
	for line := range strings.Lines(text) {
		b.WriteString(sign + strings.TrimSuffix(line, "\n") + "\n")
		if !strings.HasSuffix(line, "\n") {
			b.WriteString("\\ No newline at end of file\n")
		}
	}
}

// enclosing returns the lines before the first line of a group that are indented less than it, each also less than the
// one after it. It leaves out the one without any indentation, such as the title of a graph, unless there is no other.
func enclosing(before, group string) string {
	depth := indentation(group)
	var lines []string
	for line := range backward(before) {
		if strings.TrimSpace(line) != "" && indentation(line) < depth {
			depth = indentation(line)
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	if depth == 0 && len(lines) > 1 {
		lines = lines[:len(lines)-1]
	}
	slices.Reverse(lines)
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(" " + line)
	}
	return b.String()
}

func backward(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for text = strings.TrimSuffix(text, "\n"); text != ""; {
			i := strings.LastIndexByte(text, '\n')
			if !yield(text[i+1:]) || i < 0 {
				return
			}
			text = text[:i]
		}
	}
}

func indentation(text string) int { return len(text) - len(strings.TrimLeft(text, " ")) }
