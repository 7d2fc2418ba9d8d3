package plan_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// TestGeneratedExamples writes the examples of `mixedkube explain`, and the other sentences of the rules, with -update.
func TestGeneratedExamples(t *testing.T) {
	t.Parallel()
	var found []rule.Finding
	for _, id := range slices.Sorted(maps.Keys(examples)) {
		found = append(found, examples[id].bad...)
	}
	explained := ruletest.Found(found)
	ruletest.Explained(t, "../../../internal/cli/examples/kubeadm.json", explained)
	for _, tt := range wrongClusters {
		found = append(found, good(tt.kind, tt.change).Validate()...)
	}
	for _, tt := range wrongPools {
		found = append(found, joining(tt.change).Validate()...)
	}
	for _, name := range slices.Sorted(maps.Keys(wrongKeys(t))) {
		found = append(found, wrongKeys(t)[name].keys.Validate()...)
	}
	found = slices.Concat(found, wrongAdmins(), missingSteps(), reach(plan.APIServer{AuthorizedIPRanges: everyone}))
	// The tests of the packages that it wraps have the sentences of MK661.
	found = slices.DeleteFunc(found, func(f rule.Finding) bool { return f.Rule == "MK661" })
	golden.Equal(t, "testdata/sentences.txt", ruletest.Sentences(found, explained))
}
