package preflight

import (
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

const (
	configuringBudgets = "https://kubernetes.io/docs/tasks/run-application/configure-pdb/"
	drainOfAKS         = "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-code-poddrainfailure"
	disruption         = "pkg/controller/disruption/disruption.go of Kubernetes 1.36.3, getExpectedPodCount"
)

var (
	noDisruptionAllowed = rule.Rule{
		ID: "MK570", Severity: rule.Warning, Title: "a PodDisruptionBudget that allows no disruption",
		Reason: "With maxUnavailable 0, or minAvailable 100%, no pod may be evicted. The drain of a node with such a " +
			"pod never ends, whatever the operating system: AKS refuses to start an upgrade (UnsatisfiablePDB), and " +
			"other services stop in the middle of it.",
		Source: configuringBudgets + ", " +
			"https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/unsatisfiablepdb-error",
	}
	allReplicasNeeded = rule.Rule{
		ID: "MK571", Severity: rule.Warning, Title: "a PodDisruptionBudget that needs all replicas",
		Reason: "If minAvailable is as high as the number of pods, none may be evicted, and the drain of a node with " +
			"one of them never ends. A percentage is rounded up: 80% of 3 pods are 3. The most common case is one " +
			"replica with minAvailable 1. The number of pods is the number of replicas of the workloads among the " +
			"objects; workloads with an autoscaler are not checked.",
		Source: configuringBudgets + ", " + disruption + "; " + drainOfAKS,
	}
)

// disruptionBudget checks a PodDisruptionBudget together with the pods that it selects.
func (c *check) disruptionBudget(a *Collection) {
	spec := tree.Map(c.object["spec"])
	selector, known := readSelector(spec["selector"])
	namespace, hasNamespace := namespaceOf(c.object)
	if !known || !hasNamespace {
		return
	}
	chosen := a.budgets.of(namespace, selector.String(), func() budgeted { return a.budgeted(namespace, selector) })
	if !chosen.drained {
		return
	}
	field, value := "maxUnavailable", spec["maxUnavailable"]
	zero := intstr.FromInt32(0)
	share, ok := readShare(value)
	none := ok && (share == zero || share.StrVal == "0%")
	if value == nil {
		field, value = "minAvailable", spec["minAvailable"]
		share, ok = readShare(value)
		none = ok && share.StrVal == "100%"
	}
	path := "spec." + field
	switch {
	case none:
		c.report(noDisruptionAllowed, rule.Problem{
			Path: path, Value: value,
			Detail: "no pod may ever be evicted, so no node with one of them can be drained",
			Fix:    "allow at least one, with maxUnavailable: 1 for example",
		})
	case field == "minAvailable" && ok && chosen.counted:
		c.needsAll(path, value, share, chosen.expected)
	}
}

// budgeted are the pods that a budget selects.
type budgeted struct {
	// drained is true if there are pods, and a drain evicts them.
	drained bool
	// expected is the number of pods, and counted is true if it is known.
	expected int
	counted  bool
}

func (a *Collection) budgeted(namespace string, selector labels.Selector) budgeted {
	workloads, known := a.workloadsOf(namespace, selector)
	if !known || len(workloads) == 0 || !drained(workloads) {
		return budgeted{}
	}
	expected, counted := a.countOf(workloads)
	return budgeted{!counted || expected > 0, expected, counted}
}

// needsAll reports a budget that requires all pods to be available.
func (c *check) needsAll(path string, value any, share intstr.IntOrString, expected int) {
	needed, err := intstr.GetScaledValueFromIntOrPercent(&share, expected, true)
	if err != nil || needed < expected {
		return
	}
	detail := "needs all of the " + fielderrors.Count(expected, "pod") + " that it selects among the objects, so no " +
		"node with one of them can be drained"
	fix := "write less, or maxUnavailable: 1"
	if expected == 1 {
		detail = "needs the only pod that it selects among the objects, so its node cannot be drained"
		fix = "write maxUnavailable: 1, or run more than one replica"
	}
	c.report(allReplicasNeeded, rule.Problem{Path: path, Value: value, Detail: detail, Fix: fix})
}

// readShare reads a number or a percentage. It returns false for anything else.
func readShare(v any) (intstr.IntOrString, bool) {
	if n, ok := tree.Int(v); ok {
		return intstr.FromInt32(int32(min(n, maxEndpoints*maxEndpoints))), true
	}
	text, ok := tree.Text(v)
	share := intstr.FromString(text)
	_, err := intstr.GetScaledValueFromIntOrPercent(&share, 1, true)
	return share, ok && err == nil
}

// drained reports whether a drain evicts pods of the workloads. It ignores the pods of DaemonSets, and the pods of Jobs
// end by themselves.
func drained(workloads []*workload) bool {
	for _, w := range workloads {
		if _, scaled := scalable[w.kind]; !scaled {
			return false
		}
	}
	return true
}

// scalable are the kinds whose pods a budget counts by spec.replicas.
var scalable = map[string]bool{
	"Deployment": true, "ReplicaSet": true, "StatefulSet": true, "ReplicationController": true,
	pods.Rollout: true,
}

// countOf returns how many pods the workloads have together. It returns false if that is unknown, or if an autoscaler
// among the objects changes it.
func (a *Collection) countOf(workloads []*workload) (int, bool) {
	sum := 0
	for _, w := range workloads {
		n, ok := tree.Int(w.replicas)
		if w.replicas == nil {
			n, ok = 1, true
		}
		if _, secret := w.replicas.(Secret); secret {
			return 0, false // the number would be shown
		}
		if !ok || n < 0 || n > maxEndpoints*maxEndpoints || a.isScaled(w) {
			return 0, false
		}
		sum += int(n)
	}
	return sum, true
}

// scaler is an autoscaler: the name of what it scales, and its namespace.
type scaler struct {
	namespace, target string
	// known is true if both are known.
	known bool
}

// scalerOf reads a HorizontalPodAutoscaler or KEDA's ScaledObject
// (https://keda.sh/docs/latest/reference/scaledobject-spec/). It returns false for other kinds.
func scalerOf(object map[string]any) (s scaler, is bool) {
	kind, _ := tree.Text(object["kind"])
	if kind != "HorizontalPodAutoscaler" && kind != "ScaledObject" {
		return s, false
	}
	namespace, hasNamespace := namespaceOf(object)
	target, hasTarget := tree.Text(tree.At(object, "spec", "scaleTargetRef", "name"))
	if !hasNamespace || !hasTarget {
		return scaler{}, true
	}
	return scaler{namespace, target, true}, true
}

// isScaled reports whether an autoscaler among the objects may scale a workload.
func (a *Collection) isScaled(w *workload) bool {
	name, known := tree.Text(w.name)
	return !known && len(a.scalers) > 0 || a.scalers[scaler{}] || a.scalers[scaler{w.namespace, name, true}]
}
