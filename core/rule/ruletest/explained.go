package ruletest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// Example has the findings of a rule about the arguments of a component, which `mixedkube explain` shows.
type Example struct {
	// Findings are the findings, and Fix is the fix of the first one.
	Findings []string `json:"findings"`
	Fix      string   `json:"fix"`
}

// Explained compares the examples, keyed by rule ID, with the golden file at path, or updates the file.
func Explained(t *testing.T, path string, examples map[string]*Example) {
	t.Helper()
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(examples); err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, path, text.String())
}

// Found returns an example for the rule of each finding, built from the rule's first finding.
func Found(findings []rule.Finding) map[string]*Example {
	examples := map[string]*Example{}
	for _, f := range findings {
		if f.Rule != "" && examples[f.Rule] == nil {
			examples[f.Rule] = &Example{Findings: []string{string(f.Severity) + ": " + f.String()}, Fix: f.Fix}
		}
	}
	return examples
}

// Sentences returns the texts of findings, one for each problem and fix, in the order of the rules. It leaves out those
// of the examples.
func Sentences(findings []rule.Finding, examples map[string]*Example) string {
	seen := map[[3]string]bool{}
	lines := []string{"# The sentences that `mixedkube explain` does not show. Written by `make generate`.\n"}
	for _, f := range slices.SortedStableFunc(slices.Values(findings), func(a, b rule.Finding) int {
		return cmp.Compare(a.Rule, b.Rule)
	}) {
		key := [3]string{f.Rule, f.Detail, f.Fix}
		text := string(f.Severity) + ": " + f.String()
		if e := examples[f.Rule]; !seen[key] && (e == nil || e.Findings[0] != text) {
			lines = append(lines, text+"\n")
		}
		seen[key] = true
	}
	return strings.Join(lines, "")
}
