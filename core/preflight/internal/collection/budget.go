package collection

import (
	"slices"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/value"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Budgeted are the pods that a PodDisruptionBudget selects.
type Budgeted struct {
	// Drained is true if there are pods, and a drain evicts them.
	Drained bool
	// Expected is the number of pods, and Counted is true if it is known.
	Expected int
	Counted  bool
	// Leaving are the names of the pools that are drained and where the pods land, and Workloads are the workloads whose
	// pods do: their kinds and names.
	Leaving, Workloads []string
}

// Budgeted returns the pods that a PodDisruptionBudget selects. If they are not known, it returns the zero value.
func (o *Object) Budgeted() Budgeted {
	selector, known := subject.ReadSelector(tree.At(o.Tree["spec"], "selector"))
	namespace, hasNamespace := subject.Namespace(o.Tree)
	if !known || !hasNamespace {
		return Budgeted{}
	}
	c := o.others
	return c.budgets.of(namespace, selector.String(), func() Budgeted { return c.budgeted(namespace, selector) })
}

func (c *Collection) budgeted(namespace string, selector labels.Selector) Budgeted {
	workloads, known := c.workloadsOf(namespace, selector)
	if !known || len(workloads) == 0 || !drained(workloads) {
		return Budgeted{}
	}
	expected, counted := c.countOf(workloads)
	b := Budgeted{Drained: !counted || expected > 0, Expected: expected, Counted: counted}
	for _, w := range workloads {
		if len(w.leaving) > 0 {
			b.Leaving, b.Workloads = append(b.Leaving, w.leaving...), append(b.Workloads, w.title())
		}
	}
	slices.Sort(b.Leaving)
	slices.Sort(b.Workloads)
	b.Leaving = slices.Compact(b.Leaving)
	return b
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

// mostReplicas is the largest number of replicas that counts as one that somebody means.
const mostReplicas = 1 << 20

// countOf returns how many pods the workloads have together. It returns false if that is unknown, or if an autoscaler
// among the objects changes it.
func (c *Collection) countOf(workloads []*workload) (int, bool) {
	sum := 0
	for _, w := range workloads {
		n, ok := tree.Int(w.replicas)
		if w.replicas == nil {
			n, ok = 1, true
		}
		if _, secret := w.replicas.(value.Secret); secret {
			return 0, false // the number would be shown
		}
		if !ok || n < 0 || n > mostReplicas || c.isScaled(w) {
			return 0, false
		}
		sum += int(n)
	}
	return sum, true
}
