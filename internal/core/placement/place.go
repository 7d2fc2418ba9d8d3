package placement

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
)

// Place returns for each pool whether the pod can run there. The placement refers
// to the pod's maps and slices: do not change them while it is in use.
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

// preparedPod is a pod with the values that are the same for all pools.
type preparedPod struct {
	Pod
	selector  []selected
	conflicts []conflict
	affinity  []term
	volumes   []preparedVolume
	// total are the requests with the RuntimeClass' overhead.
	total corev1.ResourceList
}

func prepare(p Pod) *preparedPod {
	pod := &preparedPod{Pod: p, total: p.Requests}
	pod.selector, pod.conflicts = mergeSelectors(p)
	if p.Required != nil && !p.unknown(PartAffinity) {
		pod.affinity = parseAffinity(p.Required)
	}
	pod.volumes = prepareVolumes(p.Volumes)
	if p.RuntimeClass != nil && len(p.RuntimeClass.Overhead) > 0 {
		pod.total = sum(p.Requests, p.RuntimeClass.Overhead)
	}
	return pod
}

// check applies the rules to a pod and a pool. It is the same with and without
// explanations, so that these cannot disagree with the answer.
type check struct {
	nodes *Nodes
	node  *node
	pod   *preparedPod

	// template is the outcome for the selectors and tolerations of the pod itself,
	// which is all that the DaemonSet controller checks. admitted is the outcome for
	// the additions of the RuntimeClass, for the requests and for the volumes. The
	// scheduler checks both.
	template, admitted outcome
	// ignored is the outcome for the tolerations of the RuntimeClass, which the
	// DaemonSet controller ignores.
	ignored outcome
	// kubelet is the outcome on the node itself.
	kubelet outcome

	// explain collects the reasons: their texts are built only if they are needed.
	explain bool
	reasons []Reason
}

// outcome combines the outcomes of several rules, which must all accept.
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
		c.checkVolumes()
	} else {
		c.checkNodeName()
	}
	c.checkOS()
	c.checkImages()
}

// refuse records a No, and its reason if reasons are needed.
func (c *check) refuse(o *outcome, kind Kind, explain func() (text, fix string)) {
	o.refused = true
	if c.explain {
		text, fix := explain()
		c.reasons = append(c.reasons, Reason{Kind: kind, Text: text, Fix: fix})
	}
}

// about adds to the last reason which label it is about.
func (c *check) about(key string, byClass bool) {
	if c.explain {
		last := &c.reasons[len(c.reasons)-1]
		last.Label, last.ByClass = key, byClass
	}
}
