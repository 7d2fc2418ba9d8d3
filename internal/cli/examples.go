package cli

import (
	"embed"
	"encoding/json"
	"io/fs"
	"maps"
)

// example shows a rule: objects that break it, the findings about them, and the fixed objects.
type example struct {
	// Topology, Plan and Images are the files that the example needs, empty if it needs none.
	Topology string `json:"topology"`
	Plan     string `json:"plan"`
	Images   string `json:"images"`
	// Wrong and Right are empty for a rule about the arguments of a component.
	Wrong string `json:"wrong"`
	// Findings are the findings of the rule about Wrong, with their severity.
	Findings []string `json:"findings"`
	Right    string   `json:"right"`
	// fix is the fix of the first finding.
	fix string
}

// exampleFiles have examples by the IDs of their rules. The tests of the rules write the files.
//
//go:embed examples/*.json
var exampleFiles embed.FS

// readExamples returns the examples by the IDs of rules. Some rules have none.
func readExamples() map[string]example {
	type read struct {
		example

		Fix string `json:"fix"`
	}
	all := map[string]read{}
	paths, err := fs.Glob(exampleFiles, "examples/*.json")
	for _, path := range paths {
		text, readErr := exampleFiles.ReadFile(path)
		some := map[string]read{}
		if readErr == nil {
			readErr = json.Unmarshal(text, &some)
		}
		if readErr != nil {
			err = readErr
		}
		maps.Copy(all, some)
	}
	if err != nil {
		panic("examples: " + err.Error()) // the tests write and read them
	}
	examples := map[string]example{}
	for id, e := range all {
		e.fix = e.Fix
		examples[id] = e.example
	}
	return examples
}
