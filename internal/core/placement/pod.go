package placement

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
)

// Pod has the fields that decide where a pod can run. For a workload, they are the
// fields of its pod template, before admission adds anything.
type Pod struct {
	// OS is spec.os.name; "" if it is not set.
	OS platform.OS
	// NodeName is spec.nodeName. If it is set, the scheduler is not involved, and
	// the pool of the node is not known, unless [NewChange] knows the names of nodes.
	NodeName string
	// NodeSelector is spec.nodeSelector.
	NodeSelector map[string]string
	// Required is requiredDuringSchedulingIgnoredDuringExecution of
	// spec.affinity.nodeAffinity; nil if there is none.
	Required *corev1.NodeSelector
	// Tolerations are spec.tolerations.
	Tolerations []corev1.Toleration
	// RuntimeClass is the class that the pod names; nil if it names none, and
	// if the class is not known (see [PartRuntimeClass]).
	RuntimeClass *RuntimeClass
	// Requests are the requests of the whole pod without overhead. With
	// [PartRequests], the pod requests at least these.
	Requests corev1.ResourceList
	// Images are the images of all containers.
	Images []Image
	// Volumes are the persistent volumes that claims of the pod are bound to.
	Volumes []Volume
	// DaemonSet is true if the DaemonSet controller creates the pods: it selects the
	// nodes itself, and adds tolerations.
	DaemonSet bool
	// HostNetwork is spec.hostNetwork: it adds a toleration to a DaemonSet's pods.
	HostNetwork bool
	// Unknown are the parts that are not known completely.
	Unknown Parts
}

// RuntimeClass is what a RuntimeClass adds to a pod when it is created.
type RuntimeClass struct {
	// Name is the name of the class, for the texts.
	Name string
	// NodeSelector and Tolerations are the scheduling of the class.
	NodeSelector map[string]string
	Tolerations  []corev1.Toleration
	// Overhead is overhead.podFixed.
	Overhead corev1.ResourceList
}

// Image is the image of a container and what is known about it.
type Image struct {
	// Container identifies the container for the caller, in [Reason.Container].
	Container string
	// Reference is the image as the pod names it, for the texts.
	Reference string
	platform.Image
}

// Parts is a set of parts of a [Pod].
type Parts uint8

// The parts of a pod. A part that is not known completely may have more values than
// the field of the [Pod]: more keys in the node selector, more tolerations, requests,
// images and volumes, a RuntimeClass that adds to the pod. For PartOS and PartAffinity,
// nothing is known, because the terms of an affinity are alternatives.
const (
	PartOS Parts = 1 << iota
	PartSelector
	PartAffinity
	PartTolerations
	PartRuntimeClass
	PartRequests
	PartImages
	PartVolumes
)

// unknown reports whether one of the parts is not known completely.
func (p *Pod) unknown(parts Parts) bool { return p.Unknown&parts != 0 }
