package placement

import (
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

// Verdict is the answer for one pool.
type Verdict struct {
	// Pool has its defaults. It belongs to the [Nodes]: callers must not write to it.
	Pool *topology.Pool
	// Schedules says whether the scheduler accepts a node of the pool; for a
	// DaemonSet, whether its controller does as well. A pool that has no nodes now
	// is judged by those that it will have.
	Schedules platform.Answer
	// Runs says whether the kubelet can run the pod there: spec.os.name is the
	// node's, and each image runs on the release.
	Runs platform.Answer
	// PendingPods says that the DaemonSet controller makes a pod for each node
	// of the pool that the scheduler refuses, so that it stays pending forever: the
	// RuntimeClass excludes the pool, or the requests do, neither of which the
	// controller looks at. Schedules is then No.
	PendingPods bool

	nodes *Nodes
	node  *node
	pod   *preparedPod
}

// Answer says whether the pod both schedules and runs.
func (v Verdict) Answer() platform.Answer {
	switch {
	case v.Schedules == platform.No || v.Runs == platform.No:
		return platform.No
	case v.Schedules == platform.Unknown || v.Runs == platform.Unknown:
		return platform.Unknown
	default:
		return platform.Yes
	}
}

// Architecture is that of the pool's nodes; false where it is only the default.
func (v Verdict) Architecture() (string, bool) {
	return v.Pool.Architecture(), !v.node.guessedArchitecture
}

// Reasons are all reasons why not, in the order RuntimeClass, selector,
// affinity, taint, resources, OS, images; the first one is what to say if only
// one is said. There are none unless the answer is No. They are built anew by
// every call.
func (v Verdict) Reasons() []Reason {
	if v.Answer() != platform.No {
		return nil
	}
	c := check{nodes: v.nodes, node: v.node, pod: v.pod, explain: true}
	c.run()
	c.settleIgnored()
	return c.reasons
}

// Reason is one reason why a pod does not run on a pool.
type Reason struct {
	Kind Kind
	// Text says why, of a pool that was named before: "its taint
	// os=windows:NoSchedule is not tolerated", "requests 16 CPUs, a node of
	// Standard_D4s_v5 has 4".
	Text string
	// Fix says what to change in the pod for this pool: "tolerate
	// os=windows:NoSchedule".
	Fix string
	// Container is that of the [Image] which the reason is about; "" when it is
	// about none.
	Container string
}

// Kind is the rule that a [Reason] comes from.
type Kind string

// The kinds of reasons.
const (
	// KindRuntimeClass is a class that the API server does not let the pod have
	// (on every pool), or one that the DaemonSet controller ignores although the
	// pod could be scheduled with it.
	KindRuntimeClass Kind = "RuntimeClass"
	// KindSelector is the node selector, the pod's or the RuntimeClass'.
	KindSelector Kind = "selector"
	// KindAffinity is the required node affinity.
	KindAffinity Kind = "affinity"
	// KindTaint is a taint that is not tolerated.
	KindTaint Kind = "taint"
	// KindResources is a request for more than a whole node has for pods.
	KindResources Kind = "resources"
	// KindOS is another operating system, by spec.os.name or by an image.
	KindOS Kind = "OS"
	// KindBuild is another Windows release: by an image, or by a selector or
	// affinity on [topology.LabelWindowsBuild], at whose place it then comes.
	KindBuild Kind = "build"
	// KindArchitecture is an image that has no variant for the nodes' processors.
	KindArchitecture Kind = "architecture"
)
