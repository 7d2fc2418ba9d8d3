package logmonitor

import (
	"slices"
	"strings"
	"testing"
)

func TestQuote(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`w3svc`:                `w3svc`,
		`C:\app\`:              `C:\app\`,
		``:                     `""`,
		`C:\Program Files\a\`:  `"C:\Program Files\a\\"`,
		`say "hi"`:             `"say \"hi\""`,
		`a\"b`:                 `"a\\\"b"`,
		`--node=$(NODE)`:       `"--node=$(NODE)"`,
		`$$(NODE)`:             `"$$(NODE)"`,
		`$env:PATH`:            `$env:PATH`,
		"a\tb":                 "\"a\tb\"",
		`Get-Date; Start "x\"`: `"Get-Date; Start \"x\\\""`,
	} {
		if got := quote(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// parse takes a command line apart as C programs for Windows do.
func parse(line string) []string {
	var arguments []string
	for i := 0; i < len(line); {
		if line[i] == ' ' || line[i] == '\t' {
			i++
			continue
		}
		var b strings.Builder
		quoted := false
	argument:
		for i < len(line) {
			backslashes := 0
			for i < len(line) && line[i] == '\\' {
				backslashes++
				i++
			}
			mark := i < len(line) && line[i] == '"'
			switch {
			case mark && backslashes%2 == 1:
				b.WriteString(strings.Repeat(`\`, backslashes/2) + `"`)
				i++
			case mark:
				b.WriteString(strings.Repeat(`\`, backslashes/2))
				i++
				if quoted && i < len(line) && line[i] == '"' {
					b.WriteByte('"')
					i++
				} else {
					quoted = !quoted
				}
			default:
				b.WriteString(strings.Repeat(`\`, backslashes))
				if i == len(line) || !quoted && (line[i] == ' ' || line[i] == '\t') {
					break argument
				}
				b.WriteByte(line[i])
				i++
			}
		}
		arguments = append(arguments, b.String())
	}
	return arguments
}

// Arguments that LogMonitor joins with spaces must be split into the same arguments.
func FuzzQuote(f *testing.F) {
	f.Add("a", `b c`, `"`)
	f.Add(`\`, `\\"`, "")
	f.Add(`x\ \`, "\t", `a""b`)
	f.Fuzz(func(t *testing.T, a, b, c string) {
		arguments := []string{a, b, c}
		if got := parse(strings.Join([]string{quote(a), quote(b), quote(c)}, " ")); !slices.Equal(got, arguments) {
			t.Errorf("%q, want %q", got, arguments)
		}
	})
}
