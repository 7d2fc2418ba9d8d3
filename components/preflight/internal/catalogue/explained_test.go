package catalogue

import (
	"path/filepath"
	"testing"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/rule/ruletest"
)

// TestGeneratedExamples writes the examples of `mixedkube explain` with -update.
func TestGeneratedExamples(t *testing.T) {
	t.Parallel()
	all := map[string]*ruletest.Example{}
	for _, rule := range preflight.Rules() {
		e, err := readExample(filepath.Join(examples, rule.ID))
		if err != nil {
			t.Fatal(err)
		}
		x := &ruletest.Example{Topology: e.topology, Images: e.images, Wrong: abbreviate(e.bad), Right: e.good}
		for _, f := range findings(t, e, e.bad) {
			if f.Rule == rule.ID {
				x.Add(f, abbreviate(string(f.Severity)+": "+f.String()))
			}
		}
		all[rule.ID] = x
	}
	ruletest.Explained(t, "../../../../internal/cli/examples/manifests.json", all)
}
