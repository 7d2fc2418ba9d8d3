package plan_test

import (
	"slices"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/internal/core/aks/examples"
	"github.com/mixedkube/mixedkube/internal/core/rule/aged"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// TestGeneratedSentences compares what the rules say about all inputs of the tests, which compare paths and IDs.
func TestGeneratedSentences(t *testing.T) {
	t.Parallel()
	var found []preflight.Finding
	for _, check := range allChecks() {
		found = append(found, check()...)
	}
	// The test of package aged has the sentence of MK888, which has a day that changes.
	found = slices.DeleteFunc(found, func(f preflight.Finding) bool { return f.Rule == "MK888" })
	golden.Equal(t, "testdata/sentences.txt", ruletest.Sentences(found))
}

// allChecks returns the checks of all inputs of the tests.
func allChecks() []func() []preflight.Finding {
	openTo := func(c *plan.Cluster) { c.APIServer.AuthorizedIPRanges = everyone }
	all := []func() []preflight.Finding{
		func() []preflight.Finding { return plan.CheckReach(good(nil), plan.InAzure{}) },
		func() []preflight.Finding { return plan.CheckReach(good(openTo), plan.InAzure{}) },
		func() []preflight.Finding { return plan.CheckCluster(plan.Cluster{}) },
		func() []preflight.Finding { return plan.CheckAuthorizedIPRanges([]string{"203.0.113.0/33"}) },
		func() []preflight.Finding { return plan.CheckCluster(good(afterSupport)) },
		func() []preflight.Finding {
			return plan.CheckPasswordInAzure(plan.WindowsAdmin{Password: "hush"}, place)
		},
		func() []preflight.Finding {
			return plan.CheckUse(aged.Use{
				Today: time.Date(2036, time.January, 1, 0, 0, 0, 0, time.UTC), Names: []string{"SKUs"},
			})
		},
	}
	for _, e := range examples.Clusters() {
		all = append(all, func() []preflight.Finding { return plan.CheckCluster(good(e.Bad)) })
	}
	for _, e := range examples.Creations() {
		all = append(all, func() []preflight.Finding { return plan.CheckCreation(good(e.Bad)) })
	}
	all = append(all, checksOf(inAzureChecks)...)
	all = append(all, checksOf(poolChecks)...)
	all = append(all, checksOf(existingChecks)...)
	all = append(all, checksOf(joiningChecks)...)
	all = append(all, checksOf(takeoverChecks)...)
	all = append(all, checksOf(inPlaceChecks)...)
	all = append(all, checksOf(changeChecks)...)
	all = append(all, checksOf(movedChecks)...)
	return append(all, checksOf(movedPoolChecks)...)
}

// checksOf returns the checks of a table.
func checksOf[Check interface{ found() []preflight.Finding }](table []Check) []func() []preflight.Finding {
	var all []func() []preflight.Finding
	for _, c := range table {
		all = append(all, c.found)
	}
	return all
}
