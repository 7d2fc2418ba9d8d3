package services

import (
	"fmt"
	"math"
	"strings"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var disruptionRules = []engine.Rule{noDisruptionAllowed, allReplicasNeeded}

const (
	configuringBudgets = "https://kubernetes.io/docs/tasks/run-application/configure-pdb/"
	drainOfAKS         = "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-code-poddrainfailure"
	disruption         = "pkg/controller/disruption/disruption.go of Kubernetes 1.36.3, getExpectedPodCount"
)

var noDisruptionAllowed = engine.Rule{
	Rule: rule.Rule{
		ID: "MK570", Severity: rule.Warning, Title: "a PodDisruptionBudget that allows no disruption",
		Page: rulepages.Autoscaling,
		Reason: "With maxUnavailable 0, or minAvailable 100%, no pod may be evicted. The drain of a node with such a " +
			"pod never ends, whatever the operating system: AKS refuses to start an upgrade (UnsatisfiablePDB), and " +
			"other services stop in the middle of it.",
		Fix: "allow at least one, with maxUnavailable: 1 for example",
		Source: configuringBudgets + ", " +
			"https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/unsatisfiablepdb-error",
	},
	Checks: []engine.Check{engine.On(collection.Budgets, func(o *collection.Object) []rule.Problem {
		l := limitOf(o)
		if !l.allowsNone() {
			return nil
		}
		return []rule.Problem{{
			Path: l.path, Value: l.value,
			Detail: "no pod may ever be evicted, so no node with one of them can be drained" + drains(o.Budgeted()),
		}}
	})},
}

var allReplicasNeeded = engine.Rule{
	Rule: rule.Rule{
		ID: "MK571", Severity: rule.Warning, Title: "a PodDisruptionBudget that needs all replicas",
		Page: rulepages.Autoscaling,
		Reason: "If minAvailable is as high as the number of pods, none may be evicted, and the drain of a node with " +
			"one of them never ends. A percentage is rounded up: 80% of 3 pods are 3. The most common case is one " +
			"replica with minAvailable 1. The number of pods is the number of replicas of the workloads among the " +
			"objects; workloads with an autoscaler are not checked.",
		Source: configuringBudgets + ", " + disruption + "; " + drainOfAKS,
	},
	Checks: []engine.Check{engine.On(collection.Budgets, needsAll)},
}

func needsAll(o *collection.Object) []rule.Problem {
	l, chosen := limitOf(o), o.Budgeted()
	if !l.minimum || !l.known || l.allowsNone() || !chosen.Counted {
		return nil
	}
	needed, err := intstr.GetScaledValueFromIntOrPercent(&l.share, chosen.Expected, true)
	if err != nil || needed < chosen.Expected {
		return nil
	}
	detail := "needs all of the " + fielderrors.Count(chosen.Expected, "pod") + " that it selects among the objects, " +
		"so no node with one of them can be drained"
	fix := "write less, or maxUnavailable: 1"
	if chosen.Expected == 1 {
		detail = "needs the only pod that it selects among the objects, so its node cannot be drained"
		fix = "write maxUnavailable: 1, or run more than one replica"
	}
	return []rule.Problem{{Path: l.path, Value: l.value, Detail: detail + drains(chosen), Fix: fix}}
}

// drains adds the pools that this update drains.
func drains(b collection.Budgeted) string {
	if len(b.Leaving) == 0 {
		return ""
	}
	return fmt.Sprintf("; this update drains the nodes of %s, where pods of %s run, and would stop there",
		strings.Join(b.Leaving, ", "), strings.Join(b.Workloads, ", "))
}

// limit is the field of a budget that limits evictions: maxUnavailable, or otherwise minAvailable.
type limit struct {
	path  string
	value any
	// share is the number or the percentage; known is false if it is neither, or not known.
	share intstr.IntOrString
	known bool
	// minimum means that the field is minAvailable.
	minimum bool
}

func limitOf(o *collection.Object) limit {
	spec := tree.Map(o.Tree["spec"])
	l := limit{path: "spec.maxUnavailable", value: spec["maxUnavailable"]}
	if l.value == nil {
		l = limit{path: "spec.minAvailable", value: spec["minAvailable"], minimum: true}
	}
	l.share, l.known = readShare(l.value)
	return l
}

// allowsNone reports whether the limit allows no eviction, however many pods there are.
func (l *limit) allowsNone() bool {
	if l.minimum {
		return l.known && l.share.StrVal == "100%"
	}
	return l.known && (l.share == intstr.FromInt32(0) || l.share.StrVal == "0%")
}

// readShare reads a number or a percentage. It returns false for anything else.
func readShare(v any) (intstr.IntOrString, bool) {
	if n, ok := tree.Int(v); ok {
		return intstr.FromInt32(int32(min(n, math.MaxInt32))), true
	}
	text, ok := tree.Text(v)
	share := intstr.FromString(text)
	_, err := intstr.GetScaledValueFromIntOrPercent(&share, 1, true)
	return share, ok && err == nil
}
