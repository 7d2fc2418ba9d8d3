// Package noderoom computes how much of a node its pods can use: the capacity that its kubelet
// reports, less the reserved resources. Placement, the simulated nodes of the lab and the
// components all use this package. It is pure.
package noderoom

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Allocatable returns what a node with a capacity has for pods. No resource is below 0. It is nil
// if the capacity is not known
// (https://kubernetes.io/docs/tasks/administer-cluster/reserve-compute-resources/#node-allocatable).
func Allocatable(capacity, reserved corev1.ResourceList) corev1.ResourceList {
	if capacity == nil {
		return nil
	}
	left := make(corev1.ResourceList, len(capacity))
	for name, quantity := range capacity {
		quantity = quantity.DeepCopy()
		if amount, ok := reserved[name]; ok && amount.Sign() > 0 {
			quantity.Sub(amount)
		}
		if quantity.Sign() < 0 {
			quantity.Set(0)
		}
		left[name] = quantity
	}
	return left
}

//facts:none a unit
const mebibyte = 1 << 20

//facts:none measured on published nodes, which the tests have
const (
	// hiddenFromWindows is the memory that Windows does not report: each published node of AKS has
	// 460 KiB less than its size, whatever the size.
	hiddenFromWindows = 460 << 10

	// Linux does not report the memory that its kernel takes at the start: a description of 64
	// bytes for each page of 4096 bytes, and some more, which is at least 100 MiB on the published
	// nodes of AKS.
	pageShare       = 64
	hiddenFromLinux = 100 * mebibyte
)

// Reported returns the capacity that a kubelet reports on an Azure machine whose size has the
// nominal one. The memory of Windows is exact. The memory of Linux depends on the kernel: the
// figure is at most half a percent above the memory that each published node reports
// (TestPublishedNodes).
func Reported(nominal corev1.ResourceList, windows bool) corev1.ResourceList {
	if nominal == nil {
		return nil
	}
	memory := nominal.Memory().Value()
	hidden := memory/pageShare + hiddenFromLinux
	if windows {
		hidden = hiddenFromWindows
	}
	reported := nominal.DeepCopy()
	// The smallest sizes have less memory than that.
	reported[corev1.ResourceMemory] = *resource.NewQuantity(max(memory-hidden, 0), resource.BinarySI)
	return reported
}

// ReportedAtMost is like [Reported], for a machine in any cloud: no kubelet reports more. It does
// not subtract the kernel's other memory, which is not known there.
func ReportedAtMost(nominal corev1.ResourceList, windows bool) corev1.ResourceList {
	if nominal == nil || windows {
		return nominal
	}
	memory := nominal.Memory().Value()
	reported := nominal.DeepCopy()
	reported[corev1.ResourceMemory] = *resource.NewQuantity(memory-memory/pageShare, resource.BinarySI)
	return reported
}
