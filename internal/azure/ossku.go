package azure

import "github.com/mixedkube/mixedkube/components/platform"

// OSSKU is the osSKU of a Windows platform; empty for Linux, where the
// distribution makes no difference to where pods can run, and Azure chooses it.
func OSSKU(p platform.Platform) string {
	return osSKUs[p]
}

var osSKUs = map[platform.Platform]string{
	platform.WindowsServer2019: "Windows2019",
	platform.WindowsServer2022: "Windows2022",
	platform.WindowsServer2025: "Windows2025",
}
