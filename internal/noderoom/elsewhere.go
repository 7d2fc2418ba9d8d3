package noderoom

import (
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// sharesOfCPU are what both EKS and GKE reserve of the CPUs.
var sharesOfCPU = []bracket{{1, 0.06}, {2, 0.01}, {4, 0.005}, {math.Inf(1), 0.0025}}

const (
	// In MiB, of EKS.
	memoryPerPodOfEKS, memoryOfKubeletOfEKS = 11, 255
	// evictionElsewhere is the kubelet's own threshold for memory, in MiB, which both have.
	evictionElsewhere = 100
	// smallestOfGKE is what GKE reserves of less than 1 GiB, in MiB.
	smallestOfGKE = 255
	// sharedCoreOfGKE is what GKE reserves of the two CPUs of a shared-core machine.
	sharedCoreOfGKE = 1060
)

// EKS is what is reserved on a Linux node of EKS, whose capacity is what its kubelet reports
// (https://github.com/awslabs/amazon-eks-ami/blob/main/nodeadm/internal/kubelet/config.go,
// getCPUMillicoresToReserve and GetMemoryMebibytesToReserve; Bottlerocket has the same). With 0 for
// maxPods the memory is what is reserved at least. What AWS' images for Windows reserve is published
// nowhere: nothing is reserved there as far as this package knows.
func EKS(capacity corev1.ResourceList, windows bool, maxPods int) corev1.ResourceList {
	if capacity == nil || windows {
		return nil
	}
	return reserved(shareOfCPU(capacity), memoryPerPodOfEKS*max(maxPods, 0)+memoryOfKubeletOfEKS+evictionElsewhere)
}

// GKE is what is reserved on a node of GKE, whose capacity is what its kubelet reports
// (https://docs.cloud.google.com/kubernetes-engine/docs/concepts/plan-node-sizes#memory_and_cpu_reservations).
// A Windows node keeps more than this, and it is not published how much more
// (https://docs.cloud.google.com/kubernetes-engine/docs/how-to/creating-a-cluster-windows).
func GKE(capacity corev1.ResourceList, sharedCore bool) corev1.ResourceList {
	if capacity == nil {
		return nil
	}
	cpu := shareOfCPU(capacity)
	if sharedCore {
		cpu = sharedCoreOfGKE
	}
	total := float64(capacity.Memory().Value()) / mebibyte
	memory := share(memoryBrackets, total)
	if total < 1<<10 {
		memory = smallestOfGKE
	}
	return reserved(cpu, int(memory)+evictionElsewhere)
}

// shareOfCPU is in thousandths of a CPU.
func shareOfCPU(capacity corev1.ResourceList) int64 {
	const half = 0.5 // what floating point makes of a whole number
	return int64(share(sharesOfCPU, capacity.Cpu().AsApproximateFloat64())*1000 + half)
}

func reserved(milliCPU int64, mebibytes int) corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewMilliQuantity(milliCPU, resource.DecimalSI),
		corev1.ResourceMemory: *resource.NewQuantity(int64(mebibytes)*mebibyte, resource.BinarySI),
	}
}
