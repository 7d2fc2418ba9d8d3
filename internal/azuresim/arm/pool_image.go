package arm

import (
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// imageRelease is the release of the Linux images.
const imageRelease = "202611.01.0"

// nodeImage returns the version of a pool's image. For Linux it contains the release of the distribution, the
// generation of the machines and their processors, as in AKSUbuntu-2204gen2containerd-202511.07.0.
func nodeImage(osSKU string, current release, size vmSize, fips bool) string {
	if build, ok := facts.WindowsImages[osSKU]; ok {
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
	effective := effectiveOSSKU(osSKU, current, fips)
	if number, ok := strings.CutPrefix(effective, "Ubuntu"); ok {
		return "AKSUbuntu-" + number + generation + mark + processor + "containerd-" + imageRelease
	}
	if number, ok := strings.CutPrefix(effective, "AzureLinux"); ok {
		return "AKSAzureLinux-V" + number + generation + mark + processor + "-" + imageRelease
	}
	return "AKS" + osSKU + "-" + generation + mark + processor + "containerd-" + imageRelease
}

// effectiveOSSKU adds the default release to a distribution without one.
func effectiveOSSKU(osSKU string, current release, fips bool) string {
	if r, ok := facts.ReleaseOf(osSKU, fips, minorVersion(current.minor)); ok {
		return r.Release
	}
	return osSKU
}
