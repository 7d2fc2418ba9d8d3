package plan_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
)

// A cluster with node auto-provisioning may have nodes that are in no pool.
func TestProvisions(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		options obj
		want    bool
	}{
		"automatic":   {obj{"nodeProvisioningProfile": obj{"mode": "Auto"}}, true},
		"manual":      {obj{"nodeProvisioningProfile": obj{"mode": "Manual"}}, false},
		"the default": {nil, false},
	} {
		if got := plan.Provisions(tt.options); got != tt.want {
			t.Errorf("%s: %t, want %t", name, got, tt.want)
		}
		existing := plan.InAzure{Properties: tt.options}
		if got := existing.Topology("", nil).Partial; got != tt.want {
			t.Errorf("%s: a topology that is partial: %t, want %t", name, got, tt.want)
		}
	}
}
