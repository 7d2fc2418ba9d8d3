package vm_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
)

// The tests of topology.Pool.Capacity cover the capacities.
func TestTheNameOfASize(t *testing.T) {
	t.Parallel()
	for size, want := range map[string]struct{ arm64, generation2Only bool }{
		"Standard_D4s_v5":          {},
		"Standard_D4ps_v5":         {arm64: true},
		"standard_d4PDS_V5":        {arm64: true},
		"Standard_E32ps_v5":        {arm64: true},
		"Standard_D4pls_v6":        {arm64: true},
		"Standard_D4s_v6":          {generation2Only: true},
		"Standard_E8-4as_v7":       {generation2Only: true},
		"Standard_F4ams_v6":        {generation2Only: true},
		"Standard_NP10s":           {},
		"Standard_NC24ads_A100_v4": {},
		"":                         {},
	} {
		if got := vm.IsArm64(size); got != want.arm64 {
			t.Errorf("IsArm64(%s) = %t", size, got)
		}
		if got := vm.IsGeneration2Only(size); got != want.generation2Only {
			t.Errorf("IsGeneration2Only(%s) = %t", size, got)
		}
	}
}
