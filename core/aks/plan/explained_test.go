package plan_test

import (
	"slices"
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// TestGeneratedExamples writes the examples of `mixedkube explain`, and the other sentences of the rules, with -update.
func TestGeneratedExamples(t *testing.T) {
	t.Parallel()
	found := plan.CheckReach(good(nil), plan.InAzure{})
	for _, e := range examples {
		found = append(found, plan.CheckCluster(good(e.bad))...)
	}
	for _, e := range slices.Concat(creationExamples, rangeExamples, accessExamples) {
		found = append(found, plan.CheckCreation(good(e.bad))...)
	}
	explained := ruletest.Found(found)
	ruletest.Explained(t, "../../../internal/cli/examples/aks.json", explained)
	found = slices.Concat(found, plan.CheckCluster(plan.Cluster{}), plan.CheckCluster(good(afterSupport)),
		plan.CheckReach(good(func(c *plan.Cluster) { c.APIServer.AuthorizedIPRanges = everyone }), plan.InAzure{}),
		plan.CheckPasswordInAzure(plan.WindowsAdmin{Password: "hush"}, place), foundBy(inAzureChecks),
		foundBy(poolChecks), foundBy(existingChecks), foundBy(joiningChecks), foundBy(takeoverChecks),
		foundBy(movedChecks), foundBy(movedPoolChecks))
	golden.Equal(t, "testdata/sentences.txt", ruletest.Sentences(found, explained))
}

// foundBy returns what all checks of a table find.
func foundBy[Check interface{ found() []preflight.Finding }](checks []Check) []preflight.Finding {
	var found []preflight.Finding
	for _, c := range checks {
		found = append(found, c.found()...)
	}
	return found
}
