package escape

import (
	"regexp"
	"strings"
)

// SARIF returns a plain text message of SARIF 2.1.0 in which viewers find neither a link, [text](uri) (section 3.11.6),
// nor a placeholder, {0} (section 3.11.5). A bracket elsewhere needs no escape.
func SARIF(text string) string {
	if placeholder.MatchString(text) {
		text = braces.Replace(text)
	}
	return links(text)
}

// A brace is doubled where placeholders are read. Texts without one keep their braces: not all viewers know the rule.
var (
	placeholder = regexp.MustCompile(`\{[0-9]+\}`)
	braces      = strings.NewReplacer("{", "{{", "}", "}}")
)

// CodeQuality returns a description of an issue in the formats of Code Climate and GitLab, whose viewers have read it
// as text, as Markdown, and as HTML with styles such as %{strong_start}.
func CodeQuality(text string) string {
	text = tag.ReplaceAllString(links(text), `\x3c$1`)
	return strings.ReplaceAll(text, "%{", `%\{`)
}

// tag is the beginning of an element, a comment or an autolink.
var tag = regexp.MustCompile(`<([A-Za-z/!?])`)

// links puts a backslash between the two parts of a link: with it there is none, whether a viewer knows escapes or not.
func links(text string) string { return strings.ReplaceAll(text, "](", `]\(`) }
