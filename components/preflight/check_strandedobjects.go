package preflight

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/pods"
	"github.com/mixedkube/mixedkube/internal/tree"
)

var selectsNoPlannedPool = rule.Rule{
	ID: "MK418", Severity: rule.Error,
	Title: "a RuntimeClass, StorageClass or volume for pools that a planned change removes",
	Reason: "A RuntimeClass or a PersistentVolume selects nodes, and a StorageClass allows nodes, by labels that a " +
		"pool of the topology has and no pool of the planned topology: pods that use it stay Pending after the " +
		"change. Pods that name a RuntimeClass which neither the objects nor the runtimeClasses of the plan have " +
		"are refused when they are created. If the plan is partial, findings about labels are warnings.",
	Source: classAdmission + ", https://kubernetes.io/docs/concepts/storage/persistent-volumes/#node-affinity, " +
		"https://kubernetes.io/docs/concepts/storage/storage-classes/#allowed-topologies",
}

// dropsClass reports whether the plan lists the RuntimeClasses of the cluster, and not this one.
func (c *check) dropsClass(name string) bool {
	if c.plan == nil || c.plan.Topology.RuntimeClasses == nil {
		return false
	}
	class, _ := c.plan.Existing(name)
	return class == nil
}

// classStranded checks the nodes that a RuntimeClass selects.
func (c *check) classStranded() {
	c.nodesStranded(selectedNodes{
		selector: tree.Map(c.object["scheduling"])["nodeSelector"], subject: "the class", verb: "selects",
		path: "scheduling.nodeSelector",
	})
}

// volumeStranded checks the nodes that can reach a PersistentVolume.
func (c *check) volumeStranded() {
	const path = "spec.nodeAffinity.required.nodeSelectorTerms"
	terms := tree.At(c.object["spec"], "nodeAffinity", "required", "nodeSelectorTerms")
	c.nodesStranded(selectedNodes{
		terms: terms, subject: "the volume is", verb: "on", path: path, list: "matchExpressions",
		fix: "copy the data to a volume that nodes of the plan can reach, and delete this one",
	})
}

// storageStranded checks the nodes for which a StorageClass provisions volumes.
func (c *check) storageStranded() {
	c.nodesStranded(selectedNodes{
		terms: termsOf(c.object["allowedTopologies"]), subject: "the class provisions volumes", verb: "for",
		path: "allowedTopologies", list: "matchLabelExpressions",
		fix: "create a class for pools of the plan, and use it in new claims",
	})
}

// termsOf returns allowed topologies as terms of a node affinity.
func termsOf(allowed any) any {
	list := tree.List(allowed)
	if list == nil {
		return allowed
	}
	terms := make([]any, len(list))
	for i, v := range list {
		expressions := tree.At(v, "matchLabelExpressions")
		if all := tree.List(expressions); all != nil {
			required := make([]any, len(all))
			for j, e := range all {
				required[j] = map[string]any{
					"key": tree.At(e, "key"), "operator": string(corev1.NodeSelectorOpIn),
					"values": tree.At(e, "values"),
				}
			}
			expressions = required
		}
		terms[i] = map[string]any{"matchExpressions": expressions}
	}
	return terms
}

// selectedNodes is what an object says about the nodes that it is for: a node selector, or terms of a node affinity.
type selectedNodes struct {
	selector, terms any
	// subject and verb are what the object does with pools, and path is the field for it.
	subject, verb, path string
	// list is the name of the expressions in a term, and fix the fix for terms, which cannot be changed.
	list, fix string
}

// nodesStranded reports an object for which there is a pool now and none in the plan.
func (c *check) nodesStranded(s selectedNodes) {
	if c.plan == nil || s.selector == nil && s.terms == nil {
		return
	}
	var required any
	if s.terms != nil {
		required = map[string]any{"nodeSelectorTerms": s.terms}
	}
	planned, hidden := c.plan.PlaceNodes(s.selector, required)
	now, hiddenNow := c.today.PlaceNodes(s.selector, required)
	m := moveOf(now, planned, hidden || hiddenNow)
	switch {
	case !m.strands():
		if named, ok := namedIn(tree.List(s.terms), s.at); ok {
			c.onNamedNodes(selectsNoPlannedPool, named, m, s.fix)
		}
	case m.hidden:
		c.reportStranded(selectsNoPlannedPool, rule.Problem{
			Path:   s.path,
			Detail: s.subject + " " + s.verb + " a pool of the topology, and " + s.verb + " none of the plan",
			Fix:    "change it, which has a secret, or keep such a pool",
		})
	default:
		nearest := m.nearest()
		reason := nearest.Reasons()[0]
		found := rule.Problem{Path: s.path, Detail: m.text(s.subject, s.verb, nearest), Fix: s.fix}
		if s.terms == nil {
			found.Fix = "delete the class when no pods name it"
			if !slices.Contains(pods.OSLabels[:], reason.Label) {
				found.Fix += ", or " + reason.Fix
			}
			found.Path, found.Value = s.at([]any{pods.Key(reason.Label)}), tree.Map(s.selector)[reason.Label]
		} else if keys, e := expressionAbout(tree.List(s.terms), reason.Label); keys != nil {
			found.Path, found.Value = valueIn(keys, e, s.at)
		}
		c.reportStranded(selectsNoPlannedPool, found)
	}
}

// at returns the path of a part of the selector or of the terms.
func (s *selectedNodes) at(keys []any) string {
	keys = slices.Clone(keys)
	if len(keys) > 1 {
		keys[1] = s.list
	}
	return s.path + pods.Join(keys...)
}
