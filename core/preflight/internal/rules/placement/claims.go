package placement

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var claimRules = []engine.Rule{PlacesOfDifferentOS, PlacesOfDifferentReleases, HostProcessOnLinux}

// Contradictory are the rules about claims that contradict each other.
var Contradictory = []string{PlacesOfDifferentOS.ID, PlacesOfDifferentReleases.ID}

var contradictoryPods = &engine.Scope[*subject.Pods]{
	Name: "pods with claims that contradict each other",
	Has:  func(p *subject.Pods) bool { return len(p.Contradictions()) > 0 },
}

// PlacesOfDifferentOS is MK207.
var PlacesOfDifferentOS = engine.Rule{
	Rule: rule.Rule{
		ID: "MK207", Severity: rule.Error, Title: "claims for different operating systems", Page: rulepages.Pods,
		Reason: "A node that the selector, affinity or RuntimeClass selects then refuses the pod, with the reason " +
			"PodOSNotSupported, or no such node exists.",
		Source: "pkg/kubelet/lifecycle/predicate.go of Kubernetes 1.36.3, rejectPodAdmissionBasedOnOSField",
	},
	Checks: []engine.Check{engine.On(contradictoryPods, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		strongest := p.Target.Claims[0]
		for _, wrong := range p.Contradictions() {
			if wrong.OS != strongest.OS {
				found = append(found, contradiction(p, wrong, strongest, "says "+wrong.OS.DisplayName()+", but "+
					strongest.Text(p.Pods)+" says "+strongest.OS.DisplayName()))
			}
		}
		return found
	})},
}

// PlacesOfDifferentReleases is MK208.
var PlacesOfDifferentReleases = engine.Rule{
	Rule: rule.Rule{
		ID: "MK208", Severity: rule.Error, Title: "claims for different Windows releases", Page: rulepages.Images,
		Reason: "No node has two builds, and the API server refuses a pod whose node selector conflicts with its " +
			"RuntimeClass. A RuntimeClass that is named like a platform of the topology, or like the platform in the " +
			"options, counts as the one that components/runtimeclass creates.",
		Source: sources.ClassAdmission + ", setScheduling",
	},
	Checks: []engine.Check{engine.On(contradictoryPods, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		release, _ := p.Target.Release()
		for _, wrong := range p.Contradictions() {
			if wrong.OS == p.Target.Claims[0].OS {
				found = append(found, contradiction(p, wrong, release, "is "+subject.ProductName(wrong.Release)+
					", but "+release.Text(p.Pods)+" is "+subject.ProductName(release.Release)))
			}
		}
		return found
	})},
}

// contradiction returns the problem that one claim contradicts another.
func contradiction(p *subject.Pods, wrong, with pods.Claim, detail string) rule.Problem {
	return rule.Problem{
		Path: wrong.Path(p.Pods), Value: wrong.Value(p.Pods), Detail: detail, Fix: subject.Agree(with),
	}
}

// HostProcessOnLinux is MK209. It leaves pods with os.name linux to the API server.
var HostProcessOnLinux = engine.Rule{
	Rule: rule.Rule{
		ID: "MK209", Severity: rule.Warning, Title: "host process in Linux pods", Page: rulepages.HostProcess,
		Reason: "The kubelet on Linux ignores the option: the containers run as ordinary ones.",
		Fix:    "remove it, or run the pods on Windows nodes",
		Source: sources.HostProcessGuide,
	},
	Checks: []engine.Check{engine.On(subject.LinuxPods, func(p *subject.Pods) []rule.Problem {
		if !p.HostProcess() || p.Target.Declared == platform.LinuxOS {
			return nil
		}
		return []rule.Problem{{
			Path: pods.Claim{Source: pods.ByHostProcess}.Path(p.Pods), Value: true,
			Detail: "has no effect on Linux, and " + p.Target.Claims[0].Text(p.Pods) + " makes these Linux pods",
		}}
	})},
}
