package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/classes"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/placement"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// Across returns the findings that involve several objects, by the index of the object that they belong to: pods and
// the RuntimeClass that they name, pods and their Namespace's Pod Security Standard, a Service and its pods. If pods
// name one of the RuntimeClasses, or claim volumes, it also reports what [Checker.Check] cannot know without these:
// where they can land, and whether their images fit.
//
// [Checker.Check] reports what is wrong with each object alone. No finding is reported by both, except that a guess of
// Check from the name of a RuntimeClass may be certain here, see [Join]. The findings of each object are sorted like
// those of Check. The order of the objects makes no difference.
func (c *Checker) Across(objects []map[string]any) map[int][]Finding {
	all := make([]*pods.Object, len(objects))
	for i, object := range objects {
		all[i] = pods.ReadObject(object)
	}
	return c.AcrossObjects(all)
}

// AcrossObjects is Across for objects whose pods have been parsed.
func (c *Checker) AcrossObjects(objects []*pods.Object) map[int][]Finding {
	gists := make([]*Gist, len(objects))
	for i, o := range objects {
		gists[i] = c.Gist(o)
	}
	all := c.Collect(gists)
	found := map[int][]Finding{}
	for _, pods := range [...]bool{true, false} {
		for i, o := range objects {
			if gists[i].HasPods() != pods {
				continue
			}
			if findings := all.Findings(o, gists[i]); len(findings) > 0 {
				found[i] = findings
			}
		}
	}
	return found
}

// Join merges the findings of [Checker.Check] and [Checker.Across] for one object, sorted. If both have the same
// finding, the one of Across is used, because Across knows more.
func Join(alone, across []Finding) []Finding {
	all := slices.Grow(rule.Findings(slices.Clone(across)), len(alone))
	known := placesOf(across)
	for _, f := range alone {
		if !known.has(f) {
			all = append(all, f)
		}
	}
	all.Sort()
	return all
}

// podAcross reports the findings between pods and other objects.
func (c *check) podAcross(p *judged, all *collection.Collection) {
	before := len(c.findings)
	c.guarded(p, func(c *check, p *judged) {
		c.findings = append(c.findings, podsAcross.Find(all.Pods(c.subjectOf(p)), c.minor)...)
	})
	class := all.ClassOf(p.Pods)
	if class != nil || p.target.Volumes.Unknown {
		known := c.withOthers(p, class, all.VolumesOf(p.Pods))
		// Other findings already report that the class contradicts the pods.
		c.findings = append(c.findings, silences.Drop(known, c.findings[before:])...)
	}
	c.guarded(c.subject(p.Pods, class), func(c *check, p *judged) {
		c.findings = append(c.findings, claimsAcross.Find(all.Claims(c.subjectOf(p)), c.minor)...)
	})
}

// MayBeResolved reports whether an object that is checked later can resolve a finding of [Checker.Across]: a warning,
// or an error about an object that is missing.
func MayBeResolved(f Finding) bool {
	return !f.Blocks() || f.Rule == classes.NotInCluster.ID || f.Rule == placement.SelectsNoPlannedPool.ID
}

// withOthers returns the findings that the checks of pods have only if the RuntimeClass, which may be nil, and the
// volumes are known.
func (c *check) withOthers(p *judged, class *pods.Class, volumes pods.Volumes) rule.Findings {
	alone := check{Checker: c.Checker, object: c.object, stated: c.stated}
	alone.guarded(p, (*check).dependOnOthers)

	known := check{Checker: c.Checker, object: c.object, stated: c.stated}
	subject := known.subject(p.Pods, class)
	subject.target.Volumes, subject.joined = volumes, true
	known.guarded(subject, (*check).dependOnOthers)

	earlier := placesOf(alone.findings)
	return slices.DeleteFunc(known.findings, func(f Finding) bool {
		return slices.Contains(earlier.severities(f), f.Severity) // an earlier guess may be certain now
	})
}

// dependOnOthers are the checks whose result can depend on a RuntimeClass or on volumes.
func (c *check) dependOnOthers(p *judged) {
	c.images(p)
	c.onWindows(p)
	c.placed(p)
	c.checked(p)
}
