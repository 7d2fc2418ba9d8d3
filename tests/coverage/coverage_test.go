package coverage

import (
	"go/ast"
	"go/parser"
	"go/token"
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
		for _, commit := range []string{s.Commit, s.Later.Commit} {
			if commit != "" && !isCommit.MatchString(commit) {
				t.Errorf("%s: the commit %s is neither one of 40 digits nor a tag such as v1.36.3", s.file, commit)
			}
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
			if strings.Contains(r.Not, "Linux only") {
				t.Errorf("%s: not: the Linux pools of a mixed cluster are a part of it", at)
			}
			if r.Open != "" && r.Do == "" {
				t.Errorf("%s: does not say what to do", at)
			}
			if problem := quoteProblem(r.Page, r.Quote, fileOfProject); problem != "" {
				t.Errorf("%s: says: %q %s", at, r.Quote, problem)
			}
		}
	}
}

// existing is what fates can name.
type existing struct {
	rules, facts map[string]bool
	notSimulated string
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
			file, name, found := strings.Cut(place, ":")
			if !found {
				return "has no function"
			}
			if !slices.Contains(declared(file), name) {
				return "is not a function, method or variable of the simulated Azure"
			}
		}
	case "lab":
		if !strings.Contains(e.notSimulated, text) {
			return "is not in NOT_SIMULATED.md"
		}
	case "open":
		if !slices.Contains([]string{"H", "M", "L"}, text) {
			return "is not H, M or L"
		}
	}
	return ""
}

// declared returns the names of the functions, methods, variables and constants of a file of the simulated Azure.
func declared(file string) []string {
	var names []string
	for _, dir := range []string{"arm", "."} {
		path := filepath.Join(root, "internal", "azuresim", dir, filepath.FromSlash(file))
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range parsed.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				names = append(names, d.Name.Name)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if value, ok := spec.(*ast.ValueSpec); ok {
						for _, name := range value.Names {
							names = append(names, name.Name)
						}
					}
				}
			}
		}
	}
	return names
}

// fileOfProject returns a file of this project, or an empty string.
func fileOfProject(path string) string {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		return ""
	}
	return string(text)
}
