package noderoom

import (
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// sharesOfCPU are the shares of the CPUs that both EKS and GKE reserve.
//
//facts:seen 2026-07-23 https://github.com/awslabs/amazon-eks-ami/blob/main/nodeadm/internal/kubelet/config.go
var sharesOfCPU = []bracket{{1, 0.06}, {2, 0.01}, {4, 0.005}, {math.Inf(1), 0.0025}}

// What EKS reserves, in MiB. evictionOfKubelet is the kubelet's own threshold for memory, which GKE uses as well.
//
//facts:seen 2026-07-23 https://github.com/awslabs/amazon-eks-ami/blob/main/nodeadm/internal/kubelet/config.go
const (
	memoryPerPodOfEKS, memoryOfKubeletOfEKS = 11, 255
	evictionOfKubelet                       = 100
)

// What GKE reserves.
//
//facts:seen 2026-08-06 https://github.com/cloudpilot-ai/karpenter-provider-gcp/blob/main/pkg/utils/utils.go
const (
	// smallestOfGKE is the memory that GKE reserves on a machine with less than 1 GiB, in MiB.
	smallestOfGKE = 255
	// sharedCoreOfGKE is how much GKE reserves of the two CPUs of a shared-core machine, in
	// thousandths of a CPU.
	sharedCoreOfGKE = 1060
)

// EKS returns what is reserved on a Linux node of EKS with the capacity that its kubelet reports
// (https://github.com/awslabs/amazon-eks-ami/blob/main/nodeadm/internal/kubelet/config.go,
// getCPUMillicoresToReserve and GetMemoryMebibytesToReserve; Bottlerocket has the same). With 0 for
// maxPods the memory is a lower bound. The reservations of AWS' images for Windows are not
// published: for Windows it returns nil.
func EKS(capacity corev1.ResourceList, windows bool, maxPods int) corev1.ResourceList {
	if capacity == nil || windows {
		return nil
	}
	return reserved(shareOfCPU(capacity), memoryPerPodOfEKS*max(maxPods, 0)+memoryOfKubeletOfEKS+evictionOfKubelet)
}

// GKE returns what is reserved on a node of GKE with the capacity that its kubelet reports
// (https://docs.cloud.google.com/kubernetes-engine/docs/concepts/plan-node-sizes#memory_and_cpu_reservations).
// A Windows node reserves more than this; how much more is not published
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
	return reserved(cpu, int(memory)+evictionOfKubelet)
}

// shareOfCPU returns the reserved CPU in thousandths.
func shareOfCPU(capacity corev1.ResourceList) int64 {
	return int64(math.Round(share(sharesOfCPU, capacity.Cpu().AsApproximateFloat64()) * 1000))
}

func reserved(milliCPU int64, mebibytes int) corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewMilliQuantity(milliCPU, resource.DecimalSI),
		corev1.ResourceMemory: *resource.NewQuantity(int64(mebibytes)*mebibyte, resource.BinarySI),
	}
}
