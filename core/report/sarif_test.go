package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule"
)

func TestPathsInSARIFAreRelativeAndEscaped(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"a/b.yaml":        "a/b.yaml",
		"a b#c.yaml":      "a%20b%23c.yaml",
		"c:d.yaml":        "./c:d.yaml",
		"../a.yaml":       "../a.yaml",
		"/nowhere/a.yaml": "file:///nowhere/a.yaml",
		filepath.ToSlash(filepath.Join(here, "testdata", "ä.yaml")): "testdata/%C3%A4.yaml",
	} {
		if got := uri(here, file); got != want {
			t.Errorf("uri(%q) = %q, want %q", file, got, want)
		}
	}
}

// readSARIF reads the report, and fails for keys that are not part of the standard.
func readSARIF(t *testing.T, r *Report, root string) sarifRun {
	t.Helper()
	var text bytes.Buffer
	if err := r.WriteSARIF(&text, preflight.Rules(), root); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	decoder := json.NewDecoder(&text)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&log); err != nil {
		t.Fatal(err)
	}
	if len(log.Runs) != 1 || log.Version != "2.1.0" {
		t.Fatalf("%d runs of version %s", len(log.Runs), log.Version)
	}
	return log.Runs[0]
}

func TestSARIFHasTheRules(t *testing.T) {
	t.Parallel()
	run, rules := readSARIF(t, &Report{}, "/"), preflight.Rules()
	if len(run.Tool.Driver.Rules) != len(rules) || len(rules) == 0 {
		t.Fatalf("%d rules, want %d", len(run.Tool.Driver.Rules), len(rules))
	}
	for i, rule := range run.Tool.Driver.Rules {
		level := map[preflight.Severity]string{
			"error": "error", "warning": "warning", "info": "note",
		}[rules[i].Severity]
		if rule.ID != rules[i].ID || rule.DefaultConfiguration.Level != level || rule.ShortDescription.Text == "" ||
			rule.FullDescription.Text == "" || rule.Help.Text == "" {
			t.Errorf("rule %d is %+v, want that of %+v", i, rule, rules[i])
		}
		if !strings.HasSuffix(rule.HelpURI, ".md#"+strings.ToLower(rule.ID)) {
			t.Errorf("the address of %s is %q", rule.ID, rule.HelpURI)
		}
	}
}

// Code scanning shows a result at a file, and merges two results of the same rule at the same line.
func TestSARIFOfAProgram(t *testing.T) {
	t.Parallel()
	finding := func(name string, by Suppressor) Finding {
		return Finding{
			Finding: rule.Finding{
				Rule: "MK111", Severity: rule.Error, Path: "spec.hostPID", Detail: "no", Suppressed: by != "",
			},
			Object: Object{
				Resource: "urn:pulumi:dev::shop::kubernetes:core/v1:Pod::" + name, Kind: "Pod",
			},
			SuppressedBy: by, Reason: "why " + string(by),
		}
	}
	run := readSARIF(t, &Report{
		Findings: []Finding{finding("a", ""), finding("b", ByObject), finding("c", ByIgnore), finding("d", ByBaseline)},
		Program:  "/src/shop/infra/Pulumi.yaml", Problems: []error{errors.New("the program has failed")},
	}, "/src/shop")
	fingerprints := map[string]bool{}
	for i, want := range []struct {
		name         string
		suppressions []sarifSuppression
	}{
		{"a", []sarifSuppression{}},
		{"b", []sarifSuppression{{"inSource", "why object"}}},
		{"c", []sarifSuppression{{"external", "why ignore"}}},
		{"d", []sarifSuppression{{"external", "why baseline"}}},
	} {
		got := run.Results[i]
		if diff := cmp.Diff(want.suppressions, got.Suppressions); diff != "" {
			t.Errorf("%s: suppressions (-want +got):\n%s", want.name, diff)
		}
		if text := "Pod/" + want.name + ": spec.hostPID: no (MK111)"; got.Message.Text != text {
			t.Errorf("%q, want %q", got.Message.Text, text)
		}
		wantAt := sarifLocation{
			&sarifPhysicalLocation{sarifArtifact{"infra/Pulumi.yaml"}, &sarifRegion{1}},
			[]sarifLogicalLocation{{
				want.name, "urn:pulumi:dev::shop::kubernetes:core/v1:Pod::" + want.name, "resource",
			}},
		}
		if diff := cmp.Diff([]sarifLocation{wantAt}, got.Locations); diff != "" {
			t.Errorf("%s: locations (-want +got):\n%s", want.name, diff)
		}
		fingerprints[got.PartialFingerprints["primaryLocationLineHash"]] = true
	}
	if len(fingerprints) != 4 || fingerprints[""] {
		t.Errorf("fingerprints %v, want four", fingerprints)
	}
	if inv := run.Invocations[0]; inv.ExecutionSuccessful ||
		inv.ToolExecutionNotifications[0].Message.Text != "the program has failed" {
		t.Errorf("invocation %+v", inv)
	}
}
