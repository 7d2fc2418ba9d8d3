package vm

import (
	"strconv"
	"strings"
)

// TrustedLaunch reports whether machines of a size can have Trusted Launch, which it reads from the
// name of the size
// (https://learn.microsoft.com/azure/virtual-machines/trusted-launch#virtual-machines-sizes). known
// is false for series whose names do not show it: those with accelerators and for high performance
// computing, where it depends on the drivers.
func TrustedLaunch(size string) (has, known bool) {
	m := sizeFormat.FindStringSubmatch(size)
	if m == nil {
		return false, false
	}
	version, _ := strconv.Atoi(m[5])
	premium := strings.Contains(m[4], "s")
	switch m[1] {
	case "B", "FX":
		return true, true
	case "D", "E":
		if strings.Contains(m[4], "p") {
			return version >= 6, true
		}
		// Sizes without premium disks before version 4 start only generation 1.
		return version >= 4 || version == 3 && premium, true
	case "DS":
		return version == 2, true
	case "F":
		return version >= 2, true
	case "L":
		return premium, true
	case "A", "DC", "EC", "M", "NP":
		return false, true
	default:
		return false, false
	}
}
