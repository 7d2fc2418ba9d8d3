package cli

import (
	"embed"
	"encoding/json"
	"io/fs"

	"github.com/mixedkube/mixedkube/internal/core/preflight/examples"
)

// exampleOf returns the example of a rule, or nil if it has none. The examples of clusters are those of
// clusterExamples.
func exampleOf(id string, clusters map[string]*examples.Example) (*examples.Example, error) {
	e, found, err := examples.Of(id)
	if err != nil {
		return nil, err
	}
	if !found {
		return clusters[id], nil
	}
	return &e, nil
}

// clusterFiles have the findings of rules about the arguments of a component by the IDs of the rules. The tests of the
// rules write the files.
//
//go:embed examples/*.json
var clusterFiles embed.FS

// clusterExamples reads the files.
func clusterExamples() map[string]*examples.Example {
	type read struct {
		Findings []string `json:"findings"`
		Fix      string   `json:"fix"`
	}
	found := map[string]*examples.Example{}
	paths, err := fs.Glob(clusterFiles, "examples/*.json")
	for _, path := range paths {
		text, readErr := clusterFiles.ReadFile(path)
		some := map[string]read{}
		if readErr == nil {
			readErr = json.Unmarshal(text, &some)
		}
		if readErr != nil {
			err = readErr
		}
		for id, e := range some {
			found[id] = &examples.Example{Findings: e.Findings, Fix: e.Fix}
		}
	}
	if err != nil {
		panic("examples: " + err.Error()) // the tests write and read them
	}
	return found
}
