package cli

import (
	"io"
	"os"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
)

// colors is true for a text with colors.
type colors bool

// colorsOf reports whether the output to w has colors: if w is a terminal, unless the environment variable NO_COLOR
// (https://no-color.org) is set, or TERM says that the terminal has no colors.
func colorsOf(w io.Writer) colors {
	return colors(isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb")
}

// The escape sequences for colors (ECMA-48, SGR).
const (
	sgrBold   = "1"
	sgrFaint  = "2"
	sgrRed    = "31"
	sgrGreen  = "32"
	sgrYellow = "33"
	sgrBlue   = "34"
)

func (c colors) paint(sgr, text string) string {
	if !c || text == "" {
		return text
	}
	return "\x1b[" + sgr + "m" + text + "\x1b[0m"
}

func (c colors) bold(text string) string { return c.paint(sgrBold, text) }

// severity colors a text by a severity.
func (c colors) severity(s rule.Severity, text string) string {
	switch s {
	case rule.Error:
		return c.paint(sgrRed, text)
	case rule.Warning:
		return c.paint(sgrYellow, text)
	default:
		return c.paint(sgrBlue, text)
	}
}

// finding colors the severity of a finding; an ignored finding is faint.
func (c colors) finding(f rule.Finding, text string) string {
	if f.Suppressed {
		return c.paint(sgrFaint, text)
	}
	return c.severity(f.Severity, text)
}

// difference colors the lines of a difference, as git does.
func (c colors) difference(text string) string {
	if !c {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		content := strings.TrimSuffix(line, "\n")
		var sgr string
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
			sgr = sgrBold
		case strings.HasPrefix(line, "+"):
			sgr = sgrGreen
		case strings.HasPrefix(line, "-"):
			sgr = sgrRed
		case strings.HasPrefix(line, "@@"):
			sgr = sgrBlue
		default:
			continue
		}
		lines[i] = c.paint(sgr, content) + line[len(content):]
	}
	return strings.Join(lines, "")
}
