package vm

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

// instanceType parses the name of an instance type of EC2: family, generation, options and size
// (https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-type-names.html).
var instanceType = regexp.MustCompile(`^([a-z]+)(\d)([a-z]*)(?:-flex)?\.(\d*)([a-z]+)$`)

// isArm64OfEC2 reads the option g, Graviton, as in m6g.large. The first Arm types are a1.
func isArm64OfEC2(size string) bool {
	m := instanceType.FindStringSubmatch(size)
	return m != nil && (strings.HasPrefix(m[3], "g") || m[1] == "a")
}

// burstable are the sizes of t2, t3, t3a and t4g: their memory, and the CPUs of t2. The others have
// at least two CPUs (https://docs.aws.amazon.com/ec2/latest/instancetypes/gp.html).
//
//facts:seen 2026-08-21 https://github.com/aws/karpenter-provider-aws/blob/main/website/content/en/docs/reference/instance-types.md
var burstable = map[string]struct {
	cpus      int
	memoryGiB float64
}{
	"nano": {1, 0.5}, "micro": {1, 1}, "small": {1, 2}, "medium": {2, 4}, "large": {2, 8}, "xlarge": {4, 16},
	"2xlarge": {8, 32},
}

// largeC5n are types whose memory is above the ratio of their family, in GiB.
//
//facts:seen 2026-08-21 https://github.com/aws/karpenter-provider-aws/blob/main/website/content/en/docs/reference/instance-types.md
var largeC5n = map[string]float64{"c5n.9xlarge": 96, "c5n.18xlarge": 192}

// ofEC2 reads the types of the families t, m, c and r, and g4dn and g5
// (https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-types.html). Since the fifth
// generation, all types of a family have the same memory for each CPU, and the size determines the
// number of CPUs.
func ofEC2(size string) (cpus int, memoryGiB float64, ok bool) {
	m := instanceType.FindStringSubmatch(size)
	if m == nil {
		return 0, 0, false
	}
	family, options, count, unit := m[1], m[3], m[4], m[5]
	generation, _ := strconv.Atoi(m[2])
	if family == "t" && generation >= 2 && generation <= 4 {
		s, ok := burstable[count+unit]
		if generation > 2 {
			s.cpus = max(s.cpus, 2)
		}
		return s.cpus, s.memoryGiB, ok
	}
	cpus = cpusOfEC2(count, unit)
	memoryGiB = cmp.Or(largeC5n[size], memoryPerCPUOfEC2(family, generation, options)*float64(cpus))
	return cpus, memoryGiB, memoryGiB > 0
}

// cpusOfEC2 returns the number of CPUs, or 0 for metal and for any unknown size.
func cpusOfEC2(count, unit string) int {
	switch {
	case count == "" && unit == "medium":
		return 1
	case count == "" && unit == "large":
		return 2
	case count == "" && unit == "xlarge":
		return 4
	case unit == "xlarge" && count[0] != '0' && len(count) <= 2:
		n, _ := strconv.Atoi(count)
		return 4 * n
	default:
		return 0
	}
}

// memoryPerCPUOfEC2 returns the ratio of a family in GiB, or 0 if there is none.
func memoryPerCPUOfEC2(family string, generation int, options string) float64 {
	switch {
	case family == "c" && generation == 5 && options == "n":
		return 2.625
	case family == "c" && generation >= 5:
		return 2
	case family == "m" && generation >= 5, family == "g" && generation == 4 && options == "dn",
		family == "g" && generation == 5 && options == "":
		return 4
	case family == "r" && generation >= 5:
		return 8
	default:
		return 0
	}
}
