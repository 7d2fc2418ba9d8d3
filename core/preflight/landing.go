package preflight

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// Landing is where the pods of an object can land in the topology. [Checker.Landing] returns it.
type Landing struct {
	// Pools are the pools where the pods can be scheduled and, if that is known, run.
	Pools []topology.Pool
	// Perhaps are the pools for which it is unknown whether the pods can be scheduled there.
	Perhaps []topology.Pool
	// Requests are the known requests of one pod, including the overhead of its RuntimeClass. They are empty if some of
	// them are secret.
	Requests corev1.ResourceList
	// Count is the number of pods, or for a DaemonSet the number on each node: see PerNode. It does not predict the
	// changes of an autoscaler. An unknown number counts as 1.
	Count int
	// PerNode means that Count is for each node.
	PerNode bool

	text    string
	refused []placement.Verdict
	hidden  bool
}

// Refusal is why pods cannot land on a pool.
type Refusal struct {
	// Pool is the name of the pool.
	Pool string
	// Reasons are all reasons, the most important one first. The list is empty if the reason is secret.
	Reasons []string
}

// Refused returns the pools that are neither in Pools nor in Perhaps.
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

// PendingOn returns the names of the pools for whose nodes the controller of a DaemonSet creates pods that stay
// pending: it considers neither requests nor what the RuntimeClass adds. They are also in [Landing.Refused].
func (l Landing) PendingOn() []string {
	var names []string
	for _, v := range l.refused {
		if v.PendingPods {
			names = append(names, v.Pool.Name)
		}
	}
	return names
}

// String returns the landing on one line: "win22 (2 nodes), perhaps win25 (1 node)", or "nowhere".
func (l Landing) String() string { return l.text }

// Landing returns where the pods of a Pod or a workload can land. It returns false without a topology, and for objects
// without pods. The others are known objects on which the answer may depend: RuntimeClasses, PersistentVolumes,
// PersistentVolumeClaims and StorageClasses. A RuntimeClass that is not among them and is named like a platform of the
// topology counts as the one that components/runtimeclass creates. A claim that is not among them counts as one that
// gets a volume wherever its pods run.
func (c *Checker) Landing(object map[string]any, others ...map[string]any) (Landing, bool) {
	all := make([]*pods.Object, len(others))
	for i, other := range others {
		all[i] = pods.ReadObject(other)
	}
	return c.LandingOf(pods.ReadObject(object), OthersOf(all))
}

// Others are the objects on which the landings of pods depend. Nil is the same as none.
type Others struct {
	classes []map[string]any
	disks   *collection.Storage
}

// OthersOf returns the RuntimeClasses and the objects of persistent volumes among objects.
func OthersOf(objects []*pods.Object) *Others {
	all := &Others{disks: collection.NewStorage()}
	for _, o := range objects {
		switch o.Kind {
		case "RuntimeClass":
			all.classes = append(all.classes, o.Tree)
		case "PersistentVolume", "PersistentVolumeClaim", "StorageClass":
			all.disks.Add(o)
		}
	}
	return all
}

// LandingOf is Landing for an object whose pods have been parsed.
func (c *Checker) LandingOf(o *pods.Object, others *Others) (Landing, bool) {
	if c.cluster.Nodes == nil || o.Pods == nil {
		return Landing{}, false
	}
	if others == nil {
		others = OthersOf(nil)
	}
	target := c.cluster.Target(o.Pods, o.Pods.ClassAmong(others.classes))
	target.Images, target.Volumes = target.CertainImages(), others.disks.VolumesOf(o.Pods)
	answer, hidden := c.cluster.Place(o.Pods, &target)
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
