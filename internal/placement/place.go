package placement

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
)

// Place says for each pool whether the pod can run there. The placement refers
// to the pod's maps and slices: do not change them as long as it is used.
func (n *Nodes) Place(p Pod) Placement {
	pod := prepare(p)
	verdicts := make([]Verdict, len(n.nodes))
	for i := range n.nodes {
		c := check{nodes: n, node: &n.nodes[i], pod: pod}
		if first := c.node.first; first < i {
			verdicts[i] = verdicts[first]
			verdicts[i].Pool, verdicts[i].node = &c.node.pool, c.node
			continue
		}
		c.run()
		verdicts[i] = Verdict{
			Pool:        &c.node.pool,
			Schedules:   c.template.and(c.admitted).and(c.ignored).answer(),
			Runs:        c.kubelet.answer(),
			PendingPods: c.pending(),
			nodes:       n, node: c.node, pod: pod,
		}
	}
	return Placement{Verdicts: verdicts, Requests: pod.total}
}

// preparedPod is a pod with what is the same for all pools.
type preparedPod struct {
	Pod
	selector  []selected
	conflicts []conflict
	affinity  []term
	// total are the requests with the RuntimeClass' overhead.
	total corev1.ResourceList
}

func prepare(p Pod) *preparedPod {
	pod := &preparedPod{Pod: p, total: p.Requests}
	pod.selector, pod.conflicts = mergeSelectors(p)
	if p.Required != nil && !p.unknown(PartAffinity) {
		pod.affinity = parseAffinity(p.Required)
	}
	if p.RuntimeClass != nil && len(p.RuntimeClass.Overhead) > 0 {
		pod.total = sum(p.Requests, p.RuntimeClass.Overhead)
	}
	return pod
}

// check goes through the rules for a pod and a pool. It is the same with and
// without explanations, so the two cannot disagree.
type check struct {
	nodes *Nodes
	node  *node
	pod   *preparedPod

	// template is what selectors and taints say of the pod as it is written: the
	// DaemonSet controller looks at that alone. admitted is what the RuntimeClass
	// and the requests add; the scheduler looks at both.
	template, admitted outcome
	// ignored is what the RuntimeClass would add if the DaemonSet controller
	// looked at it.
	ignored outcome
	// kubelet is what the node itself says.
	kubelet outcome

	// explain asks for the reasons: texts are built for those who read them.
	explain bool
	reasons []Reason
}

// outcome gathers what several rules say: they must all agree.
type outcome struct{ refused, unsure bool }

func (o outcome) and(other outcome) outcome {
	return outcome{o.refused || other.refused, o.unsure || other.unsure}
}

func (o outcome) answer() platform.Answer {
	switch {
	case o.refused:
		return platform.No
	case o.unsure:
		return platform.Unknown
	default:
		return platform.Yes
	}
}

func (c *check) run() {
	if c.node.os == "" {
		c.template.unsure, c.kubelet.unsure = true, true
		return
	}
	c.checkConflicts()
	if c.pod.NodeName == "" {
		c.checkSelector()
		c.checkAffinity()
		c.checkTaints()
		c.checkResources()
	} else {
		c.template.unsure = true
	}
	c.checkOS()
	c.checkImages()
}

// refuse records a No, and its reason if somebody reads it.
func (c *check) refuse(o *outcome, kind Kind, explain func() (text, fix string)) {
	o.refused = true
	if c.explain {
		text, fix := explain()
		c.reasons = append(c.reasons, Reason{Kind: kind, Text: text, Fix: fix})
	}
}
