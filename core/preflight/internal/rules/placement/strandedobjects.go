package placement

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var strandedObjectRules = []engine.Rule{SelectsNoPlannedPool}

// SelectsNoPlannedPool is MK418.
var SelectsNoPlannedPool = engine.Rule{
	Rule: rule.Rule{
		ID: "MK418", Severity: rule.Error, Page: rulepages.RuntimeClasses,
		Title: "a RuntimeClass, StorageClass or volume for pools that a planned change removes",
		Reason: "A RuntimeClass or a PersistentVolume selects nodes, and a StorageClass allows nodes, by labels that " +
			"a pool of the topology has and no pool of the planned topology: pods that use it stay Pending after the " +
			"change. Pods that name a RuntimeClass which neither the objects nor the runtimeClasses of the plan have " +
			"are refused when they are created; a class that only the topology lists is a warning then. If the plan " +
			"is partial, findings about labels are warnings.",
		Source: sources.ClassAdmission +
			", https://kubernetes.io/docs/concepts/storage/persistent-volumes/#node-affinity, " +
			"https://kubernetes.io/docs/concepts/storage/storage-classes/#allowed-topologies",
	},
	Silences: Contradictory,
	Checks: []engine.Check{
		engine.On(subject.RuntimeClasses, func(o *subject.Object) []rule.Problem {
			return strandedNodes(o.Cluster, selectedByClass(o.Tree))
		}),
		engine.On(subject.PersistentVolumes, strandedVolume),
		engine.On(subject.StorageClasses, strandedStorage),
		engine.On(subject.ClassesOfTopology, strandedClasses),
		engine.On(collection.PodsWithoutClass, classNotInPlan),
	},
}

func classNotInPlan(p *collection.Pods) []rule.Problem {
	if p.ClassAbsence() != collection.NotInPlan {
		return nil
	}
	return []rule.Problem{{
		Path: p.Path("runtimeClassName"), Value: p.Spec["runtimeClassName"],
		Detail: "is neither among the objects nor among the runtimeClasses of the plan: the API server will refuse " +
			"the pods",
		Fix: "use a class that stays, or add this one to the plan",
	}}
}

// strandedClasses judges the RuntimeClasses that the topology lists and no object is, as if they were objects.
func strandedClasses(t *subject.TopologyClasses) []rule.Problem {
	c := t.Cluster
	if c.Plan == nil {
		return nil
	}
	var found []rule.Problem
	planned := c.Plan.Topology.RuntimeClasses
	for i, class := range c.Today.Topology.RuntimeClasses {
		if t.IsObject(class.Name) {
			continue
		}
		at, later := fmt.Sprintf("runtimeClasses[%d]", i), class
		if c.PlansClasses {
			j := slices.IndexFunc(planned, func(p topology.RuntimeClass) bool { return p.Name == class.Name })
			if j < 0 {
				found = append(found, droppedClass(c, class)...)
				continue
			}
			at, later = fmt.Sprintf("%sruntimeClasses[%d]", subject.InPlan, j), planned[j]
		}
		s := selectedByClass(later.Object())
		s.path = at + ".nodeSelector"
		now, _ := c.Today.PlaceNodes(selectedByClass(class.Object()).selector, nil)
		then, _ := c.Plan.PlaceNodes(s.selector, nil)
		found = append(found, nodesProblems(c, s, moveOf(now, then, false))...)
	}
	return found
}

// droppedClass judges a class of the topology that the plan does not list, if pods can use it now.
func droppedClass(c *subject.Cluster, class topology.RuntimeClass) []rule.Problem {
	now, _ := c.Today.PlaceNodes(selectedByClass(class.Object()).selector, nil)
	if len(now.Possible()) == 0 {
		return nil
	}
	return []rule.Problem{{
		Path: subject.InPlan + "runtimeClasses", Value: class.Name, Severity: rule.Warning,
		Detail: "is a class of the topology, and not among the runtimeClasses of the plan: the API server will " +
			"refuse pods that name it",
		Fix: "add it to the plan, or delete the class when no pods name it",
	}}
}

// selectedByClass returns what the object of a class says about nodes.
func selectedByClass(object map[string]any) selectedNodes {
	return selectedNodes{
		selector: tree.Map(object["scheduling"])["nodeSelector"], about: "the class%s", verb: "selects",
		path: "scheduling.nodeSelector",
	}
}

// strandedVolume judges the nodes that can reach a PersistentVolume.
func strandedVolume(o *subject.Object) []rule.Problem {
	const path = "spec.nodeAffinity.required.nodeSelectorTerms"
	terms := tree.At(o.Tree["spec"], "nodeAffinity", "required", "nodeSelectorTerms")
	return strandedNodes(o.Cluster, selectedNodes{
		terms: terms, about: "the volume is%s", verb: "on", path: path, list: "matchExpressions",
		fix: "copy the data to a volume that nodes of the plan can reach, and delete this one",
	})
}

// strandedStorage judges the nodes for which a StorageClass provisions volumes.
func strandedStorage(o *subject.Object) []rule.Problem {
	return strandedNodes(o.Cluster, selectedNodes{
		terms: termsOf(o.Tree["allowedTopologies"]), about: "the class provisions volumes%s", verb: "for",
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
	// about and verb are what the object does with pools, see [move.text], and path is the field for it.
	about, verb, path string
	// list is the name of the expressions in a term, and fix the fix for terms, which cannot be changed.
	list, fix string
}

// strandedNodes judges an object for which there is a pool now and none in the plan.
func strandedNodes(c *subject.Cluster, s selectedNodes) []rule.Problem {
	if c.Plan == nil || s.selector == nil && s.terms == nil {
		return nil
	}
	var required any
	if s.terms != nil {
		required = map[string]any{"nodeSelectorTerms": s.terms}
	}
	planned, hidden := c.Plan.PlaceNodes(s.selector, required)
	now, hiddenNow := c.Today.PlaceNodes(s.selector, required)
	return nodesProblems(c, s, moveOf(now, planned, hidden || hiddenNow))
}

// nodesProblems returns what a move strands.
func nodesProblems(c *subject.Cluster, s selectedNodes, m move) []rule.Problem {
	if !m.strands() {
		if named, ok := namedIn(tree.List(s.terms), s.at); ok {
			return onNamedNodes(c, named, m, s.fix)
		}
		return nil
	}
	if m.hidden {
		return []rule.Problem{stranded(c, rule.Problem{
			Path: s.path,
			Detail: fmt.Sprintf(s.about, "") + " " + s.verb + " a pool of the topology, and " + s.verb +
				" none of the plan",
			Fix: "change it, which has a secret, or keep such a pool",
		})}
	}
	nearest := m.nearest()
	reason := nearest.Reasons()[0]
	found := rule.Problem{Path: s.path, Detail: m.text(s.about, s.verb, nearest), Fix: s.fix}
	if s.terms == nil {
		found.Fix = "delete the class when no pods name it"
		if !slices.Contains(pods.OSLabels[:], reason.Label) {
			found.Fix += ", or " + reason.Fix
		}
		found.Path, found.Value = s.at(pods.Key(reason.Label)), tree.Map(s.selector)[reason.Label]
	} else if keys, e := subject.ExpressionAbout(tree.List(s.terms), reason.Label); keys != nil {
		found.Path, found.Value = valueIn(keys, e, s.at)
	}
	return []rule.Problem{stranded(c, found)}
}

// at returns the path of a part of the selector or of the terms.
func (s *selectedNodes) at(keys ...any) string {
	keys = slices.Clone(keys)
	if len(keys) > 1 {
		keys[1] = s.list
	}
	return s.path + pods.Join(keys...)
}
