package plan_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
)

// TestGeneratedExamples writes the examples of `mixedkube explain` with -update.
func TestGeneratedExamples(t *testing.T) {
	t.Parallel()
	var found []rule.Finding
	for _, id := range slices.Sorted(maps.Keys(examples)) {
		found = append(found, examples[id].bad...)
	}
	ruletest.Explained(t, "../../../internal/cli/examples/kubeadm.json", ruletest.Found(found))
}
