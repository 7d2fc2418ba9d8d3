package preflight

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// onWindows checks fields that the API server accepts and Windows ignores, and fields that are wrong on any node.
func (c *check) onWindows(p *judged) {
	c.resources(p)
	c.overheadWithoutClass(p)
	c.onLinux(p)
	if p.target.OS() != platform.WindowsOS {
		return
	}
	c.linuxFieldsMissed(p)
	c.volumes(p)
	c.users(p)
	c.termination(p)
	c.lifecycle(p)
}

var (
	gracePeriodOnWindows = rule.Rule{
		ID: "MK510", Severity: rule.Info, Title: "terminationGracePeriodSeconds on Windows",
		Reason: "containerd honors the field. With other runtimes, Windows ends the processes after 5 seconds. " +
			"Host-process containers, which need containerd, are not reported.",
		Source: windowsIntro + "#limitations; " + hostProcessGuide,
	}
	terminationMessagePathOnWindows = rule.Rule{
		ID: "MK519", Severity: rule.Info, Title: "terminationMessagePath on Windows",
		Reason: "Windows cannot mount a single file with every runtime. The default works, because the path does not " +
			"exist on Windows.",
		Source: windowsFields,
	}
)

func (c *check) termination(p *judged) {
	if seconds, ok := tree.Int(p.Spec["terminationGracePeriodSeconds"]); ok && !p.HostProcess() &&
		seconds != corev1.DefaultTerminationGracePeriodSeconds {
		c.report(gracePeriodOnWindows, rule.Problem{
			Path: p.Path("terminationGracePeriodSeconds"), Value: p.Spec["terminationGracePeriodSeconds"],
			Detail: "is honored only with containerd",
		})
	}
	for i := range p.Containers {
		ctr := &p.Containers[i]
		if path, ok := tree.Text(ctr.Spec["terminationMessagePath"]); ok && path != "" &&
			path != corev1.TerminationMessagePathDefault {
			c.report(terminationMessagePathOnWindows, rule.Problem{
				Path: p.In(ctr, "terminationMessagePath"), Value: ctr.Spec["terminationMessagePath"],
				Detail: "may not work on Windows, where not every runtime can mount single files",
				Fix:    "remove it: the default works",
			})
		}
	}
}
