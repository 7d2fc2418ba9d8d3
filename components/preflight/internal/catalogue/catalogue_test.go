// Package catalogue writes RULES.md, the catalogue of preflight's rules. A test generates it from the table of rules
// and the examples in testdata/rules, so the two cannot differ.
package catalogue

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/golden"
	"github.com/mixedkube/mixedkube/internal/helmchart"
)

var (
	pkg      = filepath.Join("..", "..")
	examples = filepath.Join(pkg, "testdata", "rules")
)

// together are rules that are broken together: the findings of the second ones follow from the first.
var together = map[string][]string{}

func TestEachRuleHasAnExample(t *testing.T) {
	t.Parallel()
	for _, rule := range preflight.Rules() {
		t.Run(rule.ID, func(t *testing.T) {
			t.Parallel()
			e, err := readExample(filepath.Join(examples, rule.ID))
			if err != nil {
				t.Fatal(err)
			}
			var reported bool
			// Examples are short, so they also break rules with severity info.
			aside := func(f preflight.Finding) bool { return f.Severity == preflight.Info && f.Rule != rule.ID }
			for _, f := range findings(t, e, e.bad) {
				switch {
				case f.Rule == rule.ID:
					reported = true
					if f.Severity != rule.Severity {
						t.Errorf("bad.yaml: the severity is %s, not %s: %s", f.Severity, rule.Severity, f)
					}
				case aside(f), slices.Contains(together[rule.ID], f.Rule):
				default:
					t.Errorf("bad.yaml breaks another rule: %s: %s", f.Severity, f)
				}
			}
			if !reported {
				t.Error("bad.yaml does not break the rule")
			}
			for _, f := range slices.DeleteFunc(findings(t, e, e.good), aside) {
				t.Errorf("good.yaml: %s: %s", f.Severity, f)
			}
		})
	}
}

func findings(t *testing.T, e example, text string) []preflight.Finding {
	t.Helper()
	list, err := e.findings(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestEachExampleHasARule(t *testing.T) {
	t.Parallel()
	folders, err := os.ReadDir(examples)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if !slices.ContainsFunc(preflight.Rules(), func(r preflight.Rule) bool { return r.ID == folder.Name() }) {
			t.Errorf("testdata/rules/%s: there is no such rule", folder.Name())
			continue
		}
		files, err := os.ReadDir(filepath.Join(examples, folder.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if !slices.Contains([]string{"bad.yaml", "good.yaml", "topology.yaml", imagesFile}, file.Name()) {
				t.Errorf("testdata/rules/%s/%s: is not read by any test", folder.Name(), file.Name())
			}
		}
	}
}

func TestEachRuleAboutChartsIsShown(t *testing.T) {
	t.Parallel()
	for _, rule := range helmchart.Rules() {
		var b bytes.Buffer
		chartSection(&b, rule)
		if !strings.Contains(b.String(), " ("+rule.ID+")\n```\n") {
			t.Errorf("%s has no finding:\n%s", rule.ID, b.String())
		}
	}
}

// TestGeneratedRules writes RULES.md with -update.
func TestGeneratedRules(t *testing.T) {
	t.Parallel()
	text, err := render(preflight.Rules(), examples)
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, filepath.ToSlash(filepath.Join(pkg, "RULES.md")), string(text))
}

var (
	link     = regexp.MustCompile(`\]\(#([^)]*)\)`)
	headline = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

func TestLinksLead(t *testing.T) {
	t.Parallel()
	text, err := render(preflight.Rules(), examples)
	if err != nil {
		t.Fatal(err)
	}
	anchors := map[string]int{}
	for _, match := range headline.FindAllStringSubmatch(string(text), -1) {
		anchors[anchor(match[1])]++
	}
	links := link.FindAllStringSubmatch(string(text), -1)
	if len(links) < len(preflight.Rules()) {
		t.Errorf("%d links for %d rules", len(links), len(preflight.Rules()))
	}
	for _, match := range links {
		if anchors[match[1]] != 1 {
			t.Errorf("#%s leads to %d headings", match[1], anchors[match[1]])
		}
	}
}

func TestRenderNeedsAllExamples(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(examples)); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(dir, "MK118", "good.yaml")
	if err := os.Remove(missing); err != nil {
		t.Fatal(err)
	}
	_, err := render(preflight.Rules(), dir)
	wantError(t, "without an example", err, "open "+missing+": no such file or directory")
}

func TestRenderKnowsAllGroups(t *testing.T) {
	t.Parallel()
	_, err := render([]preflight.Rule{{ID: "MK701"}}, examples)
	wantError(t, "a rule of no group", err, "1 rules belong to no group")
}

func wantError(t *testing.T, what string, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("%s: got error %q, want %q", what, got, want)
	}
}

func TestReadTopology(t *testing.T) {
	t.Parallel()
	_, err := readTopology("pools: []\n---\npools: []\n")
	wantError(t, "two topologies", err, "2 documents, not one")
	_, err = readTopology("pols: []\npools: [{name: a, platform: linux}]\n")
	wantError(t, "a misspelled field", err, `topology: pols: Invalid value: "pols": unknown key: did you mean "pools"?`+
		" (there are kubernetesVersion, cloud, pools, lacks, matching)")
}

func TestVersions(t *testing.T) {
	t.Parallel()
	for want, rule := range map[string]preflight.Rule{
		"":                              {},
		", Kubernetes 1.34 and later":   {Since: "1.34"},
		", Kubernetes 1.35 and earlier": {Until: "1.35"},
		", Kubernetes 1.34 to 1.35":     {Since: "1.34", Until: "1.35"},
	} {
		if got := versions(rule); got != want {
			t.Errorf("since %q until %q: got %q, want %q", rule.Since, rule.Until, got, want)
		}
	}
}

func TestAbbreviate(t *testing.T) {
	t.Parallel()
	whole := strings.Repeat("a", longest)
	if got := abbreviate(whole + "\nb\n"); got != whole+"\nb\n" {
		t.Errorf("a line of %d bytes was shortened: %s", longest, got)
	}
	if got, want := abbreviate(whole+"b\n"),
		strings.Repeat("a", head)+" … 101 bytes … "+strings.Repeat("a", tail-1)+"b\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAnchor(t *testing.T) {
	t.Parallel()
	for heading, want := range map[string]string{
		"MK102: os.name is neither linux nor windows": "mk102-osname-is-neither-linux-nor-windows",
		"Accepted, and wrong on Windows":              "accepted-and-wrong-on-windows",
		"host-process x_y":                            "host-process-x_y",
	} {
		if got := anchor(heading); got != want {
			t.Errorf("%q: got %q, want %q", heading, got, want)
		}
	}
}
