package topology

import (
	"regexp"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Capacity is what one node of the pool has, as far as its size tells: cpu and
// memory. It reads the names of Azure's A, B, D, E and F series
// (https://learn.microsoft.com/azure/virtual-machines/sizes); false means that
// nothing is known about the size, which is not an error.
func (p Pool) Capacity() (corev1.ResourceList, bool) {
	cpus, memoryGiB, ok := azureSize(p.Size)
	if !ok {
		return nil, false
	}
	const gib = 1 << 30
	return corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewQuantity(int64(cpus), resource.DecimalSI),
		corev1.ResourceMemory: *resource.NewQuantity(int64(memoryGiB*gib), resource.BinarySI),
	}, true
}

const (
	amd64 = "amd64"
	arm64 = "arm64"
)

// Architecture is that of the pool's nodes, as the label kubernetes.io/arch has
// it: arm64 for an Azure size with the feature letter p, as in Standard_D4ps_v5,
// else amd64.
func (p Pool) Architecture() string {
	if m := azureSizeFormat.FindStringSubmatch(p.Size); m != nil && strings.Contains(m[4], "p") {
		return arm64
	}
	return amd64
}

// azureSizeFormat takes apart a size's name:
// https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions.
var azureSizeFormat = regexp.MustCompile(`^Standard_([A-Z]+)(\d{1,3})(?:-(\d{1,3}))?([a-z]*)(?:_v(\d))?$`)

// irregularSizes do not follow their series' ratio of memory to CPUs, or their
// number is not that of their CPUs.
var irregularSizes = map[string]struct {
	cpus      int
	memoryGiB float64
}{
	"Standard_B1ls":   {1, 0.5},
	"Standard_B1s":    {1, 1},
	"Standard_B1ms":   {1, 2},
	"Standard_B2s":    {2, 4},
	"Standard_B2ms":   {2, 8},
	"Standard_B4ms":   {4, 16},
	"Standard_B8ms":   {8, 32},
	"Standard_B12ms":  {12, 48},
	"Standard_B16ms":  {16, 64},
	"Standard_B20ms":  {20, 80},
	"Standard_DS1_v2": {1, 3.5},
	"Standard_DS2_v2": {2, 7},
	"Standard_DS3_v2": {4, 14},
	"Standard_DS4_v2": {8, 28},
	"Standard_DS5_v2": {16, 56},
	// The largest of a series have less memory than their ratio.
	"Standard_E32ps_v5":  {32, 208},
	"Standard_E32pds_v5": {32, 208},
}

func azureSize(size string) (cpus int, memoryGiB float64, ok bool) {
	if s, ok := irregularSizes[size]; ok {
		return s.cpus, s.memoryGiB, true
	}
	m := azureSizeFormat.FindStringSubmatch(size)
	if m == nil {
		return 0, 0, false
	}
	number, _ := strconv.Atoi(m[2])
	version, _ := strconv.Atoi(m[5])
	perCPU := memoryPerCPU(m[1], m[4], number, version)
	if perCPU == 0 || number == 0 {
		return 0, 0, false
	}
	// A constrained size, E8-4s_v5, keeps the memory of the whole one.
	cpus = number
	if m[3] != "" {
		cpus, _ = strconv.Atoi(m[3])
	}
	return cpus, perCPU * float64(number), cpus > 0 && cpus <= number
}

// memoryPerCPU is the ratio of a series in GiB, 0 where there is none.
func memoryPerCPU(family, features string, number, version int) float64 {
	switch {
	case family == "A" && version == 2 && strings.Contains(features, "m"):
		return 8
	case family == "A" && version == 2:
		return 2
	case family == "B" && version == 2 && strings.Contains(features, "t"):
		return 0.5
	case (family == "B" && version == 2 || family == "D" && version >= 5) && strings.Contains(features, "l"):
		return 2
	case family == "B" && version == 2, family == "D" && version >= 3:
		return 4
	case family == "E" && version >= 3 && number <= 48:
		return 8
	case family == "F" && version == 2:
		return 2
	default:
		return 0
	}
}
