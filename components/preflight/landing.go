package preflight

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/placement"
	"github.com/mixedkube/mixedkube/internal/pods"
)

// Landing is where the pods of an object can land in the topology. It is made by
// [Checker.Landing].
type Landing struct {
	// Pools are those where the pods can be scheduled and, as far as it is known,
	// run.
	Pools []topology.Pool
	// Perhaps are those of which it is not known whether the pods can be scheduled
	// there.
	Perhaps []topology.Pool
	// Requests are those of one pod, with the overhead of its RuntimeClass: what is known
	// of them, and nothing where some of it is secret.
	Requests corev1.ResourceList
	// Count is how many pods there are, or of a DaemonSet on each node: see PerNode. An
	// autoscaler's changes are not foreseen, and 1 stands for a number that is not known.
	Count int
	// PerNode says that Count is for each node.
	PerNode bool

	text    string
	refused []placement.Verdict
	hidden  bool
}

// Refusal says why pods cannot land on a pool.
type Refusal struct {
	// Pool is the name of the pool.
	Pool string
	// Reasons are all reasons, the first one first. There are none if a secret decides.
	Reasons []string
}

// Refused are the pools that are neither among Pools nor among Perhaps.
func (l Landing) Refused() []Refusal {
	var all []Refusal
	for _, v := range l.refused {
		r := Refusal{Pool: v.Pool.Name}
		if !l.hidden {
			for _, reason := range v.Reasons() {
				r.Reasons = append(r.Reasons, reason.Text)
			}
		}
		all = append(all, r)
	}
	return all
}

// PendingOn names the pools for whose nodes the controller of a DaemonSet makes pods that stay
// pending: it does not look at what the RuntimeClass adds, nor at requests. They are among those of
// [Landing.Refused].
func (l Landing) PendingOn() []string {
	var names []string
	for _, v := range l.refused {
		if v.PendingPods {
			names = append(names, v.Pool.Name)
		}
	}
	return names
}

// String says it in a line: "win22 (2 nodes), perhaps win25 (1 node)", or
// "nowhere".
func (l Landing) String() string { return l.text }

// Landing says where the pods of a Pod or a workload can land. It is false without
// a topology, and for objects without pods. The given RuntimeClass objects are
// those that are known; a class that is named as a platform of the topology, and
// is not among them, counts as the one that components/runtimeclass makes.
func (c *Checker) Landing(object map[string]any, classes ...map[string]any) (Landing, bool) {
	return c.LandingOf(pods.ReadObject(object), classes...)
}

// LandingOf is Landing for an object whose pods have been read.
func (c *Checker) LandingOf(o *pods.Object, classes ...map[string]any) (Landing, bool) {
	if c.context.Nodes == nil || o.Pods == nil {
		return Landing{}, false
	}
	target := c.context.Target(o.Pods, o.Pods.ClassAmong(classes))
	target.Images = target.CertainImages()
	answer, hidden := c.context.Place(o.Pods, &target)
	l := Landing{text: answer.String(), hidden: hidden, Count: o.Pods.Count(), PerNode: o.Kind == "DaemonSet"}
	if !hidden {
		l.Requests = answer.Requests
	}
	for _, v := range answer.Verdicts {
		switch {
		case v.Answer() == platform.No:
			l.refused = append(l.refused, v)
		case v.Schedules == platform.Yes:
			l.Pools = append(l.Pools, *v.Pool)
		default:
			l.Perhaps = append(l.Perhaps, *v.Pool)
		}
	}
	return l, true
}
