package escape

import "strings"

// The agents that read logs, with the rules of their parsers:
//
//   - Azure Pipelines: "##vso[" anywhere in a line is a command, and "##vso" a warning; its web page reads "##[".
//     https://github.com/microsoft/azure-pipelines-agent/blob/master/src/Microsoft.VisualStudio.Services.Agent/Command.cs
//   - GitHub: "##[" anywhere in a line, or "::" at its beginning after white space.
//     https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
//   - GitLab: a section begins and ends with a carriage return and an escape character, which a line does not have.
//     https://gitlab.com/gitlab-org/gitlab/-/blob/master/lib/gitlab/regex.rb
//
// The first two search as the culture of the machine compares texts, which ignores some characters, such as U+034F and
// variation selectors. Which ones depends on the machine, so all characters outside of ASCII count as ignored.

// commands returns the position of one character in each command of a text: without it, there is no command.
func commands(text string) []int {
	var found []int
	for start := 0; start < len(text); {
		end := len(text)
		if i := strings.IndexAny(text[start:], "\r\n"); i >= 0 {
			end = start + i + 1
		}
		found = append(found, ofLine(text, start, end)...)
		start = end
	}
	return found
}

// ofLine returns the positions in the line of a text.
func ofLine(text string, start, end int) (found []int) {
	line := text[start:end]
	// Nearly all lines have neither form, and reports have hundreds of thousands of lines.
	first := strings.IndexFunc(line, func(r rune) bool { return ' ' < r && r <= '~' })
	if strings.Count(line, "#") < 2 && (first < 0 || line[first] != ':') {
		return nil
	}
	var compared []byte
	var at []int
	for i := range len(line) {
		if c := line[i]; ' ' <= c && c <= '~' {
			compared, at = append(compared, c), append(at, start+i)
		}
	}
	shown := string(compared)
	if spaces := len(shown) - len(strings.TrimLeft(shown, " ")); strings.HasPrefix(shown[spaces:], "::") {
		found = append(found, at[spaces])
	}
	lower := strings.ToLower(shown)
	for i := range lower {
		if rest := lower[i:]; strings.HasPrefix(rest, "##[") || strings.HasPrefix(rest, "##vso") {
			found = append(found, at[i+1])
		}
	}
	return found
}

// withoutCommands replaces a character of each command.
func withoutCommands(text string, escape func(c byte) string) string {
	found := commands(text)
	if len(found) == 0 {
		return text
	}
	var b strings.Builder
	from := 0
	for _, i := range found {
		b.WriteString(text[from:i] + escape(text[i]))
		from = i + 1
	}
	b.WriteString(text[from:])
	return b.String()
}
