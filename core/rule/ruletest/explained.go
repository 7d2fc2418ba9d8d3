package ruletest

import (
	"bytes"
	"encoding/json"
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
