package placement

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/topology"
)

// The DaemonSet controller uses the pod template to decide which nodes get a pod, and
// ignores the scheduling of the template's RuntimeClass
// (https://github.com/kubernetes/kubernetes/issues/111590). The class is applied
// when a pod is created. So a pool that the template admits and the class
// excludes has one pending pod for each node, and a pool that only the class admits
// has none.

// daemonSetTolerates reports whether the controller adds a toleration for a taint
// (AddOrUpdateDaemonPodTolerations in
// pkg/controller/daemon/util/daemonset_util.go of Kubernetes 1.36).
func daemonSetTolerates(taint *corev1.Taint, hostNetwork bool) bool {
	switch taint.Key {
	case corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable:
		return taint.Effect == corev1.TaintEffectNoExecute
	case corev1.TaintNodeDiskPressure, corev1.TaintNodeMemoryPressure, corev1.TaintNodePIDPressure,
		corev1.TaintNodeUnschedulable:
		return taint.Effect == corev1.TaintEffectNoSchedule
	case corev1.TaintNodeNetworkUnavailable:
		return hostNetwork && taint.Effect == corev1.TaintEffectNoSchedule
	default:
		return false
	}
}

// pending reports whether the controller creates pods for nodes that the scheduler
// refuses. With an unknown RuntimeClass, the API server may refuse the pods.
func (c *check) pending() bool {
	return c.pod.DaemonSet && len(c.pod.conflicts) == 0 && !c.pod.unknown(PartRuntimeClass) &&
		c.template == outcome{} && c.ignored == outcome{} && c.admitted.refused
}

func (c *check) explainIgnored(taint *corev1.Taint) (text, fix string) {
	t := topology.FormatTaint(*taint)
	return "its taint " + t + " is tolerated by RuntimeClass " + c.pod.RuntimeClass.Name +
			" only, which the DaemonSet controller ignores",
		"tolerate " + t + " in the DaemonSet's own pod template"
}

// restoreTaints reports an ignored RuntimeClass as a taint, unless the class is the
// only reason.
func (c *check) restoreTaints() {
	if !c.template.refused && !c.admitted.refused {
		return
	}
	reasons := c.reasons[len(c.pod.conflicts):]
	for i := range reasons {
		if reasons[i].Kind == KindRuntimeClass {
			reasons[i].Kind = KindTaint
		}
	}
}
