package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/classes"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/placement"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
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
	return engine.Sorted(all)
}

// MayBeResolved reports whether an object that is checked later can resolve a finding of [Checker.Across]: a warning,
// or an error about an object that is missing.
func MayBeResolved(f Finding) bool {
	return !f.Blocks() || f.Rule == classes.NotInCluster.ID || f.Rule == placement.SelectsNoPlannedPool.ID
}
