package vm_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
)

// The numbers are those of the series' pages, and of the answers of Azure in reports: VMCacheSizeTooSmall for DS2_v2
// and D2s_v3, VMSizeDoesNotSupportEphemeralOS for D4s_v5 (Azure/AKS#2694) and D2s_v7.
func TestEphemeralDisk(t *testing.T) {
	t.Parallel()
	const unknown = -1
	for size, want := range map[string]int{
		"Standard_D8s_v5": 0, "Standard_D8_v5": 0, "Standard_D8as_v5": 0, "Standard_D4ps_v5": 0, "Standard_D4ls_v5": 0,
		"Standard_D2s_v7": 0, "Standard_E4s_v6": 0, "Standard_E2bs_v5": 0, "Standard_E8-4s_v5": 0,
		"Standard_D4s_v4": 0, "Standard_E4_v4": 0, "Standard_E80is_v4": 0, "Standard_DC4as_v5": 0,
		"Standard_F4as_v6": 0, "Standard_B2s_v2": 0, "Standard_B2pts_v2": 0,

		"Standard_D2ds_v5": 75, "Standard_D8d_v5": 300, "Standard_E4pds_v5": 150, "Standard_E2bds_v5": 75,
		"Standard_E8-4ds_v5": 300, "Standard_D4ds_v4": 150, "Standard_DC8ads_v5": 300,
		"Standard_D2s_v3": 50, "Standard_D8s_v3": 200, "Standard_E4as_v4": 100,
		"Standard_DS1_v2": 43, "Standard_DS2_v2": 86, "Standard_DS3_v2": 172, "Standard_DS5_v2": 688,
		"Standard_F8s_v2": 128, "Standard_F64s_v2": 1024,

		// Sizes of which the rule knows nothing.
		"Standard_D4_v3": unknown, "Standard_D4a_v4": unknown, "Standard_D4ds_v6": unknown, "Standard_L8s_v3": unknown,
		"Standard_E80ids_v4": unknown, "Standard_E96ias_v4": unknown, "Standard_F72s_v2": unknown,
		"Standard_DS11_v2": unknown, "Standard_B4ms": unknown, "Standard_NC24ads_A100_v4": unknown,
		"Standard_DC4as_cc_v5": unknown, "m6i.large": unknown, "": unknown,
	} {
		got, known := vm.EphemeralDisk(size)
		if !known {
			got = unknown
		}
		if got != want {
			t.Errorf("%q: %d, want %d", size, got, want)
		}
	}
}
