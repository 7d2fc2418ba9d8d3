package topology

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/internal/core/facts/noderoom"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
)

// Capacity returns the nominal cpu and memory of the pool's size. Nodes report slightly less memory
// ([Pool.NodeCapacity]), and offer even less to their pods ([Pool.Allocatable]). Capacity knows the names of Azure's A,
// B, D, E and F series (https://learn.microsoft.com/azure/virtual-machines/sizes), of EC2's families t, m, c and r
// (https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-types.html) and of Compute Engine's general machine
// types (https://docs.cloud.google.com/compute/docs/general-purpose-machines). For any other size it returns what the
// nodes report. False means that nothing is known, which is not an error.
func (p Pool) Capacity() (corev1.ResourceList, bool) {
	cpus, memoryGiB, ok := vm.Capacity(p.Size)
	if !ok {
		return p.Reported.Capacity.DeepCopy(), complete(p.Reported.Capacity)
	}
	const gib = 1 << 30
	return corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewQuantity(int64(cpus), resource.DecimalSI),
		corev1.ResourceMemory: *resource.NewQuantity(int64(memoryGiB*gib), resource.BinarySI),
	}, true
}

// NodeCapacity returns what the kubelet of a node reports as its capacity: the capacity in [Pool.Reported], or else
// [Pool.Capacity] less the memory that the operating system hides. On Linux that depends on the kernel; published nodes
// of AKS report up to half a percent less than this, nodes of other clouds up to five. False means that nothing is
// known about the size.
func (p Pool) NodeCapacity() (corev1.ResourceList, bool) {
	if complete(p.Reported.Capacity) {
		return p.Reported.Capacity.DeepCopy(), true
	}
	nominal, ok := p.Capacity()
	if !vm.IsAzure(p.Size) {
		return noderoom.ReportedAtMost(nominal, p.Platform.IsWindows()), ok
	}
	return noderoom.Reported(nominal, p.Platform.IsWindows()), ok
}

// Allocatable returns what a node of the pool can allocate to all its pods together: [Pool.NodeCapacity] less the
// reserved resources. If those are unknown, nothing is subtracted. False means that nothing is known about the size.
func (p Pool) Allocatable() (corev1.ResourceList, bool) {
	capacity, ok := p.NodeCapacity()
	return noderoom.Allocatable(capacity, p.Reserved), ok
}

const (
	amd64 = "amd64"
	arm64 = "arm64"
)

// Architecture returns the architecture of the pool's nodes, as in the label kubernetes.io/arch: the one in
// [Pool.Reported], or else arm64 for a size with Arm processors, such as Standard_D4ps_v5, m6g.large and
// t2a-standard-4, and amd64 for all others.
func (p Pool) Architecture() string {
	if p.Reported.Architecture != "" {
		return p.Reported.Architecture
	}
	if vm.IsArm64(p.Size) {
		return arm64
	}
	return amd64
}
