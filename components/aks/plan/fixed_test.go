package plan_test

import (
	"slices"
	"testing"

	"github.com/mixedkube/mixedkube/components/aks/plan"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/azuretypes"
)

// The list of pools is longer than azure-native's, which lets Azure refuse most changes. What azure-native replaces a
// pool for has to be in it: otherwise the new pool has the name of the old one, which is still there.
func TestWhatAzureNativeReplacesAPoolForMakesANewPool(t *testing.T) {
	t.Parallel()
	pool, known := azuretypes.Of("azure-native:containerservice:AgentPool")
	if !known || len(pool.Fixed) == 0 {
		t.Fatal("nothing is known of pools")
	}
	replacing := plan.Replacing(topology.Pool{})
	for _, property := range pool.Fixed {
		if !slices.Contains(replacing, property) {
			t.Errorf("azure-native replaces a pool for %s, which is not in %v", property, replacing)
		}
	}
}
