package badinput

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// longestError is the most bytes that an error may have, for readers and logs.
const longestError = 16 << 10

// advice matches a line that tells the user what to do, or what is allowed.
var advice = regexp.MustCompile(`(?i)\b(must|has to|use|give|write|set|choose|remove|leave|create|add|replace|` +
	`shorten|say|name|put|rename|did you mean|supported values|at most|at least|more than|there (is|are)|needs?|` +
	`takes?|cannot|runs|valid|required value)\b`)

var notText = regexp.MustCompile(`contains (non-UTF8 bytes|invalid UTF-8)`)

// judge returns what is wrong with the outcome of a bad input.
func (tt Test[T]) judge(in input, out Outcome) []string {
	if _, ok := errors.AsType[panicked](out.Err); ok {
		return []string{out.Err.Error()}
	}
	if out.Err != nil {
		in.unshown = in.unshown || matching(tt.Unshown, in.path) != ""
		return in.judgeError(out.Err.Error(), matching(tt.OtherPaths, in.path))
	}
	var wrong []string
	if script := tt.unexpectedScript(out); script != "" {
		wrong = append(wrong, "it is accepted, and changes a script:\n"+script)
	}
	if value := text(in.value); !harmless(in) && matching(tt.Nowhere, in.path) == "" &&
		!slices.ContainsFunc(out.Data, func(tree any) bool { return holds(tree, value, 0) }) {
		wrong = append(wrong, "it is accepted, and appears nowhere")
	}
	return wrong
}

// harmless reports whether a bad value is the value of an argument that is not set.
func harmless(in input) bool { return in.value.IsZero() }

// text returns a value as errors and resources write it.
func text(v reflect.Value) string {
	if v.Kind() == reflect.String {
		return v.String()
	}
	return fmt.Sprint(v.Interface())
}

// judgeError returns what is missing in an error. One of its lines must have everything. The expression otherPath
// matches another path that the error may name instead.
func (in input) judgeError(err, otherPath string) []string {
	var wrong []string
	if secret := text(in.value); in.isSecret() {
		for _, part := range []string{secret, mark, text(in.good)} {
			if len(part) >= 3 && strings.Contains(err, part) {
				return []string{fmt.Sprintf("the error shows a secret: %.2000s", err)}
			}
		}
	}
	if len(err) > longestError {
		wrong = append(wrong, fmt.Sprintf("the error has %d bytes: %.300s…", len(err), err))
	}
	if i := strings.IndexFunc(err, raw); i >= 0 {
		wrong = append(wrong, fmt.Sprintf("the error has the character %q unescaped: %.2000q", []rune(err[i:])[0], err))
	}
	// Pulumi's SDK refuses such a value at the resource, with the name of its property.
	if notText.MatchString(err) {
		return wrong
	}
	path := regexp.QuoteMeta(in.path)
	if otherPath != "" {
		path = "(?:" + path + "|" + otherPath + ")"
	}
	named := regexp.MustCompile(`(?:^|[\s(])` + path + `(?:[:.]|\[)`)
	lines := strings.Split(err, "\n")
	if strings.HasPrefix(strings.TrimSpace(lines[len(lines)-1]), after) {
		wrong = append(wrong, fmt.Sprintf("a line of the value looks like a line of the error: %.2000q", err))
	}
	var about []string
	for _, line := range lines {
		// The message follows the path, and the path may contain a word of advice.
		if at := named.FindStringIndex(line); at != nil {
			about = append(about, line[at[1]:])
		}
	}
	if len(about) == 0 {
		return append(wrong, fmt.Sprintf("no line of the error names the path: %.2000s", err))
	}
	if !slices.ContainsFunc(about, in.isComplete) {
		wrong = append(wrong, fmt.Sprintf("no line of the error has both value and fix: %.2000s", err))
	}
	return wrong
}

func (in input) isSecret() bool { return !in.key && secretName.MatchString(in.path) }

// raw reports whether a character would change how a terminal or a log shows an error.
func raw(r rune) bool {
	return r != '\n' && !unicode.IsPrint(r)
}

// isComplete reports whether a line shows the value and the fix.
func (in input) isComplete(line string) bool {
	if !advice.MatchString(line) {
		return false
	}
	value := text(in.value)
	if in.value.Kind() == reflect.String {
		value = strings.TrimSuffix(strconv.Quote(value), `"`)
		value = value[:min(len(value), 60)]
	}
	return in.value.IsZero() || in.isSecret() || in.unshown || strings.Contains(line, value) ||
		slices.ContainsFunc([]string{"Too long: ", "Required value: "},
			func(hidden string) bool { return strings.Contains(line, hidden) })
}
