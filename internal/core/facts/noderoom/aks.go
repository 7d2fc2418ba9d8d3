package noderoom

import (
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
)

// bracket is a part of a machine's CPUs or memory, of which AKS reserves a share.
type bracket struct {
	// upTo is the end of the bracket; share is the reserved share of it.
	upTo, share float64
}

// cpuBrackets are in CPUs, memoryBrackets in MiB. The documentation has figures for the powers of
// two up to 64 CPUs; Karpenter's provider for Azure has the shares between and above them
// (https://github.com/Azure/karpenter-provider-azure/blob/main/pkg/providers/instancetype/instancetype.go).
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/node-resource-reservations
var (
	cpuBrackets    = []bracket{{1, 0.06}, {2, 0.04}, {4, 0.02}, {math.Inf(1), 0.01}}
	memoryBrackets = []bracket{
		{4 << 10, 0.25}, {8 << 10, 0.20}, {16 << 10, 0.10}, {128 << 10, 0.06}, {math.Inf(1), 0.02},
	}
)

// lessReserved is the first version in which AKS reserves memory by the number of pods.
//
//facts:none an event of the past
var lessReserved = kubeversion.Version{Major: 1, Minor: 29}

// What AKS reserves on a node since lessReserved.
//
//facts:seen 2026-08-21 https://learn.microsoft.com/azure/aks/node-resource-reservations
const (
	// In MiB: AKS calls them MB, and the published nodes show that it means MiB.
	memoryPerPod, memoryOfKubelet = 20, 50
	largestShare                  = 0.25
	evictionSince, evictionBefore = 100, 750
	windowsMemory                 = 2048
)

// AKS returns what is reserved on a node of AKS: kube-reserved, the kubelet's hard eviction
// threshold for memory, and the memory that AKS leaves to Windows itself
// (https://learn.microsoft.com/azure/aks/node-resource-reservations). Nominal is the capacity of
// the node's size: AKS calculates with that, not with the capacity that the node reports. An
// unknown version counts as a recent one.
//
// Windows nodes have no eviction threshold: AKS gives their kubelets an empty --eviction-hard
// (https://github.com/Azure/AgentBaker/blob/main/e2e/node_config.go). This is also true since
// Kubernetes 1.31, in which Windows got a default. No published Windows node of 1.29 or newer was
// found (2026-11-24): they follow the documented formula, which does not except Windows.
func AKS(nominal corev1.ResourceList, windows bool, version string, maxPods int) corev1.ResourceList {
	if nominal == nil {
		return nil
	}
	total := float64(nominal.Memory().Value()) / mebibyte
	v, known := kubeversion.Parse(version)
	reserved, eviction := math.Min(float64(memoryPerPod*maxPods+memoryOfKubelet), largestShare*total), evictionSince
	if known && v.Compare(lessReserved) < 0 {
		reserved, eviction = share(memoryBrackets, total), evictionBefore
	}
	memory := int64(reserved)
	if windows {
		memory += windowsMemory
	} else {
		memory += int64(eviction)
	}
	cpu := math.Round(share(cpuBrackets, nominal.Cpu().AsApproximateFloat64()) * 1000)
	return corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewMilliQuantity(int64(cpu), resource.DecimalSI),
		corev1.ResourceMemory: *resource.NewQuantity(memory*mebibyte, resource.BinarySI),
	}
}

// share adds up the reserved shares of each bracket that an amount reaches.
func share(brackets []bracket, amount float64) float64 {
	reserved, from := 0.0, 0.0
	for _, b := range brackets {
		if amount <= from {
			break
		}
		reserved += (math.Min(amount, b.upTo) - from) * b.share
		from = b.upTo
	}
	return reserved
}
