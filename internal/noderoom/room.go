// Package noderoom says how much of a node its pods get: what its kubelet reports, less what is
// reserved. Placement, the simulated nodes of the lab and the components all ask this package.
// It is pure.
package noderoom

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Allocatable is what a node with a capacity has for pods. No resource is below 0. It is nil if
// the capacity is not known
// (https://kubernetes.io/docs/tasks/administer-cluster/reserve-compute-resources/#node-allocatable).
func Allocatable(capacity, reserved corev1.ResourceList) corev1.ResourceList {
	if capacity == nil {
		return nil
	}
	left := make(corev1.ResourceList, len(capacity))
	for name, quantity := range capacity {
		quantity = quantity.DeepCopy()
		if kept, ok := reserved[name]; ok && kept.Sign() > 0 {
			quantity.Sub(kept)
		}
		if quantity.Sign() < 0 {
			quantity.Set(0)
		}
		left[name] = quantity
	}
	return left
}

const (
	mebibyte = 1 << 20

	// hiddenFromWindows is the memory that Windows does not report: each published node of AKS
	// has 460 KiB less than its size, whatever the size.
	hiddenFromWindows = 460 << 10

	// Linux does not report what its kernel takes at the start: for each page of 4096 bytes a
	// description of 64, and some more, at least 100 MiB on the published nodes of AKS.
	pageShare       = 64
	hiddenFromLinux = 100 * mebibyte
)

// Reported is the capacity that a kubelet reports on an Azure machine whose size has the nominal
// one. The memory of Windows is exact. That of Linux depends on the kernel: the figure is at most
// half a percent above what each published node reports (TestPublishedNodes).
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
	// The smallest sizes have less than that.
	reported[corev1.ResourceMemory] = *resource.NewQuantity(max(memory-hidden, 0), resource.BinarySI)
	return reported
}

// ReportedAtMost is as [Reported], for a machine anywhere: no kubelet reports more. What its kernel
// takes beside the descriptions of pages is not known there.
func ReportedAtMost(nominal corev1.ResourceList, windows bool) corev1.ResourceList {
	if nominal == nil || windows {
		return nominal
	}
	memory := nominal.Memory().Value()
	reported := nominal.DeepCopy()
	reported[corev1.ResourceMemory] = *resource.NewQuantity(memory-memory/pageShare, resource.BinarySI)
	return reported
}
