package logmonitor

import "strings"

// quote writes an argument so that it stays one. LogMonitor joins its arguments with
// spaces, without quoting any, and starts that as the command line: what the container's
// program gets is what the rules of C programs for Windows make of it
// (https://learn.microsoft.com/en-us/cpp/c-language/parsing-c-command-line-arguments).
//
// Where Kubernetes replaces $(NAME), the value is not known here and may have spaces: it
// is put in quotes. An argument with quotes in it, or with a backslash at its end, cannot be
// protected.
func quote(argument string) string {
	if argument != "" && !strings.ContainsAny(argument, " \t\n\v\"") && !strings.Contains(argument, "$(") {
		return argument
	}
	var b strings.Builder
	b.WriteByte('"')
	backslashes := 0
	for i := range len(argument) {
		c := argument[i]
		switch c {
		case '\\':
			backslashes++
		case '"':
			// Backslashes before a quotation mark count, and one more makes it a character.
			b.WriteString(strings.Repeat(`\`, backslashes+1))
			backslashes = 0
		default:
			backslashes = 0
		}
		b.WriteByte(c)
	}
	b.WriteString(strings.Repeat(`\`, backslashes))
	b.WriteByte('"')
	return b.String()
}
