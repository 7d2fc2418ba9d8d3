package rulepages

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/cli"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// root is the root of the checkout, and directory the directory of the pages.
const (
	root = "../.."
	dir  = root + "/" + rulepages.Dir
)

// longest is how many lines a page may have.
const longest = 1000

// TestGeneratedPages writes docs/rules with -update.
func TestGeneratedPages(t *testing.T) {
	t.Parallel()
	files := render(explain(t))
	for name, text := range files {
		golden.Equal(t, dir+"/"+name, text)
		if lines := strings.Count(text, "\n"); lines > longest {
			t.Errorf("%s has %d lines, and at most %d are easy to read: move rules to another page of "+
				"internal/core/rule/rulepages", name, lines, longest)
		}
	}
	entries, err := os.ReadDir(filepath.FromSlash(dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if files[entry.Name()] == "" {
			t.Errorf("%s/%s: no page has this file name: delete it", rulepages.Dir, entry.Name())
		}
	}
}

func TestEachRuleIsOnOnePage(t *testing.T) {
	t.Parallel()
	rules := map[string]int{}
	for _, r := range cli.Rules() {
		var pages []string
		for _, p := range rulepages.Pages() {
			if p.Has(r.ID) {
				pages = append(pages, p.File())
				rules[p.Name]++
			}
		}
		if len(pages) != 1 {
			t.Errorf("%s is on the pages %q, want one: see internal/core/rule/rulepages/pages.go", r.ID, pages)
		}
	}
	for _, p := range rulepages.Pages() {
		if rules[p.Name] == 0 {
			t.Errorf("%s has no rules", p.File())
		}
	}
}

// The address of each rule leads to a page of the repository, and to the rule on it.
func TestEachURLLeadsToItsRule(t *testing.T) {
	t.Parallel()
	const repository = "https://github.com/mixedkube/mixedkube/blob/main/"
	for _, r := range explain(t) {
		path, fragment, _ := strings.Cut(strings.TrimPrefix(r.URL, repository), "#")
		if r.URL != rule.URL(r.ID) || path == r.URL || fragment == "" {
			t.Errorf("the address of %s is %s", r.ID, r.URL)
			continue
		}
		at := `<a id="` + fragment + `"></a>` + "\n\n"
		if text := read(t, root+"/"+path); strings.Count(text, at) != 1 || !strings.Contains(text, at+heading(r)+"\n") {
			t.Errorf("%s does not lead to %s", r.URL, heading(r))
		}
	}
	if got := rule.URL("MK508"); got != repository+rulepages.Dir+"/README.md" {
		t.Errorf("the address of a withdrawn rule is %s", got)
	}
}

var (
	link = regexp.MustCompile(`\]\(([^)#:]+\.md)(?:#([^)]*))?\)`)
	code = regexp.MustCompile("(?ms)^```.*?^```$")
)

func TestLinksBetweenPagesResolve(t *testing.T) {
	t.Parallel()
	links := 0
	for name, text := range render(explain(t)) {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(text, ""), -1) {
			links++
			if target := read(t, dir+"/"+m[1]); m[2] != "" && !strings.Contains(target, anchor(m[2])) {
				t.Errorf("%s: %s has no such anchor", name, m[0])
			}
		}
	}
	if want := 2 * len(cli.Rules()); links < want {
		t.Errorf("there are %d links, want at least %d: two to each rule", links, want)
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]explained{
		"":                              {},
		", Kubernetes 1.34 and later":   {Since: "1.34"},
		", Kubernetes 1.35 and earlier": {Until: "1.35"},
		", Kubernetes 1.34 to 1.35":     {Since: "1.34", Until: "1.35"},
	} {
		if got := versions(r); got != want {
			t.Errorf("since %q until %q: got %q, want %q", r.Since, r.Until, got, want)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
