package ruletest

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// Example is the example of a rule that `mixedkube explain` shows.
type Example struct {
	// Topology, Plan and Images are the contents of the files that the example needs.
	Topology string `json:"topology,omitempty"`
	Plan     string `json:"plan,omitempty"`
	Images   string `json:"images,omitempty"`
	// Wrong is an object that breaks the rule, and Right is the corrected object. Both are empty for a rule about the
	// arguments of a component.
	Wrong string `json:"wrong,omitempty"`
	// Findings are the findings for Wrong, and Fix is the fix of the first one.
	Findings []string `json:"findings"`
	Fix      string   `json:"fix"`
	Right    string   `json:"right,omitempty"`
}

// Add adds a finding.
func (e *Example) Add(f rule.Finding, shown string) {
	if len(e.Findings) == 0 {
		e.Fix = f.Fix
	}
	e.Findings = append(e.Findings, shown)
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
			examples[f.Rule] = &Example{}
			examples[f.Rule].Add(f, string(f.Severity)+": "+f.String())
		}
	}
	return examples
}
