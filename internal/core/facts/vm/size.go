package vm

import (
	"regexp"
	"strconv"
	"strings"
)

// arm64Size matches sizes with the feature letter p, such as Standard_D4ps_v5.
var arm64Size = regexp.MustCompile(`(?i)^Standard_[A-Z]+\d+(-\d+)?[a-z]*p[a-z]*(_|$)`)

// IsArm64 reports whether machines of a size have Arm processors. It reads the names of Azure, EC2
// and Compute Engine.
func IsArm64(size string) bool {
	return IsArm64InAzure(size) || isArm64OfEC2(size) || isArm64OfComputeEngine(size)
}

// IsArm64InAzure reports whether machines of a size of Azure have Arm processors.
func IsArm64InAzure(size string) bool { return arm64Size.MatchString(size) }

// IsAzure reports whether the name of a size is one of Azure's.
func IsAzure(size string) bool { return strings.HasPrefix(size, "Standard_") }

// generation2Only matches series without machines of generation 1. A list of Azure's answers about some sizes, which was
// generated on 2025-06-03, in Karpenter's provider, has only V2 for D2as_v6 and DC8s_v3. AKS has generation 2 for all confidential sizes.
// The other series are on their pages (https://learn.microsoft.com/azure/virtual-machines/sizes/overview), in copies
// without a day: Easv6 of 2026-03-10 or newer.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/aks-virtual-machine-sizes
var generation2Only = regexp.MustCompile(`^Standard_(?:[DEF]\d.*_v[6-9]|(?:DC|EC)\d.*)$`)

// IsGeneration2Only reports whether a size has no machines of generation 1.
func IsGeneration2Only(size string) bool {
	return !IsArm64InAzure(size) && generation2Only.MatchString(size)
}

// The source is a list of Azure's answers about some sizes, which was generated on 2025-06-03.
//
//facts:seen 2026-08-21 https://github.com/Azure/karpenter-provider-azure/blob/main/pkg/fake/zz_generated.sku.southcentralus.go
var (
	// generation1Only are series without machines of generation 2: the source has only V1 for A0, D2_v2 and D2_v3.
	generation1Only = []series{{family: "A"}, {family: "D", to: 3, without: "s"}}
	// nvmeSize matches series that can have NVMe disk controllers instead of SCSI: the source has only NVMe for
	// D128ds_v6 and D2as_v6, and names no controller for sizes of earlier versions.
	nvmeSize = regexp.MustCompile(`^Standard_[DEF]\d.*_v[6-9]$`)
)

// IsGeneration1Only reports whether a size has no machines of generation 2.
func IsGeneration1Only(size string) bool {
	s, ok := parseAzure(size)
	return ok && isIn(generation1Only, s)
}

// HasNVMe reports whether machines of a size of Azure can have NVMe disk controllers instead of SCSI.
func HasNVMe(size string) bool { return nvmeSize.MatchString(size) }

// sizeFormat parses the name of a size:
// https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions.
var sizeFormat = regexp.MustCompile(`^Standard_([A-Z]+)(\d{1,3})(?:-(\d{1,3}))?([a-z]*)(?:_v(\d))?$`)

type capacity struct {
	cpus      int
	memoryGiB float64
}

// irregularSizes do not have their series' ratio of memory to CPUs. The source rounds 0.5 GiB down to 0.
//
//facts:seen 2026-08-22 https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/cloudprovider/azure/azure_instance_types.go
var irregularSizes = map[string]capacity{
	"Standard_B1ls":  {1, 0.5},
	"Standard_B1s":   {1, 1},
	"Standard_B1ms":  {1, 2},
	"Standard_B2s":   {2, 4},
	"Standard_B2ms":  {2, 8},
	"Standard_B4ms":  {4, 16},
	"Standard_B8ms":  {8, 32},
	"Standard_B12ms": {12, 48},
	"Standard_B16ms": {16, 64},
	"Standard_B20ms": {20, 80},
	// The largest sizes of a series have less memory than the ratio.
	"Standard_D64ps_v5":  {64, 208},
	"Standard_D64pds_v5": {64, 208},
	"Standard_E32ps_v5":  {32, 208},
	"Standard_E32pds_v5": {32, 208},
}

// numberedSizes are the series D, DS, Dv2 and DSv2, in whose names the number is not the number of CPUs. The source
// rounds 3.5 GiB down: azure.microsoft.com/blog/d-series-performance-expectations has it.
//
//facts:seen 2026-08-22 https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/cloudprovider/azure/azure_instance_types.go
var numberedSizes = map[int]capacity{
	1: {1, 3.5}, 2: {2, 7}, 3: {4, 14}, 4: {8, 28}, 5: {16, 56},
	11: {2, 14}, 12: {4, 28}, 13: {8, 56}, 14: {16, 112}, 15: {20, 140},
}

// Capacity returns the CPUs and the memory of a machine of a size, which it reads from the name: it
// knows Azure's A, B, D, E and F series (https://learn.microsoft.com/azure/virtual-machines/sizes),
// and the general families of EC2 and of Compute Engine. False means that nothing is known about
// the size, which is not an error.
func Capacity(size string) (cpus int, memoryGiB float64, ok bool) {
	for _, read := range []func(string) (int, float64, bool){CapacityInAzure, ofEC2, ofComputeEngine} {
		if cpus, memoryGiB, ok = read(size); ok {
			return cpus, memoryGiB, true
		}
	}
	return 0, 0, false
}

// CapacityInAzure is like [Capacity], for the sizes of Azure.
func CapacityInAzure(size string) (cpus int, memoryGiB float64, ok bool) {
	if s, ok := irregularSizes[size]; ok {
		return s.cpus, s.memoryGiB, true
	}
	m := sizeFormat.FindStringSubmatch(size)
	named, ok := parseAzure(size)
	if !ok {
		return 0, 0, false
	}
	whole := capacity{named.number, shareOf(memory, named) * float64(named.number)}
	if (named.family == "D" || named.family == "DS") && named.version < 3 {
		whole = numberedSizes[named.number]
	}
	if whole.memoryGiB == 0 {
		return 0, 0, false
	}
	// A constrained size, E8-4s_v5, keeps the memory of the whole one.
	cpus = whole.cpus
	if m[3] != "" {
		cpus, _ = strconv.Atoi(m[3])
	}
	return cpus, whole.memoryGiB, cpus > 0 && cpus <= whole.cpus
}

// memory is the ratio of series to CPUs. The source has each size of them, except those in irregularSizes.
//
//facts:seen 2026-08-22 https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/cloudprovider/azure/azure_instance_types.go
var memory = []share{
	{series{family: "A", from: 2, to: 2, with: "m"}, 8, 0},
	{series{family: "A", from: 2, to: 2}, 2, 0},
	{series{family: "B", from: 2, to: 2, with: "t"}, 0.5, 0},
	{series{family: "B", from: 2, to: 2, with: "l"}, 2, 0},
	{series{family: "B", from: 2, to: 2}, 4, 0},
	{series{family: "D", from: 5, with: "l"}, 2, 0},
	{series{family: "D", from: 3}, 4, 0},
	{series{family: "E", from: 3}, 8, 48},
	{series{family: "F", from: 2, to: 2}, 2, 0},
}

// gpuSize matches sizes with a GPU. The source does not count AMD's.
//
//facts:seen 2026-08-22 https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/cloudprovider/azure/azure_instance_types.go
var gpuSize = regexp.MustCompile(`(?i)^Standard_N[CDGV]`)

// HasGPU reports whether machines of a size of Azure have a GPU.
func HasGPU(size string) bool { return gpuSize.MatchString(size) }
