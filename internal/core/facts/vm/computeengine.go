package vm

import (
	"regexp"
	"slices"
	"strconv"
)

// machineType parses the name of a machine type of Compute Engine: series, type and number of CPUs
// (https://docs.cloud.google.com/compute/docs/machine-resource#machine_type_comparison).
var machineType = regexp.MustCompile(`^([a-z]\d[a-z]?)-(standard|highmem|highcpu)-(\d{1,3})(?:-lssd)?$`)

// customType parses a name with the CPUs and the memory in MB: n2-custom-4-16384, and
// custom-4-16384 of N1
// (https://docs.cloud.google.com/compute/docs/instances/creating-instance-with-custom-machine-type).
var customType = regexp.MustCompile(`^(?:[a-z]\d[a-z]?-)?custom-(\d{1,3})-(\d{1,7})(?:-ext)?$`)

// armSeries are the series with Arm processors
// (https://docs.cloud.google.com/compute/docs/instances/arm-on-compute).
//
//facts:seen 2026-08-06 https://github.com/cloudpilot-ai/karpenter-provider-gcp/blob/main/docs/examples/arm64.md
var armSeries = []string{"t2a", "c4a", "n4a"}

var seriesOfType = regexp.MustCompile(`^([a-z]\d[a-z]?)-`)

func isArm64OfComputeEngine(size string) bool {
	m := seriesOfType.FindStringSubmatch(size)
	return m != nil && slices.Contains(armSeries, m[1])
}

// sharedCore are types whose CPUs are shared
// (https://docs.cloud.google.com/compute/docs/general-purpose-machines#e2-shared-core).
//
//facts:seen 2026-08-20 https://github.com/Cyclenerd/google-cloud-pricing-cost-calculator/blob/master/build/gcp.yml
var sharedCore = map[string]float64{"e2-micro": 1, "e2-small": 2, "e2-medium": 4}

// IsSharedCore reports whether a type of Compute Engine's series E2 shares its CPUs.
func IsSharedCore(size string) bool { return sharedCore[size] > 0 }

// memoryOfComputeEngine has the ratios of the general series in GiB, which Google calls GB
// (https://docs.cloud.google.com/compute/docs/general-purpose-machines).
//
//facts:seen 2026-08-20 https://github.com/Cyclenerd/google-cloud-pricing-cost-calculator/blob/master/build/gcp.yml
var memoryOfComputeEngine = map[string]map[string]float64{
	"e2":  {"standard": 4, "highmem": 8, "highcpu": 1},
	"n1":  {"standard": 3.75, "highmem": 6.5, "highcpu": 0.9},
	"n2":  {"standard": 4, "highmem": 8, "highcpu": 1},
	"n2d": {"standard": 4, "highmem": 8, "highcpu": 1},
	"n4":  {"standard": 4, "highmem": 8, "highcpu": 2},
	"c3":  {"standard": 4, "highmem": 8, "highcpu": 2},
	"c3d": {"standard": 4, "highmem": 8, "highcpu": 2},
	"t2d": {"standard": 4},
	"t2a": {"standard": 4},
}

// lessMemory are types with less memory than their ratio.
//
//facts:seen 2026-08-20 https://github.com/Cyclenerd/google-cloud-pricing-cost-calculator/blob/master/build/gcp.yml
var lessMemory = []string{
	"n2-highmem-128", "c3d-highcpu-30", "c3d-highcpu-60", "c3d-highcpu-90", "c3d-highcpu-180", "c3d-highcpu-360",
}

func ofComputeEngine(size string) (cpus int, memoryGiB float64, ok bool) {
	if memory, ok := sharedCore[size]; ok {
		return 2, memory, true
	}
	if m := customType.FindStringSubmatch(size); m != nil {
		cpus, _ = strconv.Atoi(m[1])
		mb, _ := strconv.Atoi(m[2])
		return cpus, float64(mb) / 1024, cpus > 0 && mb > 0
	}
	m := machineType.FindStringSubmatch(size)
	if m == nil || slices.Contains(lessMemory, size) {
		return 0, 0, false
	}
	cpus, _ = strconv.Atoi(m[3])
	memoryGiB = memoryOfComputeEngine[m[1]][m[2]] * float64(cpus)
	return cpus, memoryGiB, memoryGiB > 0
}
