package plan_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/machines/kubeadm/examples"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// TestGeneratedSentences compares what the rules say about all inputs of the tests, which compare paths and IDs.
func TestGeneratedSentences(t *testing.T) {
	t.Parallel()
	var found []rule.Finding
	for _, check := range allChecks(t) {
		found = append(found, check()...)
	}
	// The tests of the packages that it wraps have the sentences of MK661.
	other := examples.Rules["MK661"].Bad()[0].Detail
	found = slices.DeleteFunc(found, func(f rule.Finding) bool {
		// The test of package aged has the sentence of MK676, which has a day that changes.
		return f.Rule == "MK661" && f.Detail != other || f.Rule == "MK676"
	})
	golden.Equal(t, "testdata/sentences.txt", ruletest.Sentences(found))
}

// allChecks returns the checks of all inputs of the tests.
func allChecks(t *testing.T) []func() []rule.Finding {
	t.Helper()
	var all []func() []rule.Finding
	for _, id := range slices.Sorted(maps.Keys(examples.Rules)) {
		all = append(all, examples.Rules[id].Bad)
	}
	for _, tt := range wrongClusters {
		all = append(all, good(tt.kind, tt.change).Validate)
	}
	for _, tt := range wrongPools {
		all = append(all, joining(tt.change).Validate)
	}
	keys := wrongKeys(t)
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		all = append(all, keys[name].keys.Validate)
	}
	return append(all, wrongAdmins, missingSteps,
		func() []rule.Finding { return reach(plan.APIServer{AuthorizedIPRanges: everyone}) })
}
