package plan_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
)

// TestGeneratedExamples writes the examples of `mixedkube explain` with -update.
func TestGeneratedExamples(t *testing.T) {
	t.Parallel()
	found := plan.CheckReach(good(nil), plan.InAzure{})
	for _, e := range examples {
		found = append(found, plan.CheckCluster(good(e.bad))...)
	}
	for _, e := range creationExamples {
		found = append(found, plan.CheckCreation(good(e.bad))...)
	}
	ruletest.Explained(t, "../../../internal/cli/examples/aks.json", ruletest.Found(found))
}
