package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight/internal/structure"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/placeholder"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Check returns everything that is known to be wrong with one Kubernetes object: a Pod, a workload with a pod template,
// a RuntimeClass, a Service, a HorizontalPodAutoscaler, a PersistentVolume or a GMSACredentialSpec. For other kinds
// that Kubernetes serves it checks only the fields; it does not check custom resources.
//
// The findings are sorted by path, and include suppressed ones.
//
// In Go, values may have any type that represents them, such as int or []string. To check many objects, create a
// [Checker] with [New].
func Check(object map[string]any, options Options) []Finding {
	return New(options).Check(object)
}

// Checker checks objects with the same options. It is safe for concurrent use.
type Checker struct {
	options Options
	cluster *subject.Cluster
	checks  *checks
}

// New returns a Checker. It does not check again what [Options.Validate] reports: options with errors count as unknown.
func New(options Options) *Checker {
	context := pods.NewContext(options.Topology.WithDefaults(), options.matching(), options.Images)
	cluster := &subject.Cluster{
		Context: context.WithPlatform(options.OS, options.Platform), Minor: options.minor(), Rules: described,
		PlansClasses: options.To.RuntimeClasses != nil,
	}
	if len(options.Topology.Pools) > 0 && len(options.To.Pools) > 0 {
		cluster.Today, cluster.Plan = cluster.PlanTo(options.To.WithDefaults(), options.planned())
	}
	if leaving := options.Topology; len(leaving.Leaving) > 0 {
		leaving.Pools = leaving.Leaving
		cluster.Leaving = pods.NewContext(leaving.WithDefaults(), options.matching(), options.Images)
	}
	return &Checker{options, cluster, allChecks}
}

// Context returns what the Checker knows in addition to the objects.
func (c *Checker) Context() *pods.Context { return c.cluster.Context }

// Check is [Check] with the Checker's options.
func (c *Checker) Check(object map[string]any) []Finding {
	return c.CheckObject(pods.ReadObject(object))
}

// CheckObject is Check for an object whose pods have been parsed.
func (c *Checker) CheckObject(o *pods.Object) []Finding {
	object := c.object(o)
	found := c.checks.objects.Find(object, c.cluster.Minor)
	for _, p := range o.All() {
		found = append(found, guarded(c.cluster.PodsOf(p, nil, o.Stated), c.find)...)
	}
	return finished(object, found)
}

// CheckPlaceholders returns a warning for each placeholder in an object that a rule would report if it was the value.
// known are the findings about the object with unknown values in place of the placeholders: see package placeholder.
func (c *Checker) CheckPlaceholders(o *pods.Object, known []Finding) []Finding {
	found := slices.DeleteFunc(c.CheckObject(o), func(f Finding) bool {
		text, isText := tree.Text(f.Value)
		return !isText || !placeholder.In(text) ||
			slices.ContainsFunc(known, func(k Finding) bool { return k.Rule == f.Rule && k.Path == f.Path })
	})
	found = slices.CompactFunc(found, func(a, b Finding) bool { return a.Path == b.Path })
	for i := range found {
		found[i].Fix = structure.PutAValue
		if found[i].Severity == Error {
			found[i].Severity = Warning
		}
	}
	return found
}

// Contradiction returns what certainly contradicts the operating system or the platform in the options, for a caller
// that leaves everything else to package guard.
func (c *Checker) Contradiction(o *pods.Object) []Finding {
	if o.Pods == nil {
		return nil
	}
	p := c.cluster.PodsOf(o.Pods, nil, false)
	if p.Target.Guessed {
		p = p.Certain()
	}
	object := c.object(o)
	return finished(object, append(contradictoryPods.Find(p, c.cluster.Minor),
		contradictoryObjects.Find(object, c.cluster.Minor)...))
}

// DuplicateKeys returns findings for the keys that occur twice in the text of an object, which itself has only the last
// ones. A caller that has the text adds them to the findings of [Checker.Check].
func (c *Checker) DuplicateKeys(object map[string]any, keys []manifests.Duplicate) []Finding {
	o := c.object(&pods.Object{Tree: object})
	return finished(o, c.checks.texts.Find(&subject.Text{Object: o, Twice: keys}, c.cluster.Minor))
}

// Refused reports whether the API server refuses fields of an object's pods because of their os.name.
func Refused(o *pods.Object) bool {
	return len(refusedByOSName.Find(New(Options{}).cluster.PodsOf(o.Pods, nil, false), 0)) > 0
}

// object returns the subject of the rules about objects.
func (c *Checker) object(o *pods.Object) *subject.Object {
	return &subject.Object{Object: o, Cluster: c.cluster}
}

// find asks all rules about pods.
func (c *Checker) find(p *subject.Pods) rule.Findings { return c.checks.pods.Find(p, c.cluster.Minor) }

// finished sorts the findings about an object, and marks those that it suppresses.
func finished(o *subject.Object, found rule.Findings) []Finding {
	if len(found) == 0 {
		return nil
	}
	ignored, _ := o.Ignored()
	found.Suppress(ignored)
	found.Sort()
	return found
}

// guarded returns findings about pods. A finding that is based only on a guess, or on an assumption about volumes, is a
// warning.
func guarded(p *subject.Pods, find func(*subject.Pods) rule.Findings) rule.Findings {
	guess := find(p)
	if !p.Unsure() {
		return guess
	}
	sure := find(p.Certain())
	guessed, certain := placesOf(guess), placesOf(sure)
	for i, f := range guess {
		if f.Severity == Error && !certain.has(f) {
			guess[i].Severity = Warning
			guess[i].Detail += p.Why(f.Path)
		}
	}
	return append(guess, slices.DeleteFunc(sure, func(f Finding) bool {
		return f.Severity != Error || guessed.has(f)
	})...)
}
