package preflight

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var selectsNoPlannedPool = rule.Rule{
	ID: "MK418", Severity: rule.Error,
	Title: "a RuntimeClass, StorageClass or volume for pools that a planned change removes",
	Reason: "A RuntimeClass or a PersistentVolume selects nodes, and a StorageClass allows nodes, by labels that a " +
		"pool of the topology has and no pool of the planned topology: pods that use it stay Pending after the " +
		"change. Pods that name a RuntimeClass which neither the objects nor the runtimeClasses of the plan have " +
		"are refused when they are created; a class that only the topology lists is a warning then. If the plan is " +
		"partial, findings about labels are warnings.",
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
	c.nodesStranded(selectedClass(c.object))
}

// CheckClasses returns the findings about the RuntimeClasses that the topology lists and no object is: what
// [Checker.Check] returns for the objects of classes. The paths are those of the topology, such as
// "runtimeClasses[0].nodeSelector[agentpool]", and begin with [InPlan] if the planned topology lists classes. There are
// findings only with a plan.
func (a *Collection) CheckClasses() []Finding {
	if a.plan == nil || a.anonymous {
		return nil // an object may be the class
	}
	run := check{Checker: a.Checker}
	planned := a.plan.Topology.RuntimeClasses
	keeps := a.options.To.RuntimeClasses == nil
	for i, class := range a.today.Topology.RuntimeClasses {
		if _, is := a.classes[class.Name]; is {
			continue
		}
		at, later := fmt.Sprintf("runtimeClasses[%d]", i), class
		if !keeps {
			j := slices.IndexFunc(planned, func(p topology.RuntimeClass) bool { return p.Name == class.Name })
			if j < 0 {
				run.classDropped(class)
				continue
			}
			at, later = fmt.Sprintf("%sruntimeClasses[%d]", InPlan, j), planned[j]
		}
		s := selectedClass(later.Object())
		s.path = at + ".nodeSelector"
		now, _ := a.today.PlaceNodes(selectedClass(class.Object()).selector, nil)
		then, _ := a.plan.PlaceNodes(s.selector, nil)
		run.reportNodes(s, moveOf(now, then, false))
	}
	run.findings.Sort()
	return run.findings
}

// CheckClasses is [Collection.CheckClasses] for objects whose pods have been parsed.
func (c *Checker) CheckClasses(objects []*pods.Object) []Finding {
	var gists []*Gist
	for _, o := range objects {
		if o.Kind == "RuntimeClass" {
			gists = append(gists, c.Gist(o))
		}
	}
	return c.Collect(gists).CheckClasses()
}

// classDropped reports a class of the topology that the plan does not list, if pods can use it now.
func (c *check) classDropped(class topology.RuntimeClass) {
	now, _ := c.today.PlaceNodes(selectedClass(class.Object()).selector, nil)
	if len(now.Possible()) == 0 {
		return
	}
	c.report(selectsNoPlannedPool, rule.Problem{
		Path: InPlan + "runtimeClasses", Value: class.Name, Severity: rule.Warning,
		Detail: "is a class of the topology, and not among the runtimeClasses of the plan: the API server will " +
			"refuse pods that name it",
		Fix: "add it to the plan, or delete the class when no pods name it",
	})
}

// selectedClass is what the object of a class says about nodes.
func selectedClass(object map[string]any) selectedNodes {
	return selectedNodes{
		selector: tree.Map(object["scheduling"])["nodeSelector"], subject: "the class%s", verb: "selects",
		path: "scheduling.nodeSelector",
	}
}

// volumeStranded checks the nodes that can reach a PersistentVolume.
func (c *check) volumeStranded() {
	const path = "spec.nodeAffinity.required.nodeSelectorTerms"
	terms := tree.At(c.object["spec"], "nodeAffinity", "required", "nodeSelectorTerms")
	c.nodesStranded(selectedNodes{
		terms: terms, subject: "the volume is%s", verb: "on", path: path, list: "matchExpressions",
		fix: "copy the data to a volume that nodes of the plan can reach, and delete this one",
	})
}

// storageStranded checks the nodes for which a StorageClass provisions volumes.
func (c *check) storageStranded() {
	c.nodesStranded(selectedNodes{
		terms: termsOf(c.object["allowedTopologies"]), subject: "the class provisions volumes%s", verb: "for",
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
	// subject and verb are what the object does with pools, see [move.text], and path is the field for it.
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
	c.reportNodes(s, moveOf(now, planned, hidden || hiddenNow))
}

// reportNodes reports what a move strands.
func (c *check) reportNodes(s selectedNodes, m move) {
	switch {
	case !m.strands():
		if named, ok := namedIn(tree.List(s.terms), s.at); ok {
			c.onNamedNodes(selectsNoPlannedPool, named, m, s.fix)
		}
	case m.hidden:
		c.reportStranded(selectsNoPlannedPool, rule.Problem{
			Path: s.path,
			Detail: fmt.Sprintf(s.subject, "") + " " + s.verb + " a pool of the topology, and " + s.verb +
				" none of the plan",
			Fix: "change it, which has a secret, or keep such a pool",
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
