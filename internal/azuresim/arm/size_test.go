package arm

import "testing"

func TestSizes(t *testing.T) {
	t.Parallel()
	for size, want := range map[string]vmSize{
		"Standard_D4s_v5":          {family: "D", cpus: 4, memoryGiB: 16},
		"standard_d4S_V5":          {family: "D", cpus: 4, memoryGiB: 16},
		"Standard_D4ps_v5":         {family: "D", cpus: 4, memoryGiB: 16, arm: true},
		"Standard_D4plds_v5":       {family: "D", cpus: 4, memoryGiB: 8, arm: true},
		"Standard_D8ads_v6":        {family: "D", cpus: 8, memoryGiB: 32, onlyGen2: true},
		"Standard_DS2_v2":          {family: "DS", cpus: 2, memoryGiB: 7},
		"Standard_D11_v2":          {family: "D", cpus: 2, memoryGiB: 14, onlyGen1: true},
		"Standard_E8-4s_v5":        {family: "E", cpus: 4, memoryGiB: 64},
		"Standard_F2s_v2":          {family: "F", cpus: 2, memoryGiB: 4},
		"Standard_A2m_v2":          {family: "A", cpus: 2, memoryGiB: 16, onlyGen1: true},
		"Standard_B1ls":            {family: "B", cpus: 1, memoryGiB: 0.5},
		"Standard_B2ats_v2":        {family: "B", cpus: 2, memoryGiB: 1},
		"Standard_NC24ads_A100_v4": {family: "NC", cpus: 24},
		"Standard_DC4s_v3":         {family: "DC", cpus: 4, onlyGen2: true},
	} {
		got, ok := sizeNamed(size)
		got.number, got.version, got.features = 0, 0, ""
		if !ok || got != want {
			t.Errorf("%s is %+v, want %+v", size, got, want)
		}
	}
	for _, size := range []string{
		"", "D4s_v5", "Standard_Q4_v5", "Standard_D", "Standard_D0s_v5", "Standard_D7_v2",
		"Standard_D4s_v5x",
	} {
		if got, ok := sizeNamed(size); ok {
			t.Errorf("%s is %+v", size, got)
		}
	}
}
