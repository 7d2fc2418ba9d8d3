package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/pods"
)

// Check returns everything that is known to be wrong with one Kubernetes object:
// a Pod, a workload with a template of pods, a RuntimeClass, a Service, a
// HorizontalPodAutoscaler, a PersistentVolume or a GMSACredentialSpec. Of the other kinds that
// Kubernetes serves it knows which fields they have, of custom resources nothing.
//
// The findings are sorted by path, and complete: silenced ones are among them.
//
// In Go, values may have any type that Go has for them, such as int or []string. To check many
// objects, make a [Checker] with [New].
func Check(object map[string]any, options Options) []Finding {
	return New(options).Check(object)
}

// Checker checks objects with the same options. It may be used by several
// goroutines at once.
type Checker struct {
	options Options
	minor   int
	context *pods.Context
}

// New makes a Checker. What [Options.Validate] reports about the options is not
// checked again: what is wrong there counts as not known.
func New(options Options) *Checker {
	context := pods.NewContext(options.Topology.WithDefaults(), options.matching(), options.Images)
	return &Checker{options, options.minor(), context.Given(options.OS, options.Platform)}
}

// Context is what the Checker knows beside the objects.
func (c *Checker) Context() *pods.Context { return c.context }

// Check is [Check] with the Checker's options.
func (c *Checker) Check(object map[string]any) []Finding {
	return c.CheckObject(pods.ReadObject(object))
}

// CheckObject is Check for an object whose pods have been read.
func (c *Checker) CheckObject(o *pods.Object) []Finding {
	run := check{Checker: c, object: o.Tree}
	run.structure(o)
	switch o.Kind {
	case "RuntimeClass":
		run.runtimeClass()
	case "Service":
		run.loadBalancer()
	case "HorizontalPodAutoscaler":
		run.autoscaler()
	case "PersistentVolume":
		run.persistentVolume()
	default:
		for _, p := range o.All() {
			run.pod(run.subject(p, nil))
		}
		if o.Kind == "" {
			run.configMap()
			run.credentialSpec()
		}
	}
	return run.result()
}

// Contradiction is what certainly contradicts the operating system or the platform that the
// options give for the pods, for a caller that leaves all else to package guard.
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

// subject is the pods that a check is about, and what they are for.
type subject struct {
	*pods.Pods
	target pods.Target
}

// subject is what the pods say together with their RuntimeClass, nil if that is not known.
func (c *check) subject(p *pods.Pods, class *pods.Class) *subject {
	return &subject{p, c.context.Target(p, class)}
}

func (s *subject) releaseMatters() platform.Answer { return s.target.ReleaseMatters(s.Pods) }

// check is one run over one object.
type check struct {
	*Checker
	object   map[string]any
	findings rule.Findings
}

// report adds a finding of a rule, unless the rule does not hold for the version.
func (c *check) report(broken rule.Rule, problem rule.Problem) {
	if holding, ok := broken.For(c.minor); ok {
		c.findings.Report(holding, problem)
	}
}

// result sorts the findings and marks those that the object silences.
func (c *check) result() []Finding {
	ignored := c.ignored()
	if len(c.findings) == 0 {
		return nil
	}
	c.findings.Silence(ignored)
	c.findings.Sort()
	return c.findings
}

// guarded runs checks. What is wrong only because of a guess is a warning.
func (c *check) guarded(p *subject, run func(*check, *subject)) {
	if !p.target.Guessed {
		run(c, p)
		return
	}
	guess := check{Checker: c.Checker, object: c.object}
	run(&guess, p)
	sure := check{Checker: c.Checker, object: c.object}
	run(&sure, &subject{p.Pods, c.context.Certain(p.Pods, &p.target)})
	for _, f := range guess.findings {
		if f.Severity == Error && !slices.ContainsFunc(sure.findings, f.SameAs) {
			f.Severity = Warning
			f.Detail += p.byTagAlone(f.Path)
		}
		c.findings = append(c.findings, f)
	}
	for _, f := range sure.findings {
		if f.Severity == Error && !slices.ContainsFunc(guess.findings, f.SameAs) {
			c.findings = append(c.findings, f)
		}
	}
}

// byTagAlone says, of a finding at a path, that only a word of a tag tells what the
// pods are for; "" if something else does.
func (s *subject) byTagAlone(path string) string {
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
