package placement

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// Verdict is the answer for one pool.
type Verdict struct {
	// Pool has its defaults. It belongs to the [Nodes]: callers must not write to it.
	Pool *topology.Pool
	// Schedules is whether the scheduler accepts a node of the pool; for a
	// DaemonSet, whether its controller accepts it too. For a pool that has no nodes
	// now, it is the answer for its future nodes.
	Schedules platform.Answer
	// Runs is whether the kubelet can run the pod there: spec.os.name is the
	// operating system of the node, and each image runs on its release.
	Runs platform.Answer
	// PendingPods is true if the DaemonSet controller creates a pod for each node of
	// the pool, and the scheduler refuses these nodes, so that the pods stay pending
	// forever. The RuntimeClass, the requests or the volumes, which the controller
	// does not check, exclude the pool. Schedules is then No.
	PendingPods bool

	nodes *Nodes
	node  *node
	pod   *preparedPod
}

// Answer reports whether the pod both schedules and runs.
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

// Architecture returns the architecture of the pool's nodes; false if it is only the default.
func (v Verdict) Architecture() (string, bool) {
	return v.node.architecture, !v.node.guessedArchitecture
}

// Reasons returns all reasons why the answer is No, in the order RuntimeClass, selector,
// affinity, taint, resources, volumes, OS, images. If only one reason is reported, report the first
// one. There are none for another answer. Every call builds them again.
func (v Verdict) Reasons() []Reason {
	if v.Answer() != platform.No {
		return nil
	}
	c := check{nodes: v.nodes, node: v.node, pod: v.pod, explain: true}
	c.run()
	c.restoreTaints()
	return c.reasons
}

// Reason is one reason why a pod does not run on a pool.
type Reason struct {
	Kind Kind
	// Text describes the reason, in a sentence that has named the pool: "its taint
	// os=windows:NoSchedule is not tolerated", "requests 16 CPUs, a node of
	// Standard_D4s_v5 has 4".
	Text string
	// Fix is what to change in the pod for this pool: "tolerate
	// os=windows:NoSchedule".
	Fix string
	// Container is the container of the [Image] that the reason is about; "" if it is
	// not about an image.
	Container string
	// Label is the key of the label that the node selector or the node affinity
	// requires; "" if the reason is about something else.
	Label string
	// ByClass is true if only the RuntimeClass selects the Label.
	ByClass bool
}

// Kind is the rule that a [Reason] comes from.
type Kind string

// The kinds of reasons.
const (
	// KindRuntimeClass is a class with which the API server refuses the pod (on
	// every pool), or a class that the DaemonSet controller ignores although the
	// pod could be scheduled with it.
	KindRuntimeClass Kind = "RuntimeClass"
	// KindSelector is the node selector of the pod or of the RuntimeClass.
	KindSelector Kind = "selector"
	// KindAffinity is the required node affinity.
	KindAffinity Kind = "affinity"
	// KindNode is a node of another pool, in spec.nodeName.
	KindNode Kind = "node"
	// KindTaint is a taint that is not tolerated.
	KindTaint Kind = "taint"
	// KindResources is a request for more than a whole node has for pods.
	KindResources Kind = "resources"
	// KindVolume is the node affinity of a persistent volume.
	KindVolume Kind = "volume"
	// KindOS is another operating system, in spec.os.name or of an image.
	KindOS Kind = "OS"
	// KindBuild is another Windows release: of an image, or in a selector or
	// affinity for [topology.LabelWindowsBuild]. It has the position of the
	// selector or affinity then.
	KindBuild Kind = "build"
	// KindArchitecture is an image that has no variant for the nodes' processors.
	KindArchitecture Kind = "architecture"
)
