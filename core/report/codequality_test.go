package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// readIssues reads the report, and fails for unknown keys.
func readIssues(t *testing.T, r *Report, root string) []issue {
	t.Helper()
	var text bytes.Buffer
	if err := r.WriteCodeQuality(&text, root); err != nil {
		t.Fatal(err)
	}
	var issues []issue
	decoder := json.NewDecoder(&text)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&issues); err != nil || issues == nil {
		t.Fatalf("%v, %v", issues, err)
	}
	return issues
}

// lines returns one line for each issue.
func lines(issues []issue) []string {
	got := make([]string, 0, len(issues))
	for _, i := range issues {
		at := fmt.Sprintf("%s:%d", i.Location.Path, i.Location.Lines.Begin)
		got = append(got, fmt.Sprintf("%s %s %s %s", at, i.Severity, i.CheckName, i.Description))
	}
	return got
}

func TestCodeQualityHasUnsuppressedFindings(t *testing.T) {
	t.Parallel()
	want := []string{
		"a.yaml:7 major MK111 Pod/bad: a: no (MK111)",
		"a.yaml:8 minor MK111 Pod/bad: b: no (MK111)",
		"a.yaml:9 major MK111 Pod/bad: c: no (MK111)",
		`c.yaml:1 info MK111 Pod/<&>\x01: d: no (MK111)`,
		"a.yaml:3 blocker unreadable a.yaml:3: a tab",
		"d.yaml:1 blocker unreadable d.yaml: is a directory",
	}
	if diff := cmp.Diff(want, lines(readIssues(t, mixed(), "/"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, i := range readIssues(t, mixed(), "/") {
		link := issueContent{"[MK111](" + rule.URL("MK111") + ")"}
		if i.CheckName == "MK111" && *i.Content != link || i.CheckName == unreadable && i.Content != nil {
			t.Errorf("%s shows %v", i.CheckName, i.Content)
		}
	}
	if issues := readIssues(t, &Report{}, "/"); len(issues) != 0 {
		t.Errorf("an empty report has %v", issues)
	}
}

// GitLab and code scanning use the fingerprints, in the files, to decide which findings a pull request adds and fixes.
func TestFingerprintsAreUniquePerFinding(t *testing.T) {
	t.Parallel()
	inGitLab := func(r *Report) []string {
		var all []string
		for _, i := range readIssues(t, r, "/src") {
			all = append(all, i.Fingerprint)
		}
		return all
	}
	inSARIF := func(r *Report) []string {
		var all []string
		for _, result := range readSARIF(t, r, "/src").Results {
			at := result.Locations[0].PhysicalLocation.ArtifactLocation.URI
			all = append(all, path.Clean(at)+" "+result.PartialFingerprints["primaryLocationLineHash"])
		}
		return all
	}
	// A file that cannot be read is an issue of GitLab, and no result in SARIF.
	t.Run("gitlab", func(t *testing.T) { t.Parallel(); testFingerprints(t, inGitLab, 6) })
	t.Run("sarif", func(t *testing.T) { t.Parallel(); testFingerprints(t, inSARIF, 5) })
}

func testFingerprints(t *testing.T, prints func(*Report) []string, n int) {
	t.Helper()
	pod := func(file, name string, line int, path string) Finding {
		return inFile(file, "Pod/"+name, line, wrongAt(path, rule.Error), "")
	}
	findings := []Finding{
		pod("a.yaml", "web", 7, "spec.a"), pod("a.yaml", "web", 7, "spec.b"), pod("a.yaml", "other", 7, "spec.a"),
		pod("b.yaml", "web", 7, "spec.a"),
		// Two objects with the same name, and one rule with two findings for the same field.
		pod("a.yaml", "web", 70, "spec.a"),
	}
	problem := &manifests.Error{File: "a.yaml", Line: 7, Detail: "a tab"}
	before := prints(&Report{Findings: findings, Problems: []error{problem}})
	if different := slices.Compact(slices.Sorted(slices.Values(before))); len(different) != n {
		t.Errorf("of %d fingerprints, %d are different: %q", n, len(different), before)
	}
	// Fixing one issue does not change the others.
	if diff := cmp.Diff(before[1:4], prints(&Report{Findings: findings[1:4]})); diff != "" {
		t.Errorf("the fingerprints change with other findings (-before +after):\n%s", diff)
	}
	for i := range findings {
		findings[i].Line += 100
		findings[i].Detail = "said in other words"
	}
	findings[0].File = "./a.yaml"
	findings[1].File = "/src/a.yaml"
	moved := *problem
	moved.Line = 99
	if diff := cmp.Diff(before, prints(&Report{Findings: findings, Problems: []error{&moved}})); diff != "" {
		t.Errorf("the fingerprints change with the lines (-before +after):\n%s", diff)
	}
}

func TestCodeQualityOfAProgram(t *testing.T) {
	t.Parallel()
	finding := func(stack string) Finding {
		return Finding{Finding: wrongAt("spec", rule.Error), Object: Object{
			Resource: "urn:pulumi:" + stack + "::shop::kubernetes:core/v1:Pod::web", Kind: "Pod",
		}}
	}
	issues := readIssues(t, &Report{
		Findings: []Finding{finding("dev"), finding("prod")}, Program: "/src/infra/Pulumi.yaml",
		Problems: []error{errors.New("the program has failed")},
	}, "/src")
	want := []string{
		"infra/Pulumi.yaml:1 major MK111 Pod/web: spec: no (MK111)",
		"infra/Pulumi.yaml:1 major MK111 Pod/web: spec: no (MK111)",
	}
	if diff := cmp.Diff(want, lines(issues)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if issues[0].Fingerprint == issues[1].Fingerprint {
		t.Error("two stacks have one fingerprint")
	}
}

func TestPathsInCodeQualityAreRelative(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"a/b.yaml": "a/b.yaml", "./a.yaml": "a.yaml", "a/../b.yaml": "b.yaml", "/src/a b.yaml": "a b.yaml",
		"/other/a.yaml": "/other/a.yaml", "stdin": "stdin",
	} {
		if got := relative("/src", file); got != want {
			t.Errorf("relative(%q) = %q, want %q", file, got, want)
		}
	}
}
