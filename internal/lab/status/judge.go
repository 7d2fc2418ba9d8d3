package status

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"github.com/mixedkube/mixedkube/core/platform"
)

// Judge returns what is wrong with a pod, or "" if nothing is wrong. The node is nil if
// the pod has no node, or one that does not exist; planned is the node as its pool
// describes it, nil if it is not in a pool.
func Judge(pod *corev1.Pod, node, planned *corev1.Node) string {
	switch {
	case pod.Status.Phase == corev1.PodSucceeded:
		return ""
	case pod.Spec.NodeName == "":
		return "is pending: " + whyPending(pod)
	case node == nil:
		return fmt.Sprintf("is on node %s, which does not exist", pod.Spec.NodeName)
	}
	if wrong := wrongNode(pod, node); wrong != "" {
		return wrong
	}
	if taint := notTolerated(pod, planned); taint != nil {
		return fmt.Sprintf("is on node %s, but does not tolerate its pool's taint %s", node.Name, taint.ToString())
	}
	if !ready(pod) {
		return fmt.Sprintf("is on node %s, but not ready: its phase is %s", node.Name, pod.Status.Phase)
	}
	return ""
}

// wrongNode returns why a node is not of the kind that a pod needs.
func wrongNode(pod *corev1.Pod, node *corev1.Node) string {
	os := node.Labels[corev1.LabelOSStable]
	if pod.Spec.OS != nil && string(pod.Spec.OS.Name) != os {
		return fmt.Sprintf("is on the %s node %s, but its os.name is %s", os, node.Name, pod.Spec.OS.Name)
	}
	for _, key := range slices.Sorted(maps.Keys(pod.Spec.NodeSelector)) {
		if want, have := pod.Spec.NodeSelector[key], node.Labels[key]; want != have {
			return fmt.Sprintf("is on node %s with %s=%s, but its node selector wants %s", node.Name, key, have, want)
		}
	}
	host := hostPlatform(node)
	for _, container := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		if image := platform.FromImage(container.Image).Certain(host.OS()); platform.CanRun(host, image,
			platform.Strict) == platform.No {
			return fmt.Sprintf("is on the %s node %s, which cannot run its image %s", host, node.Name, container.Image)
		}
	}
	return ""
}

// notTolerated returns a taint of the pool that would have kept the pod off its node. The taint may
// have been removed from the node, and added again later.
func notTolerated(pod *corev1.Pod, planned *corev1.Node) *corev1.Taint {
	if planned == nil {
		return nil
	}
	for _, taint := range planned.Spec.Taints {
		tolerated := taint.Effect == corev1.TaintEffectPreferNoSchedule ||
			slices.ContainsFunc(pod.Spec.Tolerations,
				func(t corev1.Toleration) bool { return t.ToleratesTaint(klog.Background(), &taint, false) })
		if !tolerated {
			return &taint
		}
	}
	return nil
}

// hostPlatform returns the platform of a node, or "" if its labels do not show it.
func hostPlatform(node *corev1.Node) platform.Platform {
	if node.Labels[corev1.LabelOSStable] == string(platform.Linux.OS()) {
		return platform.Linux
	}
	host, _ := platform.ByBuild(node.Labels[corev1.LabelWindowsBuild])
	return host
}

func whyPending(pod *corev1.Pod) string {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodScheduled && condition.Message != "" {
			return condition.Message
		}
	}
	return "no node has been chosen yet"
}

func ready(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}
