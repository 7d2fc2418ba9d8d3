package vm

import (
	"slices"
	"strconv"
	"strings"
)

// EphemeralDisk returns the size in GiB of the largest ephemeral OS disk that a machine of a size of Azure has room
// for, in its cache or on its temporary disk. It is 0 if the size has no local storage. False means that this is not
// known.
//
// The series' pages say which of them support ephemeral OS disks. Since versions 4 and 5, the letter d in the name
// means local storage. The room grows with the number in the name; a few large sizes have less, so the result is an
// upper bound (https://learn.microsoft.com/azure/virtual-machines/sizes/overview,
// https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions).
func EphemeralDisk(size string) (gib int, known bool) {
	m := sizeFormat.FindStringSubmatch(size)
	if m == nil {
		return 0, false
	}
	family, features := m[1], m[4]
	number, _ := strconv.Atoi(m[2])
	version, _ := strconv.Atoi(m[5])
	switch {
	case hasNoLocalDisk(family, features, version):
		return 0, true
	case strings.Contains(features, "i"): // isolated sizes have numbers of their own
		return 0, false
	default:
		gib = localGiB(family, features, number, version)
		return gib, gib > 0
	}
}

// hasNoLocalDisk reports whether the pages of a series say that it has no local storage.
func hasNoLocalDisk(family, features string, version int) bool {
	if strings.Contains(features, "d") {
		return false
	}
	switch family {
	case "D", "E":
		// Dasv4 and Easv4 have a cache for it.
		return version >= 5 || version == 4 && !strings.Contains(features, "a")
	case "DC", "EC":
		return version >= 5
	case "F":
		return version >= 6
	case "B":
		return version == 2
	default:
		return false
	}
}

// localGiB returns the room of a size with local storage, or 0 if it is not known.
func localGiB(family, features string, number, version int) int {
	general := family == "D" || family == "E"
	diskful, premium := strings.Contains(features, "d"), strings.Contains(features, "s")
	switch {
	case diskful && general && (version == 4 || version == 5), diskful && version == 5 && isConfidential(family):
		return number * 75 / 2
	case premium && general && version == 3, premium && general && version == 4 && strings.Contains(features, "a"):
		return number * 25
	case family == "DS" && version == 2 && number <= 5:
		return 43 << max(number-1, 0) // DS1 has 1 CPU, DS2 has 2, DS3 has 4 …
	case family == "F" && premium && version == 2 && number <= 64:
		return number * 16
	default:
		return 0
	}
}

func isConfidential(family string) bool { return slices.Contains([]string{"DC", "EC"}, family) }
