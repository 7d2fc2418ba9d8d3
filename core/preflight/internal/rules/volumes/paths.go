package volumes

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var pathRules = []engine.Rule{controlCharacterInPath}

// controlCharacterInPath looks at the paths in Windows pods, at the paths of nodes in PersistentVolumes, and at every
// text of a container that begins with a drive, where a backslash and a letter were intended.
var controlCharacterInPath = engine.Rule{
	Rule: rule.Rule{
		ID: "MK521", Severity: rule.Error, Title: "a control character in a path on Windows", Page: rulepages.Volumes,
		Reason: "No path on Windows can contain one. It comes from a backslash between double quotes, where \\e, " +
			"\\f, \\t and others mean control characters in YAML, and in Go.",
		Source: "https://learn.microsoft.com/windows/win32/fileio/naming-a-file",
	},
	Checks: []engine.Check{
		engine.On(subject.AnyPods, func(p *subject.Pods) []rule.Problem {
			var found []rule.Problem
			onWindows := subject.WindowsPods.Has(p)
			path := func(v any, at func() string) {
				if onWindows || hasEscapedDrive(v) {
					found = appendEscaped(found, v, at)
				}
			}
			for host := range hostPathsOf(p) {
				path(host.source["path"], func() string { return host.at("path") })
			}
			for i := range p.Containers {
				ctr := &p.Containers[i]
				path(ctr.Spec["workingDir"], func() string { return p.In(ctr, "workingDir") })
			}
			for m := range mountsOf(p) {
				path(m.spec["mountPath"], func() string { return m.at("mountPath") })
			}
			return found
		}),
		engine.On(subject.AnyPods, escapedDrivesInTexts),
		engine.On(subject.PersistentVolumes, func(o *subject.Object) []rule.Problem {
			var found []rule.Problem
			for _, source := range [...]string{"local", "hostPath"} {
				path := tree.At(o.Tree["spec"], source, "path")
				found = appendEscaped(found, path, func() string { return "spec." + source + ".path" })
			}
			return found
		}),
	},
}

// escapedDrivesInTexts finds paths among the commands, arguments and environment variables of containers. A line break
// after a letter and a colon can be a text of several lines.
func escapedDrivesInTexts(p *subject.Pods) (found []rule.Problem) {
	text := func(v any, at func() string) {
		if text, _ := tree.Text(v); hasEscapedDrive(v) && text[2] != '\n' {
			found = appendEscaped(found, v, at)
		}
	}
	for i := range p.Containers {
		ctr := &p.Containers[i]
		for _, list := range [...]string{"command", "args"} {
			for j, v := range tree.List(ctr.Spec[list]) {
				text(v, func() string { return p.In(ctr, list, j) })
			}
		}
		for j, v := range tree.List(ctr.Spec["env"]) {
			text(tree.Map(v)["value"], func() string { return p.In(ctr, "env", j, "value") })
		}
	}
	return found
}

// hasEscapedDrive reports whether a text begins with a drive, and an escape in place of a backslash.
func hasEscapedDrive(v any) bool {
	text, _ := tree.Text(v)
	drive, rest, cut := strings.Cut(text, ":")
	first, _ := utf8.DecodeRuneInString(rest)
	return cut && len(drive) == 1 && unicode.IsLetter(rune(drive[0])) && rest != "" && isEscape(first)
}

// escapes maps characters to the letter that follows a backslash to write them in a double-quoted YAML string:
// https://yaml.org/spec/1.2.2/#57-escaped-characters.
var escapes = map[rune]string{
	0: `\0`, '\a': `\a`, '\b': `\b`, '\t': `\t`, '\n': `\n`, '\v': `\v`, '\f': `\f`, '\r': `\r`, 0x1b: `\e`,
	0x85: `\N`, 0xa0: `\_`, 0x2028: `\L`, 0x2029: `\P`,
}

func isEscape(r rune) bool { return unicode.IsControl(r) || r > unicode.MaxASCII && escapes[r] != "" }

// appendEscaped appends a problem with a path that has such a character.
func appendEscaped(found []rule.Problem, v any, at func() string) []rule.Problem {
	text, _ := tree.Text(v)
	i := strings.IndexFunc(text, isEscape)
	if i < 0 {
		return found
	}
	first, _ := utf8.DecodeRuneInString(text[i:])
	problem := rule.Problem{
		Path: at(), Value: v, Detail: fmt.Sprintf("has the character %U", first),
		Fix: "double each backslash between double quotes, or write the path without quotes",
	}
	if letters, ok := escapes[first]; ok {
		problem.Detail += ", which " + letters + " means between double quotes"
	}
	if _, secret := v.(tree.Secret); !secret {
		problem.Fix += ": " + unescaped(text)
	}
	return append(found, problem)
}

// unescaped returns a path as it was intended.
func unescaped(text string) string {
	var unescaped strings.Builder
	for _, r := range text {
		if letters, ok := escapes[r]; ok {
			unescaped.WriteString(letters)
		} else {
			unescaped.WriteRune(r)
		}
	}
	return unescaped.String()
}
