package preflight

import (
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// PlatformAnnotation is an annotation of a workload, or of its pod template. It states what the pods run on if nothing
// else in the manifest does: a platform, in a form that [platform.Parse] accepts ("linux", "windows-2022"), or
// "windows" for any release. Package manifest mutates the pods accordingly.
const PlatformAnnotation = pods.PlatformAnnotation

var platformAnnotationContradicts = rule.Rule{
	ID: "MK903", Severity: rule.Error, Title: "the platform annotation contradicts the pods",
	Reason: "The annotation " + PlatformAnnotation +
		" states what the pods run on if nothing else does. If something else contradicts it, one of the two is wrong.",
	Source: "this library",
}

var platformAnnotationUnknown = rule.Rule{
	ID: "MK902", Severity: rule.Error, Title: "the platform annotation does not name a platform",
	Reason: "The annotation " + PlatformAnnotation +
		" states what the pods run on. Pods are not mutated for a platform that does not exist.",
	Source: "this library",
}

// annotated checks the annotation on the object and on its pod template.
func (c *check) annotated(p *judged) {
	annotation := p.target.Annotation(p.Pods)
	c.againstCaller(p, annotation)
	for _, wrong := range annotation.Wrong {
		if wrong.Against != "" {
			c.report(platformAnnotationContradicts, rule.Problem{
				Path: wrong.Path, Value: wrong.Value, Detail: "contradicts " + wrong.Against,
				Fix: "remove one of the two",
			})
			continue
		}
		fix := "write linux, windows-2022 or another release, or windows for any"
		if wrong.Nearest != "" {
			fix = "did you mean " + wrong.Nearest.String() + "?"
		}
		c.report(platformAnnotationUnknown,
			rule.Problem{Path: wrong.Path, Value: wrong.Value, Detail: "is not a platform", Fix: fix})
	}
}

var markUnreadable = rule.Rule{
	ID: "MK904", Severity: rule.Warning, Title: "the mark of placed pods cannot be read",
	Reason: "The annotation " + pods.PlacedAnnotation + " lists the fields that mixedkube has added to the pods, so " +
		"that they follow the topology. A mark that people have edited, or that a later version of mixedkube has " +
		"written, is left alone, and so are the fields.",
	Source: "this library",
}

// marked checks the mark of an object with pods.
func (c *check) marked() {
	mark := tree.At(c.object, "metadata", "annotations", pods.PlacedAnnotation)
	if _, isText := tree.Text(mark); !isText {
		return
	}
	if _, reads := pods.ReadPlaced(c.object); !reads {
		c.report(markUnreadable, rule.Problem{
			Path: "metadata.annotations[" + pods.PlacedAnnotation + "]", Value: mark,
			Detail: "is not a mark that this version of mixedkube can read: the fields that it lists stay when the " +
				"topology changes",
			Fix: "restore it, use the version that wrote it, or delete it to keep the fields for yourself",
		})
	}
}

// againstCaller compares the annotation with the platform that the caller passes.
func (c *check) againstCaller(p *judged, annotation pods.Annotation) {
	if annotation.Claim.OS == "" || len(p.target.Claims) == 0 {
		return
	}
	caller := p.target.Claims[0]
	if caller.Source == pods.ByCaller && caller.Contradicts(annotation.Claim, p.target.Matching) {
		c.report(platformAnnotationContradicts, rule.Problem{
			Path: annotation.Claim.Label, Value: annotation.Value, Detail: "contradicts " + caller.Text(p.Pods),
			Fix: agree(caller),
		})
	}
}
