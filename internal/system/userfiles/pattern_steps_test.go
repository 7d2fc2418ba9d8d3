package userfiles

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// matchesByDefinition tries all ways in which ** can stand for elements: it defines a match, and takes exponentially
// many steps.
func matchesByDefinition(pattern, elements []string) bool {
	switch {
	case len(pattern) == 0:
		return len(elements) == 0
	case pattern[0] == "**" && len(pattern) == 1:
		return len(elements) > 0
	case pattern[0] == "**":
		for i := range elements {
			if matchesByDefinition(pattern[1:], elements[i:]) {
				return true
			}
		}
		return false
	case len(elements) == 0:
		return false
	}
	ok, _ := path.Match(pattern[0], elements[0])
	return ok && matchesByDefinition(pattern[1:], elements[1:])
}

// mostSteps returns the limit of the steps of [match].
func mostSteps(pattern, elements []string) int { return (len(pattern) + 1) * (len(elements) + 1) }

// sequences returns all sequences of up to n words.
func sequences(n int, words ...string) [][]string {
	all, last := [][]string{{}}, [][]string{{}}
	for range n {
		var next [][]string
		for _, begin := range last {
			for _, word := range words {
				next = append(next, append(slices.Clone(begin), word))
			}
		}
		all, last = append(all, next...), next
	}
	return all
}

func TestPatternsMatchByTheirDefinition(t *testing.T) {
	t.Parallel()
	paths := sequences(6, "a", "b")
	for _, pattern := range sequences(5, "**", "a", "b", "*") {
		for _, elements := range paths {
			got, steps := match(pattern, elements)
			if want := matchesByDefinition(pattern, elements); got != want {
				t.Fatalf("pattern %q, path %q: got %t, want %t", pattern, elements, got, want)
			}
			if most := mostSteps(pattern, elements); steps > most {
				t.Fatalf("pattern %q, path %q: %d steps, more than %d", pattern, elements, steps, most)
			}
		}
	}
}

func FuzzPatterns(f *testing.F) {
	f.Add("**/a/**/b/c", "a/a/b/b/c")
	f.Add("a/**", "a")
	f.Add("**/**/**", "a/b")
	f.Add("[ab]*/**/?", "ab/c/d")
	f.Fuzz(func(t *testing.T, text, name string) {
		p, ok, err := parsePattern(text)
		elements := strings.Split(name, "/")
		if !ok || err != nil || len(p.elements) > 8 || len(elements) > 10 {
			return
		}
		got, steps := match(p.elements, elements)
		if want := matchesByDefinition(p.elements, elements); got != want {
			t.Errorf("pattern %q, path %q: got %t, want %t", text, name, got, want)
		}
		if most := mostSteps(p.elements, elements); steps > most {
			t.Errorf("pattern %q, path %q: %d steps, more than %d", text, name, steps, most)
		}
	})
}

func TestPatternsTakeFewStepsForDeepDirectories(t *testing.T) {
	t.Parallel()
	elements := slices.Repeat([]string{"a"}, 1000)
	for _, pattern := range [][]string{
		append(slices.Repeat([]string{"**"}, 500), "z"),
		append(slices.Repeat([]string{"**", "a"}, 250), "z"),
		append(append([]string{"**"}, slices.Repeat([]string{"a"}, 400)...), "z"),
	} {
		ok, steps := match(pattern, elements)
		if most := mostSteps(pattern, elements); ok || steps > most {
			t.Errorf("%d elements: matches %t in %d steps, want none in at most %d", len(pattern), ok, steps, most)
		}
	}
}

// Most patterns are the name of a file, which is compared with the last element only.
func TestNamesAreNotComparedWithEachDirectory(t *testing.T) {
	t.Parallel()
	elements := slices.Repeat([]string{"a"}, 1000)
	for _, pattern := range [][]string{{"**", "z"}, {"**", "z", "a"}, {"a", "**", "z"}} {
		if ok, steps := match(pattern, elements); ok || steps > len(pattern)+1 {
			t.Errorf("%q: matches %t in %d steps", pattern, ok, steps)
		}
	}
}

func TestTooManyPatterns(t *testing.T) {
	t.Parallel()
	all, errs := ParsePatterns(slices.Repeat([]string{"a"}, MaxPatterns+1))
	want := []string{":2001: more than 2000 patterns: exclude directories instead of their files"}
	var got []string
	for _, err := range errs {
		got = append(got, err.Error())
	}
	if diff := cmp.Diff(want, got); diff != "" || len(all) != MaxPatterns {
		t.Errorf("%d patterns, errors (-want +got):\n%s", len(all), diff)
	}
	if all, errs = ParsePatterns(slices.Repeat([]string{"a", "#"}, MaxPatterns)); len(all) != MaxPatterns ||
		errs != nil {
		t.Errorf("%d patterns with comments: %v", len(all), errs)
	}
}
