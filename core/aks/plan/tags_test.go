package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/aks/plan"
)

func TestTagsOfThisLibraryInAnyCase(t *testing.T) {
	t.Parallel()
	a := plan.ReadInAzure(obj{"tags": obj{
		"Team": "shop", "MixedKube-First-Pool": "a", "mixedkube-First-Pool": "b", "MIXEDKUBE-TAKEN-OVER": "true",
	}})
	want := map[string]string{"Team": "shop", plan.FirstPoolTag: "a", plan.TakenOverTag: "true"}
	if diff := cmp.Diff(want, a.Tags); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
	if a.IsUnmanaged() {
		t.Error("the cluster is unmanaged")
	}
}
