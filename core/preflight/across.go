package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/placement"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
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

func (c *check) podAcross(p *judged, a *Collection) {
	class := c.classAcross(p, a)
	if class != nil || p.target.Volumes.Unknown {
		c.withOthers(p, class, a.disks.volumesOf(c.object, p.Pods))
	}
	c.knative(p, a)
	c.guarded(p, func(c *check, p *judged) { c.ipam(p, a) })
	c.guarded(c.subject(p.Pods, a.classes[p.ClassName()]), func(c *check, p *judged) { c.claimsAcross(p, a) })
	if p.OfRunnerConfig() {
		return // the namespace is in the configuration
	}
	if name, ok := tree.Text(tree.Map(c.object["metadata"])["namespace"]); ok && len(a.namespaces) > 0 {
		c.guarded(p, func(c *check, p *judged) {
			if p.target.OS() == platform.WindowsOS {
				c.podSecurity(p, a.namespaces[name])
				c.sidecarsOf(p, a.metadata[name])
			}
		})
	}
}

var (
	classNotAmongObjects = rule.Rule{
		ID: "MK401", Severity: rule.Warning, Title: "a RuntimeClass that is not among the objects",
		Reason: "Pods that name a RuntimeClass which does not exist are refused when they are created. It may exist " +
			"already, or be created in another way: a topology that lists the runtimeClasses of the cluster decides " +
			"it.",
		Source: classAdmission + ", prepareObjects",
	}
	classNotInCluster = rule.Rule{
		ID: "MK417", Severity: rule.Error, Title: "a RuntimeClass that neither the objects nor the cluster have",
		Reason: "Pods that name a RuntimeClass which does not exist are refused when they are created. The topology " +
			"lists the runtimeClasses of the cluster, and this one is not among them.",
		Source: classAdmission + ", prepareObjects",
	}
)

// MayBeResolved reports whether an object that is checked later can resolve a finding of [Checker.Across]: a warning,
// or an error about an object that is missing.
func MayBeResolved(f Finding) bool {
	return !f.Blocks() || f.Rule == classNotInCluster.ID || f.Rule == placement.SelectsNoPlannedPool.ID
}

// classAcross compares pods with their RuntimeClass, and returns it if it is known.
func (c *check) classAcross(p *judged, a *Collection) *pods.Class {
	name, ok := tree.Text(p.Spec["runtimeClassName"])
	if !ok || name == "" {
		return nil
	}
	class, ok := a.classes[name]
	if !ok {
		if !a.anonymous {
			c.classMissing(p, name)
		}
		return nil
	}
	if class != nil {
		c.againstClass(p, class)
	}
	return class
}

// classMissing reports a RuntimeClass that is not among the objects, unless the cluster is known to have it.
func (c *check) classMissing(p *judged, name string) {
	missing := rule.Problem{Path: p.Path("runtimeClassName"), Value: p.Spec["runtimeClassName"]}
	switch class, known := c.context.Existing(name); {
	case (class != nil || !known) && c.cluster.DropsClass(name):
		missing.Detail = "is neither among the objects nor among the runtimeClasses of the plan: the API server will " +
			"refuse the pods"
		missing.Fix = "use a class that stays, or add this one to the plan"
		c.report(placement.SelectsNoPlannedPool.Rule, missing)
	case class != nil:
	case known:
		missing.Detail = "is neither among the objects nor among the runtimeClasses of the topology: the API server " +
			"refuses the pods"
		missing.Fix = "use a class that exists, or create this one first and add it to the topology"
		c.report(classNotInCluster, missing)
	case p.target.OS() == platform.WindowsOS:
		missing.Detail = "is not among the objects, and the API server refuses the pods unless the cluster has it"
		missing.Fix = "add it, or list the runtimeClasses of the cluster in the topology"
		c.report(classNotAmongObjects, missing)
	}
}

// withOthers reports the findings that the checks of pods have only if the RuntimeClass, which may be nil, and the
// volumes are known.
func (c *check) withOthers(p *judged, class *pods.Class, volumes pods.Volumes) {
	alone := check{Checker: c.Checker, object: c.object, stated: c.stated}
	alone.guarded(p, (*check).dependOnOthers)

	known := check{Checker: c.Checker, object: c.object, stated: c.stated}
	subject := known.subject(p.Pods, class)
	subject.target.Volumes, subject.joined = volumes, true
	known.guarded(subject, (*check).dependOnOthers)

	earlier := placesOf(alone.findings)
	conflict := len(c.findings) > 0
	refused := slices.ContainsFunc(c.findings, func(f Finding) bool { return f.Rule == selectorAgainstClass.ID })
	for _, f := range known.findings {
		// Other findings already report that the class contradicts the pods.
		if conflict && (f.Rule == placesOfDifferentOS.ID || f.Rule == placesOfDifferentReleases.ID) || refused &&
			f.Rule == placement.FitsNoPool.ID {
			continue
		}
		// An earlier guess may be certain now.
		if !slices.Contains(earlier.severities(f), f.Severity) {
			c.findings = append(c.findings, f)
		}
	}
}

// dependOnOthers are the checks whose result can depend on a RuntimeClass or on volumes.
func (c *check) dependOnOthers(p *judged) {
	c.osNameMissing(p)
	c.images(p)
	c.onWindows(p)
	c.placed(p)
	c.checked(p)
}
