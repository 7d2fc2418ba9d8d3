package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// among returns the findings between pods and other objects.
func (c *Checker) among(p *subject.Pods, all *collection.Collection) rule.Findings {
	found := guarded(p, func(p *subject.Pods) rule.Findings {
		return c.checks.podsAmong.Find(all.Pods(p), c.cluster.Minor)
	})
	class := all.ClassOf(p.Pods)
	if class != nil || p.Target.Volumes.Unknown {
		// The class may contradict the pods, and other findings follow from that.
		found = append(found, c.checks.silences.Drop(c.joined(p, class, all.VolumesOf(p.Pods)), found)...)
	}
	return append(found, guarded(c.cluster.PodsOf(p.Pods, class, false), func(p *subject.Pods) rule.Findings {
		return c.checks.claimsAmong.Find(all.Claims(p), c.cluster.Minor)
	})...)
}

// joined returns the findings about pods that there are only if the RuntimeClass, which may be nil, and the volumes are
// known.
func (c *Checker) joined(p *subject.Pods, class *pods.Class, volumes pods.Volumes) rule.Findings {
	earlier := placesOf(guarded(p, c.find))
	known := c.cluster.PodsOf(p.Pods, class, false)
	known.Target.Volumes, known.Joined = volumes, true
	return slices.DeleteFunc(guarded(known, c.find), func(f Finding) bool {
		return slices.Contains(earlier.severities(f), f.Severity) // an earlier guess may be certain now
	})
}
