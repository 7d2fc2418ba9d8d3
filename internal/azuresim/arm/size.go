package arm

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
)

// vmSize has the known facts about a VM size. Memory is 0 if unknown.
type vmSize struct {
	family    string
	cpus      int
	memoryGiB float64
	arm       bool
	// onlyGen1 and onlyGen2 sizes do not boot images of the other generation.
	onlyGen1, onlyGen2 bool

	// number is the number in the name, and features are the letters after it.
	number, version int
	features        string
}

// sizeFormat splits a name: family, CPUs, constrained CPUs, features, accelerator, version.
// https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions
var sizeFormat = regexp.MustCompile(
	`(?i)^standard_(A|B|D|DS|DC|E|EC|F|FX|G|GS|H|HB|HC|HX|L|M|NC|NCC|ND|NG|NP|NV)(\d{1,4})(?:-(\d{1,3}))?` +
		`([a-z]*)(?:_([a-z][a-z0-9]*))??(?:_v(\d{1,2}))?$`,
)

func sizeNamed(size string) (vmSize, bool) {
	m := sizeFormat.FindStringSubmatch(size)
	if m == nil {
		return vmSize{}, false
	}
	family, features := strings.ToUpper(m[1]), strings.ToLower(m[4])
	number, _ := strconv.Atoi(m[2])
	version, _ := strconv.Atoi(m[6])
	if accelerated := strings.HasPrefix(family, "N"); number == 0 || m[5] != "" && !accelerated {
		return vmSize{}, false
	}
	found := vmSize{cpus: number}
	switch {
	case family == "B" && version < 2:
		_, found.memoryGiB, _ = vm.CapacityInAzure("Standard_B" + m[2] + features)
	case (family == "D" || family == "DS") && version < 3:
		var known bool
		if found.cpus, found.memoryGiB, known = vm.CapacityInAzure("Standard_" + family + m[2] + "_v2"); !known {
			return vmSize{}, false
		}
	default:
		found.memoryGiB = gibPerCPU(family, features, version) * float64(number)
	}
	if left, err := strconv.Atoi(m[3]); err == nil {
		found.cpus = left
	}
	found.family, found.number, found.version, found.features = family, number, version, features
	found.arm = strings.Contains(features, "p")
	found.onlyGen2 = version >= 6 || family == "DC" || family == "EC"
	found.onlyGen1 = version < 4 && !found.premium() && !found.arm && !found.onlyGen2
	return found, true
}

// premium reports whether a size supports premium disks.
func (s vmSize) premium() bool { return strings.Contains(strings.ToLower(s.family)+s.features, "s") }

// trustedLaunch reports whether machines can have Trusted Launch
// (https://learn.microsoft.com/azure/virtual-machines/trusted-launch#virtual-machines-sizes).
func (s vmSize) trustedLaunch() bool {
	switch s.family {
	case "A", "DC", "EC", "M", "NP":
		return false
	}
	if s.arm {
		return s.version >= 6
	}
	return !s.onlyGen1
}

// confidential reports whether machines have encrypted memory: those of DCv2 and DCv3 have enclaves only
// (https://learn.microsoft.com/azure/aks/use-cvm).
func (s vmSize) confidential() bool {
	return s.family == "EC" || s.family == "DC" && strings.ContainsAny(s.features, "ae")
}

// diskTier returns the default type of a managed disk.
func (s vmSize) diskTier() string {
	if s.premium() {
		return "Premium_LRS"
	}
	return "Standard_LRS"
}

// gibPerCPU is 0 if the ratio differs between the sizes of a series.
func gibPerCPU(family, features string, version int) float64 {
	low := strings.Contains(features, "l")
	switch family {
	case "A":
		if strings.Contains(features, "m") {
			return 8
		}
		return 2
	case "B":
		if strings.Contains(features, "t") {
			return 0.5
		}
		if low {
			return 2
		}
		return 4
	case "D":
		if low {
			return 2
		}
		return 4
	case "E":
		return 8
	case "F":
		if version >= 6 && !low {
			return 4
		}
		return 2
	default:
		return 0
	}
}
