package preflight

import (
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/tree"
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

	text string
}

// String says it in a line: "win22 (2 nodes), perhaps win25 (1 node)", or
// "nowhere".
func (l Landing) String() string { return l.text }

// Landing says where the pods of a Pod or a workload can land. It is false without
// a topology, and for objects without pods. The given RuntimeClass objects are
// those that are known; a class that is named as a platform of the topology, and
// is not among them, counts as the one that components/runtimeclass makes.
func (c *Checker) Landing(object map[string]any, classes ...map[string]any) (Landing, bool) {
	if c.nodes == nil {
		return Landing{}, false
	}
	run := check{Checker: c, object: object}
	p, ok := run.podsWith(classes)
	if !ok {
		return Landing{}, false
	}
	p.target.images = p.target.certainImages()
	answer, _ := run.place(p)
	l := Landing{text: answer.String()}
	for _, v := range answer.Possible() {
		if v.Schedules == platform.Yes {
			l.Pools = append(l.Pools, v.Pool)
		} else {
			l.Perhaps = append(l.Perhaps, v.Pool)
		}
	}
	return l, true
}

// ReleaseMatters says whether the Windows release of an object's images must be that of
// the node. The answer is Yes for containers with process isolation, which share the
// kernel of their node, and No for host-process containers:
// https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/.
// It is Unknown where a value is not known yet, where a RuntimeClass may ask for Hyper-V
// isolation, and for objects without pods. The RuntimeClass is looked for among the given
// ones; one that is named as a platform counts as the one that components/runtimeclass
// makes. No rule is about the release unless the answer is Yes.
func (c *Checker) ReleaseMatters(object map[string]any, classes ...map[string]any) platform.Answer {
	run := check{Checker: c, object: object}
	p, ok := run.podsWith(classes)
	if !ok {
		return platform.Unknown
	}
	return p.releaseMatters()
}

// podsWith finds the pods of the object, and their RuntimeClass among those that are
// known.
func (c *check) podsWith(classes []map[string]any) (*pods, bool) {
	p, ok := c.pods(kindOf(c.object))
	if !ok {
		return nil, false
	}
	if name, ok := tree.Text(p.spec["runtimeClassName"]); ok && name != "" {
		for _, object := range classes {
			if class := readClass(object); class.name == name {
				p.target = c.targetWith(p, class)
			}
		}
	}
	return p, true
}
