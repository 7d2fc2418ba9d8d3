package vm_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
)

// The sizes are from the table in Azure's documentation, and those of generation 1 from
// https://learn.microsoft.com/azure/virtual-machines/generation-2.
func TestWhichSizesHaveTrustedLaunch(t *testing.T) {
	t.Parallel()
	const yes, no, unknown = "yes", "no", "unknown"
	for size, want := range map[string]string{
		"Standard_B2s": yes, "Standard_B4as_v2": yes,
		"Standard_DS3_v2": yes, "Standard_D4s_v3": yes, "Standard_D4_v4": yes, "Standard_D4as_v4": yes,
		"Standard_D2s_v5": yes, "Standard_D4ds_v5": yes, "Standard_D4s_v6": yes, "Standard_D8-4ads_v5": yes,
		"Standard_E4s_v3": yes, "Standard_E4_v4": yes, "Standard_E8bds_v5": yes, "Standard_E8-4as_v7": yes,
		"Standard_F8s_v2": yes, "Standard_F4ams_v6": yes, "Standard_FX4mds": yes, "Standard_L8s_v3": yes,
		"Standard_D4ps_v6": yes, "Standard_E4ps_v6": yes,

		"Standard_A2_v2": no, "Standard_D3_v2": no, "Standard_D4_v3": no, "Standard_E4_v3": no, "Standard_D3": no,
		"Standard_D4ps_v5": no, "Standard_E4pds_v5": no, "Standard_DC4s_v3": no, "Standard_DC4as_v5": no,
		"Standard_EC4as_v5": no, "Standard_M64s": no, "Standard_NP10s": no, "Standard_F4s": no, "Standard_DS3": no,

		"Standard_NC4as_T4_v3": unknown, "Standard_HB120rs_v3": unknown, "Standard_NV6": unknown, "": unknown,
		"standard_d4s_v5": unknown, "D4s_v5": unknown,
	} {
		got := map[[2]bool]string{{true, true}: yes, {false, true}: no, {false, false}: unknown}
		if has, known := vm.TrustedLaunch(size); got[[2]bool{has, known}] != want {
			t.Errorf("TrustedLaunch(%s) = %t, %t, want %s", size, has, known, want)
		}
	}
}
