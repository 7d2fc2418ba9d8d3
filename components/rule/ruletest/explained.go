package ruletest

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/golden"
)

// Example is a rule as `mixedkube explain` shows it.
type Example struct {
	// Topology and Images are files that the example needs.
	Topology string `json:"topology,omitempty"`
	Images   string `json:"images,omitempty"`
	// Wrong and Right are objects that break the rule, and what they become; empty for a rule about
	// the arguments of a component.
	Wrong string `json:"wrong,omitempty"`
	// Findings are what is said of Wrong, and Fix is what the first of them says to do.
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

// Explained compares examples by the IDs of their rules with the file at a path, or writes it.
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

// Found are examples of the rules of findings: of each rule the first finding.
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
