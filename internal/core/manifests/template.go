package manifests

import (
	"bytes"
	"regexp"
)

var (
	// unquoted matches a placeholder at the beginning of a value without quotes, which is not YAML, or not the text.
	unquoted = regexp.MustCompile(
		`(?:^|[:-]\s+)(?:@{1,2}\w+@|%\w+%|%\{\w+\}|<%|\{[A-Za-z][\w.-]*\}[^\s,}\]]|\[[A-Za-z][^\[\]]*\][^\s,}\]:#])`)
	// inFlow matches a placeholder of a shell without quotes in a flow collection, where its braces are not YAML.
	inFlow = regexp.MustCompile(`^(?:[^"'#]*[^$"'#])?[\[{](?:[^"'#]*[\s,:\[{])?\$\{[^{}]*\}`)
	// ytt matches an instruction in a comment. Source: https://carvel.dev/ytt/docs/latest/lang/.
	ytt = regexp.MustCompile(`(?m)(?:^|[ \t])#@[ /\w]`)
	// alone matches a line that is only a placeholder: a program puts other lines there.
	alone = regexp.MustCompile(`^(?:\$\{[^{}]+\}|<[A-Za-z]\w*>|__\w+__|\(\(.+\)\))$`)
	// beginsText matches the line before the lines of a literal or folded text.
	beginsText = regexp.MustCompile(`(?:^|[:-]\s+)(?:[!&]\S+\s+)*[|>][-+0-9]*\s*(?:#.*)?$`)
)

// isTemplate reports whether a text that cannot be read may be the input of another program: it has a placeholder that
// is not in quotes, a comment or a literal text.
func isTemplate(text []byte) bool {
	indent := -1 // of the line that begins the text, -1 outside of one
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, " \t\r\n")
		content := bytes.TrimLeft(line, " ")
		if len(content) == 0 {
			continue
		}
		if at := len(line) - len(content); indent >= 0 && at > indent {
			continue
		}
		indent = -1
		if content[0] == '#' {
			continue
		}
		if hasTag(content, "{{") || hasTag(content, "{%") || unquoted.Match(content) || inFlow.Match(content) ||
			alone.Match(content) {
			return true
		}
		if beginsText.Match(content) {
			indent = len(line) - len(content)
		}
	}
	return false
}

// hasTag reports whether a line has the beginning of a tag outside of quotes.
func hasTag(line []byte, tag string) bool {
	before, _, found := bytes.Cut(line, []byte(tag))
	return found && bytes.Count(before, []byte(`"`))%2 == 0 && bytes.Count(before, []byte("'"))%2 == 0
}
