package vm

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

// instanceType parses the name of an instance type of EC2: family, generation, options and size
// (https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-type-names.html).
var instanceType = regexp.MustCompile(`^([a-z]+)(\d)([a-z]*)(?:-flex)?\.(\d{0,2})([a-z]+)$`)

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

// cpusOfEC2 are the CPUs of the units in the names of sizes: 4xlarge has 16.
//
//facts:seen 2026-08-22 https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/cloudprovider/aws/ec2_instance_types.go
var cpusOfEC2 = map[string]int{"medium": 1, "large": 2, "xlarge": 4}

// memoryOfEC2 is the memory for each CPU in GiB: in a family since the fifth generation, or in a series.
//
//facts:seen 2026-08-22 https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/cloudprovider/aws/ec2_instance_types.go
var memoryOfEC2 = map[string]float64{"c": 2, "m": 4, "r": 8, "c5n": 2.625, "g4dn": 4, "g5": 4}

// ofEC2 reads the types of the families t, m, c and r, and g4dn and g5. Since the fifth generation, all types of a
// family have the same memory for each CPU, and the size determines the number of CPUs.
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
	cpus = cpusOfEC2[unit]
	switch {
	case count == "":
	case unit == "xlarge" && count[0] != '0':
		n, _ := strconv.Atoi(count)
		cpus *= n
	default: // metal, for example
		return 0, 0, false
	}
	ratio := memoryOfEC2[family+m[2]+options]
	if ratio == 0 && generation >= 5 {
		ratio = memoryOfEC2[family]
	}
	memoryGiB = cmp.Or(largeC5n[size], ratio*float64(cpus))
	return cpus, memoryGiB, memoryGiB > 0
}
