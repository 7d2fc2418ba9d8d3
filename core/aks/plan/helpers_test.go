package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/internal/core/aks/examples"
)

// The good cluster of the examples, and their changes of it.
var (
	good, both, on, version    = examples.Good, examples.Both, examples.On, examples.Version
	linuxOnly, system, windows = examples.LinuxOnly, examples.System, examples.Windows
	platforms, network         = examples.Platforms, examples.Network
	options, poolOptions       = examples.Options, examples.PoolOptions
	gmsa, of                   = examples.GMSA, examples.Of
)

const goodPassword = examples.GoodPassword

// wantFindings compares severities, paths and rules: testdata/sentences.txt has the sentences.
func wantFindings(t *testing.T, got []preflight.Finding, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, brief(got)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// brief returns findings without their sentences.
func brief(findings []preflight.Finding) []string {
	var texts []string
	for _, f := range findings {
		texts = append(texts, string(f.Severity)+": "+ruletest.Brief(f))
	}
	return texts
}

type obj = map[string]any
