package catalogue

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/golden"
)

// explained is an example as `mixedkube explain` reads it.
type explained struct {
	Topology string   `json:"topology,omitempty"`
	Images   string   `json:"images,omitempty"`
	Wrong    string   `json:"wrong"`
	Findings []string `json:"findings"`
	Fix      string   `json:"fix"`
	Right    string   `json:"right"`
}

// TestGeneratedExamples writes the examples of `mixedkube explain` with -update.
func TestGeneratedExamples(t *testing.T) {
	t.Parallel()
	all := map[string]explained{}
	for _, rule := range preflight.Rules() {
		e, err := readExample(filepath.Join(examples, rule.ID))
		if err != nil {
			t.Fatal(err)
		}
		x := explained{Topology: e.topology, Images: e.images, Wrong: abbreviate(e.bad), Right: e.good}
		for _, f := range findings(t, e, e.bad) {
			if f.Rule != rule.ID {
				continue
			}
			if len(x.Findings) == 0 {
				x.Fix = f.Fix
			}
			x.Findings = append(x.Findings, abbreviate(string(f.Severity)+": "+f.String()))
		}
		all[rule.ID] = x
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(all); err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, filepath.ToSlash(filepath.Join(pkg, "..", "..", "internal", "cli", "examples.json")), text.String())
}
