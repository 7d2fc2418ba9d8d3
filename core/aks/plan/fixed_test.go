package plan_test

import (
	"slices"
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts/azuretypes"
)

// The list of pool properties is longer than azure-native's, which lets Azure refuse most changes. It must contain the
// properties for which azure-native replaces a pool: otherwise the new pool has the name of the old one, which still
// exists.
func TestFixedPropertiesIncludeThoseOfAzureNative(t *testing.T) {
	t.Parallel()
	pool, known := azuretypes.Of("azure-native:containerservice:AgentPool")
	if !known || len(pool.Fixed) == 0 {
		t.Fatal("the type of pools is not known")
	}
	replacing := plan.Replacing(topology.Pool{})
	for _, property := range pool.Fixed {
		if !slices.Contains(replacing, property) {
			t.Errorf("azure-native replaces a pool for %s, which is not in %v", property, replacing)
		}
	}
}
