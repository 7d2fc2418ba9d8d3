package cli

import (
	_ "embed"
	"encoding/json"
)

// example shows a rule: objects that break it, what is said about them, and what they become.
type example struct {
	// Topology and Images are the files that the example needs, empty if it needs none.
	Topology string `json:"topology"`
	Images   string `json:"images"`
	Wrong    string `json:"wrong"`
	// Findings are those of the rule about Wrong, with their severity.
	Findings []string `json:"findings"`
	Right    string   `json:"right"`
	// Fix is that of the first finding.
	Fix string `json:"-"`
}

// examplesText has the examples of components/preflight/testdata/rules, by the IDs of their rules. Its
// catalogue writes the file.
//
//go:embed examples.json
var examplesText []byte

// readExamples reads the examples by the IDs of rules. Not all rules have one.
func readExamples() map[string]example {
	var read map[string]struct {
		example

		Fix string `json:"fix"`
	}
	if err := json.Unmarshal(examplesText, &read); err != nil {
		panic("examples.json: " + err.Error()) // the tests write and read it
	}
	examples := map[string]example{}
	for id, e := range read {
		e.example.Fix = e.Fix
		examples[id] = e.example
	}
	return examples
}
