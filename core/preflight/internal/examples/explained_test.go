package examples

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/internal/core/manifests/helmchart"
)

// TestGeneratedExamples writes the examples of `mixedkube explain` with -update.
func TestGeneratedExamples(t *testing.T) {
	t.Parallel()
	all := map[string]*ruletest.Example{}
	for _, r := range preflight.Rules() {
		e, err := readExample(filepath.Join(dir, r.ID))
		if err != nil {
			t.Fatal(err)
		}
		x := &ruletest.Example{
			Topology: e.topology, Plan: e.plan, Images: e.images, Wrong: abbreviate(e.bad), Right: e.good,
		}
		for _, f := range findings(t, e, e.bad) {
			if f.Rule == r.ID {
				x.Add(f, abbreviate(string(f.Severity)+": "+f.String()))
			}
		}
		all[r.ID] = x
	}
	maps.Copy(all, ruletest.Found(chartFindings()))
	ruletest.Explained(t, "../../../../internal/cli/examples/manifests.json", all)
}

// chartFindings returns the findings about resources of Helm in a Pulumi program, which preflight does not see.
func chartFindings() []rule.Finding {
	properties := map[string]any{
		"chart": "shop", "namespace": "shop", "repositoryOpts": map[string]any{"repo": "https://charts.example.com"},
	}
	var all []rule.Finding
	for _, resource := range []string{helmchart.ChartType, helmchart.ReleaseType} {
		all = append(all, helmchart.Check(resource, "shop", properties, nil)...)
	}
	return all
}

// longest is the limit for the length of a line, in bytes. Longer lines are reduced to their head and their tail: the
// tail is the part of a finding with the fix.
const (
	longest = 400
	head    = 100
	tail    = 200
)

// abbreviate shortens lines that are too long to read.
func abbreviate(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if len(line) > longest {
			lines[i] = fmt.Sprintf("%s … %d bytes … %s", strings.ToValidUTF8(line[:head], ""), len(line)-head-tail,
				strings.ToValidUTF8(line[len(line)-tail:], ""))
		}
	}
	return strings.Join(lines, "\n")
}
