package cli

import (
	"embed"
	"encoding/json"
	"io/fs"
	"maps"

	"github.com/mixedkube/mixedkube/internal/core/preflight/examples"
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

// exampleOf returns the example of a rule, or nil if it has none. The examples of clusters are those of
// clusterExamples.
func exampleOf(id string, clusters map[string]*example) (*example, error) {
	e, found, err := examples.Of(id)
	if err != nil {
		return nil, err
	}
	if !found {
		return clusters[id], nil
	}
	return &example{
		Topology: e.Topology, Plan: e.Plan, Images: e.Images, Wrong: e.Wrong, Findings: e.Findings, Right: e.Right,
		fix: e.Fix,
	}, nil
}

// clusterFiles have the findings of rules about the arguments of a component by the IDs of the rules. The tests of the
// rules write the files.
//
//go:embed examples/*.json
var clusterFiles embed.FS

// clusterExamples reads the files.
func clusterExamples() map[string]*example {
	type read struct {
		Findings []string `json:"findings"`
		Fix      string   `json:"fix"`
	}
	all := map[string]read{}
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
		maps.Copy(all, some)
	}
	if err != nil {
		panic("examples: " + err.Error()) // the tests write and read them
	}
	found := map[string]*example{}
	for id, e := range all {
		found[id] = &example{Findings: e.Findings, fix: e.Fix}
	}
	return found
}
