package topology_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/topology"
)

// The figures are Azure's, from https://learn.microsoft.com/azure/virtual-machines/sizes.
func TestCapacityMatchesAzure(t *testing.T) {
	t.Parallel()
	tests := []struct{ size, cpu, memory string }{
		{"Standard_A1_v2", "1", "2Gi"},
		{"Standard_A4_v2", "4", "8Gi"},
		{"Standard_A8m_v2", "8", "64Gi"},
		{"Standard_B1ls", "1", "512Mi"},
		{"Standard_B1s", "1", "1Gi"},
		{"Standard_B1ms", "1", "2Gi"},
		{"Standard_B2s", "2", "4Gi"},
		{"Standard_B2ms", "2", "8Gi"},
		{"Standard_B4ms", "4", "16Gi"},
		{"Standard_B8ms", "8", "32Gi"},
		{"Standard_B12ms", "12", "48Gi"},
		{"Standard_B16ms", "16", "64Gi"},
		{"Standard_B20ms", "20", "80Gi"},
		{"Standard_B2ts_v2", "2", "1Gi"},
		{"Standard_B2ats_v2", "2", "1Gi"},
		{"Standard_B2ls_v2", "2", "4Gi"},
		{"Standard_B4als_v2", "4", "8Gi"},
		{"Standard_B2pls_v2", "2", "4Gi"},
		{"Standard_B4s_v2", "4", "16Gi"},
		{"Standard_B32as_v2", "32", "128Gi"},
		{"Standard_DS1_v2", "1", "3584Mi"},
		{"Standard_DS2_v2", "2", "7Gi"},
		{"Standard_DS3_v2", "4", "14Gi"},
		{"Standard_DS4_v2", "8", "28Gi"},
		{"Standard_DS5_v2", "16", "56Gi"},
		{"Standard_D4", "8", "28Gi"},
		{"Standard_D2_v2", "2", "7Gi"},
		{"Standard_DS14-8_v2", "8", "112Gi"},
		{"Standard_D2_v3", "2", "8Gi"},
		{"Standard_D64s_v3", "64", "256Gi"},
		{"Standard_D4ds_v4", "4", "16Gi"},
		{"Standard_D96as_v4", "96", "384Gi"},
		{"Standard_D2s_v5", "2", "8Gi"},
		{"Standard_D4s_v5", "4", "16Gi"},
		{"Standard_D8ads_v5", "8", "32Gi"},
		{"Standard_D96s_v5", "96", "384Gi"},
		{"Standard_D2ls_v5", "2", "4Gi"},
		{"Standard_D4lds_v5", "4", "8Gi"},
		{"Standard_D4pls_v5", "4", "8Gi"},
		{"Standard_D16plds_v5", "16", "32Gi"},
		{"Standard_D2als_v6", "2", "4Gi"},
		{"Standard_D128s_v6", "128", "512Gi"},
		{"Standard_E2_v3", "2", "16Gi"},
		{"Standard_E20s_v4", "20", "160Gi"},
		{"Standard_E48ds_v4", "48", "384Gi"},
		{"Standard_E8s_v5", "8", "64Gi"},
		{"Standard_E4bs_v5", "4", "32Gi"},
		{"Standard_E20ps_v5", "20", "160Gi"},
		{"Standard_D64ps_v5", "64", "208Gi"},
		{"Standard_D64pds_v5", "64", "208Gi"},
		{"Standard_D48ps_v5", "48", "192Gi"},
		{"Standard_E32ps_v5", "32", "208Gi"},
		{"Standard_E32pds_v5", "32", "208Gi"},
		{"Standard_E32s_v5", "32", "256Gi"},
		{"Standard_E4-2s_v5", "2", "32Gi"},
		{"Standard_E32-8s_v5", "8", "256Gi"},
		{"Standard_F2s_v2", "2", "4Gi"},
		{"Standard_F72s_v2", "72", "144Gi"},
	}
	for _, tt := range tests {
		t.Run(tt.size, func(t *testing.T) {
			t.Parallel()
			got, ok := topology.Pool{Size: tt.size}.Capacity()
			if !ok || len(got) != 2 || got.Cpu().String() != tt.cpu || got.Memory().String() != tt.memory {
				t.Errorf("Capacity() = cpu %s, memory %s, %t, want cpu %s, memory %s", got.Cpu(), got.Memory(), ok,
					tt.cpu, tt.memory)
			}
		})
	}
}

// Each of these breaks the ratio of its series, or its ratio is unknown: a guess would be wrong.
func TestCapacityOfOtherSizesIsUnknown(t *testing.T) {
	t.Parallel()
	for _, size := range []string{
		"", "m5.huge", "Standard_", "Standard_D7", "D4s_v5", "Standard_D4s_v5 ", "Standard_D0s_v5",
		"Standard_E64_v3",     // 432 GiB
		"Standard_E64-16s_v3", // of 432 GiB
		"Standard_E64s_v4",    // 504 GiB
		"Standard_E96s_v5",    // 672 GiB
		"Standard_F4",         // the first version
		"Standard_F4as_v6",    // three ratios, by feature
		"Standard_DC2s_v3",
		"Standard_NC6s_v3",
		"Standard_M32ts",
		"Standard_L8s_v3",
		"Standard_HB120rs_v3",
		"Standard_E4-8s_v5", // more active CPUs than it has
		"Standard_E4-0s_v5",
		"Standard_D9999s_v5",
	} {
		t.Run("size "+size, func(t *testing.T) {
			t.Parallel()
			if got, ok := (topology.Pool{Size: size}).Capacity(); ok || got != nil {
				t.Errorf("Capacity() = %v, %t, want nothing", got, ok)
			}
		})
	}
}

func TestArchitecture(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, size, want string }{
		{"a size with the letter p is Arm64", "Standard_D4ps_v5", "arm64"},
		{"the letter may be between others", "Standard_D16plds_v5", "arm64"},
		{"a burstable size with the letter is Arm64", "Standard_B2pts_v2", "arm64"},
		{"a size out of its series' ratio with the letter is Arm64", "Standard_E32pds_v5", "arm64"},
		{"an otherwise unknown size with the letter is Arm64", "Standard_E96ps_v6", "arm64"},
		{"a size without the letter is not", "Standard_D4s_v5", "amd64"},
		{"the series' own letter is not a feature", "Standard_PB6s", "amd64"},
		{"letters of another cloud's size mean nothing", "p5.48xlarge", "amd64"},
		{"without a size it is the usual one", "", "amd64"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := (topology.Pool{Size: tt.size}).Architecture(); got != tt.want {
				t.Errorf("Architecture() of size %q = %q, want %q", tt.size, got, tt.want)
			}
		})
	}
}

func FuzzCapacity(f *testing.F) {
	for _, seed := range []string{
		"Standard_D4s_v5", "Standard_E32-8s_v5", "Standard_B1ls", "Standard_A999m_v2", "",
		"Standard_E4-8s_v5", "Standard_é4",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, size string) {
		got, ok := topology.Pool{Size: size}.Capacity()
		if ok != (got != nil) {
			t.Fatalf("Capacity of %q = %v, %t", size, got, ok)
		}
		if ok && (got.Cpu().Sign() <= 0 || got.Memory().Sign() <= 0) {
			t.Errorf("Capacity of %q: cpu %s, memory %s", size, got.Cpu(), got.Memory())
		}
	})
}
