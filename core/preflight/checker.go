package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
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
	minor   int
	context *pods.Context
	// today and plan are the cluster and its planned topology, which are compared; nil without a plan.
	today, plan *pods.Context
	cluster     *subject.Cluster
}

// New returns a Checker. It does not check again what [Options.Validate] reports: options with errors count as unknown.
func New(options Options) *Checker {
	context := pods.NewContext(options.Topology.WithDefaults(), options.matching(), options.Images)
	c := &Checker{
		options: options, minor: options.minor(), context: context.WithPlatform(options.OS, options.Platform),
	}
	if len(options.Topology.Pools) > 0 && len(options.To.Pools) > 0 {
		c.today, c.plan = c.context.PlanTo(options.To.WithDefaults(), options.planned())
	}
	c.cluster = &subject.Cluster{
		Context: c.context, Minor: c.minor, Today: c.today, Plan: c.plan, Rules: rules,
		DropsClasses: len(options.To.RuntimeClasses) > 0,
	}
	return c
}

// Context returns what the Checker knows in addition to the objects.
func (c *Checker) Context() *pods.Context { return c.context }

// Check is [Check] with the Checker's options.
func (c *Checker) Check(object map[string]any) []Finding {
	return c.CheckObject(pods.ReadObject(object))
}

// CheckObject is Check for an object whose pods have been parsed.
func (c *Checker) CheckObject(o *pods.Object) []Finding {
	run := check{Checker: c, object: o.Tree, stated: o.Stated}
	run.structure(o)
	run.findings = append(run.findings, objectChecks.Find(&subject.Object{Object: o, Cluster: c.cluster}, c.minor)...)
	switch o.Kind {
	case "RuntimeClass":
		run.runtimeClass()
		run.classStranded()
	case "PersistentVolume":
		run.volumeStranded()
	case "StorageClass":
		run.storageStranded()
	default:
		for _, p := range o.All() {
			run.pod(run.subject(p, nil))
		}
		if len(o.All()) > 0 {
			run.marked()
		}
		if o.Kind == "" {
			run.credentialSpec()
		}
	}
	return run.result()
}

// Contradiction returns what certainly contradicts the operating system or the platform in the options, for a caller
// that leaves everything else to package guard.
func (c *Checker) Contradiction(o *pods.Object) []Finding {
	if o.Pods == nil {
		return nil
	}
	run := check{Checker: c, object: o.Tree}
	p := run.subject(o.Pods, nil)
	if p.target.Guessed {
		p.target = c.context.Certain(o.Pods, &p.target)
	}
	run.contradictions(p)
	run.hostProcessOnLinux(p)
	run.againstCaller(p, p.target.Annotation(p.Pods))
	return run.result()
}

// judged are the pods that a check is about, and what they are for.
type judged struct {
	*pods.Pods
	target pods.Target
	joined bool
}

// subject returns the pods together with their RuntimeClass, nil if that is unknown.
func (c *check) subject(p *pods.Pods, class *pods.Class) *judged {
	return &judged{Pods: p, target: c.context.Target(p, class)}
}

// checked runs the rules that are values.
func (c *check) checked(p *judged) {
	found := podChecks.Find(&subject.Pods{
		Pods: p.Pods, Target: p.target, Cluster: c.cluster, Stated: c.stated, Joined: p.joined,
	}, c.minor)
	c.findings = append(c.findings, found...)
}

func (s *judged) releaseMatters() platform.Answer { return s.target.ReleaseMatters(s.Pods) }

// check is one run over one object.
type check struct {
	*Checker
	object   map[string]any
	findings rule.Findings
	// stated means that the program states the platform of the pods, see [pods.Object].
	stated bool
}

// report adds a finding for a rule, unless the rule does not apply to the version.
func (c *check) report(broken rule.Rule, problem rule.Problem) {
	if holding, ok := broken.For(c.minor); ok {
		c.findings.Report(holding, problem)
	}
}

// result sorts the findings and marks those that the object suppresses.
func (c *check) result() []Finding {
	ignored := c.ignored()
	if len(c.findings) == 0 {
		return nil
	}
	c.findings.Suppress(ignored)
	c.findings.Sort()
	return c.findings
}

// guarded runs checks. A finding that is based only on a guess, or on an assumption about volumes, is a warning.
func (c *check) guarded(p *judged, run func(*check, *judged)) {
	if !p.target.Guessed && !p.target.Volumes.Assumed {
		run(c, p)
		return
	}
	guess := check{Checker: c.Checker, object: c.object, stated: c.stated}
	run(&guess, p)
	sure := check{Checker: c.Checker, object: c.object, stated: c.stated}
	run(&sure, &judged{p.Pods, c.context.Certain(p.Pods, &p.target), p.joined})
	guessed, certain := placesOf(guess.findings), placesOf(sure.findings)
	for _, f := range guess.findings {
		if f.Severity == Error && !certain.has(f) {
			f.Severity = Warning
			f.Detail += p.why(f.Path)
		}
		c.findings = append(c.findings, f)
	}
	for _, f := range sure.findings {
		if f.Severity == Error && !guessed.has(f) {
			c.findings = append(c.findings, f)
		}
	}
}

// why explains, for a finding at a path, why it is not certain. It returns "" for the name of a RuntimeClass.
func (s *judged) why(path string) string {
	if s.target.Volumes.Assumed && !s.target.Guessed {
		return ", unless a volume that the pods claim is on other nodes only"
	}
	return s.byTagAlone(path)
}

// byTagAlone explains, for a finding at a path, that only a word of a tag shows what the pods are for. It returns "" if
// there is other evidence.
func (s *judged) byTagAlone(path string) string {
	if len(s.target.Claims) == 0 || s.target.Claims[0].Source != pods.ByImages {
		return ""
	}
	i := slices.IndexFunc(s.target.Images, pods.ByTag)
	if i < 0 {
		return ""
	}
	whose := "the tag of " + s.In(&s.Containers[i], "image")
	if path == s.In(&s.Containers[i], "image") {
		whose = "its tag"
	}
	return "; only " + whose + " says " + describe(s.target.OS())
}
