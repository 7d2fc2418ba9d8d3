package escape_test

import (
	"regexp"
	"strings"
	"unicode"
)

// This file has the rules of the readers, written from their sources. Where a reader knows a list of commands, any name
// counts.

// readLines splits a text as .NET's and Ruby's streams do.
func readLines(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
}

// compared returns what a comparison of .NET sees of a text, by the culture of the machine: it ignores control and
// format characters, combining marks that have no weight, and variation selectors.
func compared(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Mn, unicode.Me, unicode.Variation_Selector,
			unicode.Other_Default_Ignorable_Code_Point) {
			return -1
		}
		return r
	}, text)
}

// pulumiTakes returns the rule of Pulumi's colors: each command begins so, one that it does not know is a panic, and
// one without an end drops the rest.
func pulumiTakes(text string) bool { return strings.Contains(text, "<{%") }

// azureTakes is the rule of Azure Pipelines' agent, and of the page that shows its logs.
func azureTakes(line string) bool {
	for _, seen := range []string{line, compared(line)} {
		if _, command, is := strings.Cut(seen, "##vso["); is {
			if info, _, closed := strings.Cut(command, "]"); closed {
				name, _, _ := strings.Cut(info, " ")
				if len(strings.FieldsFunc(name, func(r rune) bool { return r == '.' })) == 2 {
					return true
				}
			}
		}
		if strings.Contains(seen, "##vso") || strings.Contains(seen, "##[") { // a warning, or a style
			return true
		}
	}
	return false
}

// gitHubTakes is the rule of GitHub's runner: its second format, then its first one.
func gitHubTakes(line string) bool {
	for _, seen := range []string{line, compared(line)} {
		if rest, is := strings.CutPrefix(strings.TrimLeftFunc(seen, unicode.IsSpace), "::"); is {
			if strings.Contains(rest, "::") {
				return true
			}
		}
		if _, command, is := strings.Cut(seen, "##["); is && strings.Contains(command, "]") {
			return true
		}
	}
	return false
}

// gitLabSection is what begins or ends a section of a job's log.
var gitLabSection = regexp.MustCompile(`section_(start|end):\d+:[a-zA-Z0-9_.-]+(\[\w+=\w+(, ?\w+=\w+)*\])?\r\x1b\[0K`)

// agentTakes reports whether one of the agents finds a command in a log.
func agentTakes(log string) bool {
	for _, line := range readLines(log) {
		if azureTakes(line) || gitHubTakes(line) {
			return true
		}
	}
	return gitLabSection.MatchString(log)
}

// terminalTakes reports whether a terminal does something else than show the text.
func terminalTakes(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
	})
}

// sarifLinks finds the links of a plain text message by the grammar of SARIF 2.1.0, section 3.11.6, and as the viewers
// do that know no escapes.
func sarifLinks(text string) []string {
	found := regexp.MustCompile(`\[([^\]]*)\]\(([^)]+)\)`).FindAllString(text, -1)
	return append(found, regexp.MustCompile(`\[(?:[^\\\[\]]|\\[\\\[\]])*\]\([^)]*\)`).FindAllString(text, -1)...)
}

// sarifPlaceholders finds the placeholders of a message by section 3.11.5: doubled braces stand for one. It also
// returns the text that a viewer shows.
func sarifPlaceholders(text string) (shown string, found []string) {
	var b strings.Builder
	for len(text) > 0 {
		switch {
		case strings.HasPrefix(text, "{{"), strings.HasPrefix(text, "}}"):
			b.WriteByte(text[0])
			text = text[2:]
			continue
		}
		if at := regexp.MustCompile(`^\{[0-9]+\}`).FindString(text); at != "" {
			found, text = append(found, at), text[len(at):]
			continue
		}
		b.WriteByte(text[0])
		text = text[1:]
	}
	return b.String(), found
}

// markdownTakes reports whether Markdown has an inline link, an element or an autolink, or GitLab's widget a style. A
// backslash before a punctuation character makes it a text.
func markdownTakes(text string) bool {
	return regexp.MustCompile(`\]\(|<[A-Za-z/!?]|%\{[a-z_]+\}`).MatchString(text)
}
