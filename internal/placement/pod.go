package placement

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
)

// Pod is what decides where a pod can run: of a workload, what its template
// says before anything is added on the way to the scheduler.
type Pod struct {
	// OS is spec.os.name; "" when the pod says none.
	OS platform.OS
	// NodeName is spec.nodeName. If it is set the scheduler is not asked, and
	// which pool the node belongs to is not known.
	NodeName string
	// NodeSelector is spec.nodeSelector.
	NodeSelector map[string]string
	// Required is requiredDuringSchedulingIgnoredDuringExecution of
	// spec.affinity.nodeAffinity; nil when there is none.
	Required *corev1.NodeSelector
	// Tolerations are spec.tolerations.
	Tolerations []corev1.Toleration
	// RuntimeClass is the class that the pod names; nil when it names none, and
	// when the class is not known (see [PartRuntimeClass]).
	RuntimeClass *RuntimeClass
	// Requests are those of the whole pod without overhead. With [PartRequests]
	// they are what it requests at least.
	Requests corev1.ResourceList
	// Images are those of all containers.
	Images []Image
	// DaemonSet says that the DaemonSet controller makes the pods: it picks the
	// nodes by itself, and adds tolerations.
	DaemonSet bool
	// HostNetwork is spec.hostNetwork: it adds a toleration to a DaemonSet's pods.
	HostNetwork bool
	// Unknown are the parts that are not known completely.
	Unknown Parts
}

// RuntimeClass is what a RuntimeClass adds to a pod when it is created.
type RuntimeClass struct {
	// Name is the class' name, for the texts.
	Name string
	// NodeSelector and Tolerations are the class' scheduling.
	NodeSelector map[string]string
	Tolerations  []corev1.Toleration
	// Overhead is overhead.podFixed.
	Overhead corev1.ResourceList
}

// Image is the image of a container and what is known of it.
type Image struct {
	// Container says which one it is, in the caller's words; it comes back in
	// [Reason.Container].
	Container string
	// Reference is the image as the pod names it, for the texts.
	Reference string
	platform.Image
}

// Parts is a set of parts of a [Pod].
type Parts uint8

// The parts. A part that is not known completely may have more than what is
// given: more keys in the node selector, more tolerations, requests and images, a
// RuntimeClass that adds to the pod. Of an affinity whose terms, which are
// alternatives, are not all known nothing is known; nor of an OS.
const (
	PartOS Parts = 1 << iota
	PartSelector
	PartAffinity
	PartTolerations
	PartRuntimeClass
	PartRequests
	PartImages
)

// unknown reports whether one of the parts is not known completely.
func (p *Pod) unknown(parts Parts) bool { return p.Unknown&parts != 0 }
