package objects

import (
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// annotationRules are about the annotations of mixedkube.
var annotationRules = []engine.Rule{
	IgnoredRuleUnknown, platformAnnotationUnknown, platformAnnotationContradicts, markUnreadable,
}

const thisLibrary = "this library"

// IgnoredRuleUnknown reports an ID that does not exist. If the annotation is secret, it shows neither the ID nor a
// similar one.
var IgnoredRuleUnknown = engine.Rule{
	Rule: rule.Rule{
		ID: "MK901", Severity: rule.Error, Title: "an ignored rule does not exist", Page: rulepages.Annotations,
		Reason: "The annotation " + subject.IgnoreAnnotation +
			" lists the IDs of rules. A misspelled ID ignores nothing, and would not be noticed.",
		Fix:    "use an ID from " + rule.URL("") + ", or remove it",
		Source: thisLibrary,
	},
	Checks: []engine.Check{engine.On(annotatedObjects, func(o *subject.Object) []rule.Problem {
		_, unknown := o.Ignored()
		found := make([]rule.Problem, len(unknown))
		_, secret := tree.At(o.Tree["metadata"], "annotations", subject.IgnoreAnnotation).(tree.Secret)
		for i, id := range unknown {
			found[i] = rule.Problem{
				Path: "metadata.annotations[" + subject.IgnoreAnnotation + "]", Value: id, Detail: "is not a rule",
			}
			if secret {
				found[i].Value = tree.Secret{}
			} else if near, ok := o.Cluster.Rules.Nearest(id); ok {
				found[i].Fix = "did you mean " + near + "?"
			}
		}
		return found
	})},
}

// annotatedObjects have annotations themselves, whether or not their pods have some.
var annotatedObjects = &engine.Scope[*subject.Object]{
	Name: "objects with annotations",
	Has:  func(o *subject.Object) bool { return tree.At(o.Tree["metadata"], "annotations") != nil },
}

// annotatedPods are those whose object or template has the annotation. Nothing around them makes a difference.
var annotatedPods = &engine.Scope[*subject.Pods]{
	Name: "pods with the annotation " + pods.PlatformAnnotation,
	Has: func(p *subject.Pods) bool {
		return !p.Joined && (tree.At(p.Object["metadata"], "annotations", pods.PlatformAnnotation) != nil ||
			tree.At(p.Metadata, "annotations", pods.PlatformAnnotation) != nil)
	},
}

var platformAnnotationUnknown = engine.Rule{
	Rule: rule.Rule{
		ID: "MK902", Severity: rule.Error, Title: "the platform annotation does not name a platform",
		Page: rulepages.Annotations,
		Reason: "The annotation " + pods.PlatformAnnotation +
			" states what the pods run on. Pods are not mutated for a platform that does not exist.",
		Fix:    "write linux, windows-2022 or another release, or windows for any",
		Source: thisLibrary,
	},
	Checks: []engine.Check{engine.On(annotatedPods, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for _, wrong := range p.Target.Annotation(p.Pods).Wrong {
			if wrong.Against != "" {
				continue
			}
			problem := rule.Problem{Path: wrong.Path, Value: wrong.Value, Detail: "is not a platform"}
			if wrong.Nearest != "" {
				problem.Fix = "did you mean " + wrong.Nearest.String() + "?"
			}
			found = append(found, problem)
		}
		return found
	})},
}

var platformAnnotationContradicts = engine.Rule{
	Rule: rule.Rule{
		ID: "MK903", Severity: rule.Error, Title: "the platform annotation contradicts the pods",
		Page: rulepages.Annotations,
		Reason: "The annotation " + pods.PlatformAnnotation +
			" states what the pods run on if nothing else does. If something else contradicts it, one of the two is " +
			"wrong.",
		Source: thisLibrary,
	},
	Checks: []engine.Check{
		engine.On(annotatedPods, againstCaller),
		engine.On(annotatedPods, func(p *subject.Pods) []rule.Problem {
			var found []rule.Problem
			for _, wrong := range p.Target.Annotation(p.Pods).Wrong {
				if wrong.Against != "" {
					found = append(found, rule.Problem{
						Path: wrong.Path, Value: wrong.Value, Detail: "contradicts " + wrong.Against,
						Fix: "remove one of the two",
					})
				}
			}
			return found
		}),
	},
}

// againstCaller compares the annotation with the platform that the caller passes.
func againstCaller(p *subject.Pods) []rule.Problem {
	annotation := p.Target.Annotation(p.Pods)
	if annotation.Claim.OS == "" || len(p.Target.Claims) == 0 {
		return nil
	}
	caller := p.Target.Claims[0]
	if caller.Source != pods.ByCaller || !caller.Contradicts(annotation.Claim, p.Target.Matching) {
		return nil
	}
	return []rule.Problem{{
		Path: annotation.Claim.Label, Value: annotation.Value, Detail: "contradicts " + caller.Text(p.Pods),
		Fix: subject.Agree(caller),
	}}
}

// AgainstCaller returns the part of MK903 about the platform that the caller passes.
func AgainstCaller() engine.Rule {
	return engine.Rule{
		Rule:   platformAnnotationContradicts.Rule,
		Checks: []engine.Check{engine.On(annotatedPods, againstCaller)},
	}
}

var markUnreadable = engine.Rule{
	Rule: rule.Rule{
		ID: "MK904", Severity: rule.Warning, Title: "the mark of placed pods cannot be read",
		Page: rulepages.Annotations,
		Reason: "The annotation " + pods.PlacedAnnotation + " lists the fields that mixedkube has added to the pods, " +
			"so that they follow the topology. A mark that people have edited, or that a later version of mixedkube " +
			"has written, is left alone, and so are the fields.",
		Fix:    "restore it, use the version that wrote it, or delete it to keep the fields for yourself",
		Source: thisLibrary,
	},
	Checks: []engine.Check{engine.On(annotatedObjects, func(o *subject.Object) []rule.Problem {
		if len(o.All()) == 0 {
			return nil
		}
		mark := tree.At(o.Tree, "metadata", "annotations", pods.PlacedAnnotation)
		if _, isText := tree.Text(mark); !isText {
			return nil
		}
		if _, reads := pods.ReadPlaced(o.Tree); reads {
			return nil
		}
		return []rule.Problem{{
			Path: "metadata.annotations[" + pods.PlacedAnnotation + "]", Value: mark,
			Detail: "is not a mark that this version of mixedkube can read: the fields that it lists stay when the " +
				"topology changes",
		}}
	})},
}
