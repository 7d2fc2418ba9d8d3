package manifests

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
)

// Patterns decide which files of a directory are excluded, as in .gitignore: the last pattern that matches a path
// decides. A file in an excluded directory cannot be included again. Source:
// https://git-scm.com/docs/gitignore#_pattern_format
type Patterns []pattern

type pattern struct {
	// elements are matched with the elements of a path; ** is any number of them.
	elements          []string
	negated, onlyDirs bool
}

// ParsePatterns parses the lines of a .gitignore: blank ones and comments are skipped. The errors have the number of
// the line, and no name of a file.
func ParsePatterns(lines []string) (all Patterns, errs []error) {
	for i, line := range lines {
		p, ok, err := parsePattern(line)
		switch {
		case err != nil:
			errs = append(errs, &Error{Line: i + 1, Detail: err.Error()})
		case ok:
			all = append(all, p)
		}
	}
	return all, errs
}

func parsePattern(line string) (p pattern, ok bool, err error) {
	text := strings.TrimSuffix(line, "\r")
	for strings.HasSuffix(text, " ") && !strings.HasSuffix(text, `\ `) {
		text = text[:len(text)-1]
	}
	if text == "" || text[0] == '#' {
		return p, false, nil
	}
	text, p.negated = strings.CutPrefix(text, "!")
	text, p.onlyDirs = strings.CutSuffix(text, "/")
	below, anchored := strings.CutPrefix(text, "/")
	p.elements = strings.Split(below, "/")
	if !anchored && len(p.elements) == 1 {
		p.elements = []string{"**", below}
	}
	for i, element := range p.elements {
		// git accepts [!a] for [^a] of [path.Match].
		p.elements[i] = strings.ReplaceAll(element, "[!", "[^")
		if _, err := path.Match(p.elements[i], ""); err != nil || element == "" {
			return p, false, fmt.Errorf("%q is not a valid .gitignore pattern", line)
		}
	}
	return p, true, nil
}

// Exclude reports whether a file or a directory is excluded. The path has forward slashes and begins in the directory
// that the patterns are for.
func (all Patterns) Exclude(name string, isDir bool) bool {
	excluded, _ := all.decide(name, isDir)
	return excluded
}

// decide is Exclude, and also reports whether any pattern matches.
func (all Patterns) decide(name string, isDir bool) (excluded, decided bool) {
	elements := strings.Split(name, "/")
	for _, p := range slices.Backward(all) {
		if (isDir || !p.onlyDirs) && matches(p.elements, elements) {
			return !p.negated, true
		}
	}
	return false, false
}

func matches(pattern, elements []string) bool {
	switch {
	case len(pattern) == 0:
		return len(elements) == 0
	case pattern[0] == "**" && len(pattern) == 1:
		return len(elements) > 0
	case pattern[0] == "**":
		for i := range elements {
			if matches(pattern[1:], elements[i:]) {
				return true
			}
		}
		return false
	case len(elements) == 0:
		return false
	}
	ok, _ := path.Match(pattern[0], elements[0]) // parsing has checked it
	return ok && matches(pattern[1:], elements[1:])
}

// readPatterns reads a file of patterns, which is optional.
func readPatterns(name, shown string) (Patterns, []error) {
	text, err := os.ReadFile(name)
	switch {
	case os.IsNotExist(err):
		return nil, nil
	case err != nil:
		return nil, []error{Named(shown, err)}
	}
	all, errs := ParsePatterns(strings.Split(string(text), "\n"))
	for i, err := range errs {
		if e, ok := err.(*Error); ok { //nolint:errorlint // ParsePatterns returns only this type
			e.File = shown
			errs[i] = e
		}
	}
	return all, errs
}
