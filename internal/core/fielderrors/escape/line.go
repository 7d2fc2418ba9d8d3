package escape

import (
	"strconv"
	"strings"
	"unicode"
)

// Line returns a text as one line of a log that a terminal, the agent of a CI service or Pulumi reads: with escapes as
// in a Go string, such as \n and \x23, instead of characters that a terminal interprets or does not show, in the
// commands of agents, and in those of Pulumi.
func Line(text string) string { return withoutColors(withoutCommands(Printable(text), goEscape)) }

// Lines returns a text of several lines for a log: [Line] for each, except that tabs stay.
func Lines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		parts := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
		for j := range parts {
			parts[j] = Printable(parts[j])
		}
		lines[i] = strings.Join(parts, "\t")
	}
	return withoutColors(Commands(strings.Join(lines, "\n")))
}

// withoutColors escapes what begins a command of Pulumi for colors in a message. Pulumi panics at one that it does not
// know, and drops the rest of a message after one without an end
// (https://github.com/pulumi/pulumi/blob/master/sdk/go/common/diag/colors/colors.go).
func withoutColors(text string) string { return strings.ReplaceAll(text, "<{%", goEscape('<')+"{%") }

// Commands escapes only the commands of agents, and leaves every other character: for a log whose other bytes matter.
func Commands(text string) string { return withoutCommands(text, goEscape) }

// HasCommands reports whether an agent would find a command in a text.
func HasCommands(text string) bool { return len(commands(text)) > 0 }

// Printable escapes only what a terminal interprets or does not show, for a part of a line.
func Printable(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

func goEscape(c byte) string { return `\x` + strconv.FormatUint(uint64(c), 16) }
