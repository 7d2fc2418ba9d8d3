package vm_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
)

// The figures are from https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-types.html and
// https://docs.cloud.google.com/compute/docs/general-purpose-machines.
func TestCapacityOfOtherClouds(t *testing.T) {
	t.Parallel()
	for size, want := range map[string]struct {
		cpus      int
		memoryGiB float64
	}{
		"t2.micro": {1, 1}, "t2.large": {2, 8}, "t3.nano": {2, 0.5}, "t3.small": {2, 2}, "t3a.medium": {2, 4},
		"t4g.2xlarge": {8, 32}, "m5.large": {2, 8}, "m5.24xlarge": {96, 384}, "m5zn.3xlarge": {12, 48},
		"m6g.medium": {1, 4}, "m7i-flex.2xlarge": {8, 32}, "c5.18xlarge": {72, 144}, "c5n.large": {2, 5.25},
		"c5n.4xlarge": {16, 42}, "c5n.9xlarge": {36, 96}, "c5n.18xlarge": {72, 192},
		"c6in.large": {2, 4}, "c7g.16xlarge": {64, 128}, "r5.xlarge": {4, 32}, "r6i.32xlarge": {128, 1024},
		"g4dn.xlarge": {4, 16}, "g5.48xlarge": {192, 768},
		"e2-micro": {2, 1}, "e2-medium": {2, 4}, "e2-standard-4": {4, 16}, "e2-highcpu-8": {8, 8},
		"n1-standard-2": {2, 7.5}, "n1-highmem-8": {8, 52}, "n2-standard-128": {128, 512}, "n2-highmem-4": {4, 32},
		"n2d-highcpu-224": {224, 224}, "n4-highcpu-80": {80, 160}, "c3-standard-8-lssd": {8, 32},
		"t2a-standard-48": {48, 192}, "custom-2-12288": {2, 12}, "n2-custom-4-16384": {4, 16},
		// Without a ratio, or not the name of a size.
		"m4.large": {}, "c4.large": {}, "m5.metal": {}, "m5.huge": {}, "m5.0xlarge": {}, "m5.100xlarge": {},
		"t3.4xlarge": {}, "x2gd.large": {}, "n2-highmem-128": {}, "c3d-highcpu-360": {}, "c3d-highcpu-30": {},
		"n2-standard-0": {}, "t2d-highmem-4": {}, "custom-0-1024": {}, "e2": {}, "": {},
	} {
		cpus, memoryGiB, ok := vm.Capacity(size)
		if cpus != want.cpus && ok || memoryGiB != want.memoryGiB && ok || ok != (want.cpus > 0) {
			t.Errorf("Capacity(%q) = %d, %v, %t, want %d, %v", size, cpus, memoryGiB, ok, want.cpus, want.memoryGiB)
		}
	}
}

func TestArm64OfOtherClouds(t *testing.T) {
	t.Parallel()
	for size, want := range map[string]bool{
		"m6g.large": true, "c7gn.large": true, "t4g.small": true, "a1.large": true, "im4gn.large": true,
		"g5g.xlarge":  true,
		"g4dn.xlarge": false, "g5.xlarge": false, "m5.large": false, "c6in.large": false,
		"t2a-standard-4": true, "c4a-highmem-8": true, "n4a-standard-2": true, "t2d-standard-4": false,
		"n2d-standard-4": false,
	} {
		if got := vm.IsArm64(size); got != want {
			t.Errorf("IsArm64(%s) = %t", size, got)
		}
	}
}

func FuzzCapacity(f *testing.F) {
	for _, size := range []string{
		"Standard_D4s_v5", "m5.2xlarge", "n2-custom-4-16384", "e2-medium", "t3..", "-.0xlarge",
	} {
		f.Add(size)
	}
	f.Fuzz(func(t *testing.T, size string) {
		cpus, memoryGiB, ok := vm.Capacity(size)
		if ok && (cpus <= 0 || memoryGiB <= 0) || !ok && (cpus != 0 || memoryGiB != 0) {
			t.Errorf("%q has %d CPUs and %v GiB, %t", size, cpus, memoryGiB, ok)
		}
		vm.IsArm64(size)
	})
}
