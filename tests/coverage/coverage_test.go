package coverage

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/cli"
	"github.com/mixedkube/mixedkube/internal/core/facts/lives"
)

// longest is the longest statement: it is a note about a page, not a copy of it.
const longest = 120

// Each row has one fate, which exists.
func TestEachLimitationHasAFate(t *testing.T) {
	t.Parallel()
	all := sources(t)
	if len(all) < 200 {
		t.Fatalf("there are only %d pages", len(all))
	}
	known := fates(t)
	for _, s := range all {
		if s.Page == "" || s.Commit == "" && s.Day == "" {
			t.Errorf("%s: has no page, or neither a commit nor a day", s.file)
		}
		ids := map[string]bool{}
		for _, r := range s.Rows {
			at := s.file + "#" + r.ID
			if r.ID == "" || ids[r.ID] || r.Line < 0 || r.States == "" || len([]rune(r.States)) > longest {
				t.Errorf("%s: the ID is missing or there twice, or the statement is missing or too long", at)
			}
			ids[r.ID] = true
			if found := r.fates(); len(found) != 1 {
				t.Errorf("%s: has %d fates: %v", at, len(found), found)
			}
			for key, text := range r.fates() {
				if problem := known.problem(key, text); problem != "" {
					t.Errorf("%s: %s: %q %s", at, key, text, problem)
				}
			}
			if r.Open != "" && r.Do == "" {
				t.Errorf("%s: does not say what to do", at)
			}
		}
	}
}

// existing is what fates can name.
type existing struct {
	rules, facts map[string]bool
	notSimulated string
	// functions returns the source of a file of the simulated Azure.
	functions func(file string) string
}

func fates(t *testing.T) existing {
	t.Helper()
	e := existing{rules: map[string]bool{}, facts: map[string]bool{}}
	for _, r := range cli.Rules() {
		e.rules[r.ID] = true
	}
	for _, l := range lives.All() {
		for _, name := range l.Names {
			e.facts[name] = true
		}
	}
	text, err := os.ReadFile(root + "/internal/azuresim/NOT_SIMULATED.md")
	if err != nil {
		t.Fatal(err)
	}
	e.notSimulated = string(text)
	e.functions = func(file string) string {
		for _, dir := range []string{"arm", "."} {
			text, err := os.ReadFile(filepath.Join(root, "internal", "azuresim", dir, filepath.FromSlash(file)))
			if err == nil {
				return string(text)
			}
		}
		return ""
	}
	return e
}

// problem returns why a fate does not exist, or an empty string.
func (e existing) problem(key, text string) string {
	switch key {
	case "rule":
		for id := range strings.FieldsSeq(text) {
			if !e.rules[id] {
				return "is not a rule"
			}
		}
	case "fact":
		for name := range strings.FieldsSeq(text) {
			if !e.facts[name] {
				return "is not a fact"
			}
		}
	case "sim":
		for place := range strings.FieldsSeq(text) {
			file, function, found := strings.Cut(place, ":")
			if !found {
				return "has no function"
			}
			if !strings.Contains(e.functions(file), function) {
				return "is not in the simulated Azure"
			}
		}
	case "lab":
		if !strings.Contains(e.notSimulated, text) {
			return "is not in NOT_SIMULATED.md"
		}
	case "page":
		for file := range strings.FieldsSeq(text) {
			file, _, _ = strings.Cut(file, "#")
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(file))); err != nil {
				return "is not a page"
			}
		}
	case "open":
		if !slices.Contains([]string{"H", "M", "L"}, text) {
			return "is not H, M or L"
		}
	}
	return ""
}

// The page names the other page of each contradiction, if it is one of those that were read.
func TestContradictionsNameAPage(t *testing.T) {
	t.Parallel()
	files := map[string]bool{}
	for _, s := range sources(t) {
		files[strings.TrimSuffix(filepath.Base(s.file), ".yaml")] = true
	}
	found := 0
	for _, s := range sources(t) {
		for _, r := range s.Rows {
			if r.Against != "" {
				found++
			}
		}
	}
	if found < 50 || len(files) < 200 {
		t.Errorf("%d contradictions on %v pages", found, slices.Sorted(maps.Keys(files)))
	}
}
