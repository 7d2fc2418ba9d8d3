package examples

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/manifests/helmchart"
)

func TestEachRuleHasAnExample(t *testing.T) {
	t.Parallel()
	for _, rule := range preflight.Rules() {
		t.Run(rule.ID, func(t *testing.T) {
			t.Parallel()
			e, err := read(files, rule.ID)
			if err != nil {
				t.Fatal(err)
			}
			var reported bool
			// Examples are short: they leave out what is only good to know about others.
			aside := func(f preflight.Finding) bool { return f.Severity == preflight.Info && f.Rule != rule.ID }
			for _, f := range findings(t, e, e.bad) {
				switch {
				case f.Rule == rule.ID:
					reported = true
					if f.Severity != rule.Severity {
						t.Errorf("bad.yaml: the severity is %s, not %s: %s", f.Severity, rule.Severity, f)
					}
				case aside(f):
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
	examples, err := fs.ReadDir(files, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range examples {
		if !slices.ContainsFunc(preflight.Rules(), func(r preflight.Rule) bool { return r.ID == e.Name() }) {
			t.Errorf("%s: there is no such rule", e.Name())
			continue
		}
		files, err := fs.ReadDir(files, e.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if !slices.Contains([]string{"bad.yaml", "good.yaml", topologyFile, planFile, imagesFile}, file.Name()) {
				t.Errorf("%s/%s: no test reads it", e.Name(), file.Name())
			}
		}
	}
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
		" (use kubernetesVersion, cloud, pools, missingFeatures, matching, partial or runtimeClasses)")
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

func TestOf(t *testing.T) {
	t.Parallel()
	e, found, err := Of("MK111")
	if err != nil || !found {
		t.Fatalf("%v, %v", found, err)
	}
	if want := "hostPID: true\n"; !strings.Contains(e.Wrong, want) || strings.Contains(e.Right, want) {
		t.Errorf("the objects are\n%s\n%s, want %q in the first only", e.Wrong, e.Right, want)
	}
	if len(e.Findings) != 1 || !strings.HasPrefix(e.Findings[0], "error: spec.hostPID: ") ||
		!strings.HasSuffix(e.Findings[0], ": "+e.Fix+" (MK111)") {
		t.Errorf("the findings are %q, and the fix is %q", e.Findings, e.Fix)
	}
	for _, r := range helmchart.Rules() {
		if e, found, err := Of(r.ID); err != nil || !found || len(e.Findings) == 0 || e.Fix == "" || e.Wrong != "" {
			t.Errorf("%s: %+v, %v, %v, want findings about a chart", r.ID, e, found, err)
		}
	}
	if e, found, err := Of("MK702"); err != nil || found {
		t.Errorf("a rule about the arguments of a cluster: %+v, %v, %v", e, found, err)
	}
}
