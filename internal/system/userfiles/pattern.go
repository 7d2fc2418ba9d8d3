package userfiles

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// Patterns decide which files of a directory are excluded, as in .gitignore: the last pattern that matches a path
// decides. A file in an excluded directory cannot be included again. Source:
// https://git-scm.com/docs/gitignore#_pattern_format
type Patterns []pattern

// The limits of patterns.
const (
	// MaxPatterns is how many patterns a list can have, such as a .gitignore: each is compared with each path.
	MaxPatterns = 2_000
	// maxPatternsSize is the maximum size of a file of patterns, in bytes.
	maxPatternsSize = 1 << 20
)

type pattern struct {
	// elements are matched with the elements of a path; ** is any number of them.
	elements          []string
	negated, onlyDirs bool
}

// ParsePatterns parses the lines of a .gitignore: blank ones and comments are skipped. The errors have the number of
// the line, and no name of a file. More than [MaxPatterns] are an error.
func ParsePatterns(lines []string) (all Patterns, errs []error) {
	for i, line := range lines {
		p, ok, err := parsePattern(line)
		switch {
		case ok && len(all) == MaxPatterns:
			return all, append(errs, &manifests.Error{Line: i + 1, Detail: fmt.Sprintf(
				"more than %d patterns: exclude directories instead of their files", MaxPatterns)})
		case err != nil && len(errs) == manifests.MaxErrors:
			return all, append(errs, &manifests.Error{
				Line: i + 1, Detail: "no more lines are read after so many errors",
			})
		case err != nil:
			errs = append(errs, &manifests.Error{Line: i + 1, Detail: err.Error()})
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

// Covers reports whether a file is excluded, or a directory that it is in.
func (all Patterns) Covers(name string) bool {
	for i, letter := range name {
		if letter == '/' && all.Exclude(name[:i], true) {
			return true
		}
	}
	return all.Exclude(name, false)
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
	ok, _ := match(pattern, elements)
	return ok
}

// match also returns the number of its steps, at most the product of the lengths, each plus one: it only ever returns to
// the last ** that it has met. The first match of what is before that leaves it the most elements, so no other one is
// better.
func match(pattern, elements []string) (ok bool, steps int) {
	const none = -1
	p, e := 0, 0
	// after is what follows the last **, which stands for the elements before next.
	after, next := none, 0
	for e < len(elements) {
		steps++
		if p < len(pattern) && pattern[p] == "**" {
			if p == len(pattern)-1 {
				return true, steps
			}
			p++
			after, next = p, e
			if rest := pattern[p:]; !slices.Contains(rest, "**") {
				// The rest can only match the end of the path, which can be far below.
				after, e = none, len(elements)-len(rest)
				if e < next {
					return false, steps
				}
			}
			continue
		}
		if p < len(pattern) {
			if ok, _ := path.Match(pattern[p], elements[e]); ok { // parsing has checked it
				p, e = p+1, e+1
				continue
			}
		}
		if after == none {
			return false, steps
		}
		next++
		p, e = after, next
	}
	return p == len(pattern), steps
}

// readPatterns reads a file of patterns.
func readPatterns(access *disk.Access, name string) (Patterns, []error) {
	shown := filepath.ToSlash(name)
	text, err := access.ReadFile(name, maxPatternsSize)
	if err != nil {
		return nil, []error{disk.Named(shown, err)}
	}
	all, errs := ParsePatterns(strings.Split(string(text), "\n"))
	for i, err := range errs {
		if e, ok := err.(*manifests.Error); ok { //nolint:errorlint // ParsePatterns returns only this type
			e.File = shown
			errs[i] = e
		}
	}
	return all, errs
}
