package eviction

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// hasToLeave reports whether a pod must end before its node is deleted. The following need not: a
// pod of a DaemonSet, which would create it again whatever taints the node has; a mirror pod, which
// belongs to a file on the machine; and a pod that has finished. If the kubelet does not answer,
// nothing reports that a pod has ended, so a pod that is being deleted is not waited for either.
func hasToLeave(pod corev1.Pod, nodeReady bool) bool {
	_, mirror := pod.Annotations[corev1.MirrorPodAnnotationKey]
	finished := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
	daemon := slices.ContainsFunc(pod.OwnerReferences, func(o metav1.OwnerReference) bool {
		return o.Kind == "DaemonSet" && o.Controller != nil && *o.Controller
	})
	lost := pod.DeletionTimestamp != nil && !nodeReady
	return !mirror && !finished && !daemon && !lost
}

func ready(node corev1.Node) bool {
	return slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	})
}
