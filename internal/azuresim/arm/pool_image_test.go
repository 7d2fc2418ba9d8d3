package arm

import "testing"

// Sources of the names: AKSUbuntu-2204gen2containerd-202511.07.0 is in the states of azure-native's upgrade tests,
// AKSUbuntu-2204containerd-… was seen on a Standard_D2_v2, and the others are in AgentBaker's
// pkg/agent/datamodel/sig_config.go.
func TestNodeImages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		osSKU, size string
		minor       int
		fips        bool
		want        string
	}{
		{"Ubuntu", "Standard_D4s_v5", 34, false, "AKSUbuntu-2204gen2containerd-202611.01.0"},
		{"Ubuntu", "Standard_D4s_v5", 35, false, "AKSUbuntu-2404gen2containerd-202611.01.0"},
		{"Ubuntu2204", "Standard_D2_v2", 35, false, "AKSUbuntu-2204containerd-202611.01.0"},
		{"Ubuntu", "Standard_D4ps_v5", 35, false, "AKSUbuntu-2404gen2arm64containerd-202611.01.0"},
		{"Ubuntu", "Standard_D4s_v5", 34, true, "AKSUbuntu-2004gen2fipscontainerd-202611.01.0"},
		{"Ubuntu", "Standard_D4s_v5", 35, true, "AKSUbuntu-2204gen2fipscontainerd-202611.01.0"},
		{"AzureLinux", "Standard_D4s_v5", 35, false, "AKSAzureLinux-V3gen2-202611.01.0"},
		{"AzureLinux3", "Standard_D4s_v5", 35, true, "AKSAzureLinux-V3gen2fips-202611.01.0"},
		{"Windows2022", "Standard_D4s_v5", 35, false, "AKSWindows-2022-containerd-20348.5622.260909"},
		{"Windows2025", "Standard_D4s_v5", 35, true, "AKSWindows-2025-gen2-26100.33438.260909"},
	} {
		size, _ := sizeNamed(c.size)
		if got := nodeImage(c.osSKU, release{minor: c.minor}, size, c.fips); got != c.want {
			t.Errorf("%s of %s in 1.%d is %s, want %s", c.osSKU, c.size, c.minor, got, c.want)
		}
	}
}
