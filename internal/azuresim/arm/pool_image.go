package arm

import "strings"

// imageRelease is the release of the Linux images.
const imageRelease = "202611.01.0"

// nodeImage returns the version of a pool's image. For Linux it contains the release of the distribution, the
// generation of the machines and their processors, as in AKSUbuntu-2204gen2containerd-202511.07.0.
func nodeImage(osSKU string, current release, size vmSize, fips bool) string {
	builds := map[string]string{
		"Windows2019": "AKSWindows-2019-containerd-17763.8027.251112",
		"Windows2022": "AKSWindows-2022-containerd-20348.4405.251112",
		"Windows2025": "AKSWindows-2025-gen2-26100.7171.251112", "WindowsAnnual": "AKSWindows-23H2-25398.1965.251112",
	}
	if build, ok := builds[osSKU]; ok {
		return build
	}
	generation, mark, processor := "gen2", "", ""
	if size.onlyGen1 {
		generation = ""
	}
	if fips {
		mark = "fips"
	}
	if size.arm {
		processor = "arm64"
	}
	effective := effectiveOSSKU(osSKU, current)
	if number, ok := strings.CutPrefix(effective, "Ubuntu"); ok {
		return "AKSUbuntu-" + number + generation + mark + processor + "containerd-" + imageRelease
	}
	if number, ok := strings.CutPrefix(effective, "AzureLinux"); ok {
		return "AKSAzureLinux-V" + number + generation + mark + processor + "-" + imageRelease
	}
	return "AKS" + osSKU + "-" + generation + mark + processor + "containerd-" + imageRelease
}

// effectiveOSSKU adds the default release to a distribution without one
// (https://learn.microsoft.com/azure/aks/upgrade-os-version).
func effectiveOSSKU(osSKU string, current release) string {
	const firstUbuntu2404 = 35
	switch {
	case osSKU == "Ubuntu" && current.minor < firstUbuntu2404:
		return "Ubuntu2204"
	case osSKU == "Ubuntu":
		return "Ubuntu2404"
	case osSKU == "AzureLinux":
		return "AzureLinux3"
	default:
		return osSKU
	}
}
