package users

import (
	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// hostAccountRules are about the accounts of the node that host-process containers run as.
var hostAccountRules = []engine.Rule{hostProcessWithoutUser, hostProcessNonRoot, hostProcessUnknownUser}

var hostProcessWithoutUser = engine.Rule{
	Rule: rule.Rule{
		ID: "MK515", Severity: rule.Warning, Title: "a host-process container without a user",
		Page: rulepages.HostProcess,
		Reason: "The user determines what a host-process container may do on the node. It is documented as required, " +
			"but not enforced.",
		Fix:    `set it to NT AUTHORITY\SYSTEM, to a lesser account, or to the name of a local group`,
		Source: sources.HostProcessGuide + "#choosing-a-user-account",
	},
	Checks: []engine.Check{engine.On(subject.WindowsHostProcessPods, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for i := range p.Containers {
			ctr := &p.Containers[i]
			if v, known := p.UserOf(ctr); known && v == nil {
				found = append(found, rule.Problem{
					Path:   p.OptionPath(ctr, "runAsUserName"),
					Detail: "a host-process container should name the user of the node that it runs as",
				})
			}
		}
		return found
	})},
}

var hostProcessNonRoot = engine.Rule{
	Rule: rule.Rule{
		ID: "MK516", Severity: rule.Warning, Title: "a host-process container with runAsNonRoot",
		Page: rulepages.HostProcess,
		Reason: "According to the documentation it must not be set, or be false. This is not enforced, and the field " +
			"has no effect on the user on the node.",
		Fix:    "remove it",
		Source: sources.HostProcessGuide,
	},
	Checks: []engine.Check{engine.On(subject.WindowsHostProcessPods, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		check := func(security map[string]any, path func() string) {
			if on, _ := tree.Bool(security["runAsNonRoot"]); on {
				found = append(found, rule.Problem{
					Path: path(), Value: true, Detail: "must not be set for host-process containers",
				})
			}
		}
		check(p.Security, func() string { return p.Path("securityContext", "runAsNonRoot") })
		for i := range p.Containers {
			ctr := &p.Containers[i]
			check(ctr.Security, func() string { return p.In(ctr, "securityContext", "runAsNonRoot") })
		}
		return found
	})},
}

var hostProcessUnknownUser = engine.Rule{
	Rule: rule.Rule{
		ID: "MK532", Severity: rule.Error, Title: "a host-process container with a user that it cannot run as",
		Page: rulepages.HostProcess,
		Reason: "A host-process container is a process of the node. ContainerAdministrator and ContainerUser are " +
			"accounts inside of Windows containers, which the node does not have, and for other accounts with a " +
			"domain the runtime has no password: it fails to log on, and the container does not start. Valid users " +
			"are the service accounts, and the names of local groups of the node.",
		Source: sources.HostProcessGuide + "#choosing-a-user-account; internal/jobcontainers/logon.go of hcsshim, " +
			"processToken",
	},
	Checks: []engine.Check{engine.On(subject.WindowsHostProcessPods, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for ctr, options := range p.AllWindowsOptions {
			v := options["runAsUserName"]
			name, _ := tree.Text(v)
			problem, fix := pods.HostAccountProblem(name)
			if problem == "" {
				continue
			}
			if _, secret := v.(tree.Secret); secret {
				problem = "is not a user that the runtime can log on"
				fix = "use a service account, or the name of a local group"
			}
			found = append(found, rule.Problem{
				Path: p.OptionPath(ctr, "runAsUserName"), Value: v, Detail: problem, Fix: fix,
			})
		}
		return found
	})},
}
