package arm

import (
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// room is the space in GiB for ephemeral OS disks on the host of a machine.
type room struct{ cache, temporary int }

// localRoom returns false if the room is unknown for a size. The sizes are from the series' pages
// (https://learn.microsoft.com/azure/virtual-machines/sizes).
func (s vmSize) localRoom() (room, bool) {
	general := s.family == "D" || s.family == "E"
	has := func(letter string) bool { return strings.Contains(s.features, letter) }
	switch {
	case s.family == "DS" && s.version == 2 && s.number <= 5:
		return room{cache: 43 * s.cpus}, true
	case s.family == "F" && s.version == 2 && has("s"):
		return room{cache: 16 * s.number}, true
	case general && s.version == 3 && has("s"), general && s.version == 4 && has("a") && has("s"):
		return room{cache: 25 * s.number}, true
	case general && s.version == 4 && has("d"):
		return room{cache: 25 * s.number, temporary: temporaryGiB(s.number)}, true
	case general && s.version == 5 && has("d"):
		return room{temporary: temporaryGiB(s.number)}, true
	case general && s.version >= 3 && !has("d"):
		return room{}, true
	default:
		return room{}, false
	}
}

// temporaryGiB returns the size of the temporary disks of versions 4 and 5.
func temporaryGiB(number int) int { return number * 75 / 2 }

const defaultDisk = 128

// fillDisk sets the default type and size of the disk. By default, a size with a temporary disk of at least 128 GiB
// uses all of it (https://learn.microsoft.com/azure/aks/concepts-storage).
func (s vmSize) fillDisk(properties Body) {
	local, _ := s.localRoom()
	diskGiB, isSet := properties["osDiskSizeGB"].(float64)
	if !isSet {
		diskGiB = defaultDisk
	}
	fits := int(diskGiB) <= max(local.cache, local.temporary)
	if fits {
		defaultAt(properties, "osDiskType", "Ephemeral")
	}
	defaultAt(properties, "osDiskType", "Managed")
	if !isSet && fits && properties["osDiskType"] == "Ephemeral" {
		diskGiB = float64(min(max(defaultDisk, local.temporary), facts.AKSOSDisk.Max))
	}
	defaultAt(properties, "osDiskSizeGB", diskGiB)
}

// checkDisk checks that the size has room for an ephemeral disk. The first two answers are from Azure/AKS#2694 and
// rancher/rancher#33679.
func checkDisk(p poolUnderTest) error {
	name := value(p.pool.VMSize)
	size, _ := sizeNamed(name)
	local, known := size.localRoom()
	diskGiB := int(value(p.pool.OSDiskSizeGB))
	if string(value(p.pool.OSDiskType)) != "Ephemeral" || !known || diskGiB <= max(local.cache, local.temporary) {
		return nil
	}
	const gib = 1 << 30
	switch {
	case local == room{}:
		return refused("VMSizeDoesNotSupportEphemeralOS", "", "The Virtual Machine size %s does not support Ephemeral "+
			"OS disk.", name)
	case local.temporary == 0:
		return refused("VMCacheSizeTooSmall", "", "The virtual machine size %s has a cache size of %d bytes, but the "+
			"OS disk requires %d bytes. Use a VM size with larger cache or disable ephemeral OS.", name,
			local.cache*gib, diskGiB*gib)
	default:
		return refused("VMTemporaryDiskTooSmall", "", "The virtual machine size %s has a temporary disk of %d bytes, "+
			"but the OS disk requires %d bytes. Use a VM size with a larger temporary disk or disable ephemeral OS.",
			name, local.temporary*gib, diskGiB*gib)
	}
}
