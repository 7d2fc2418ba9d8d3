package preflight

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// onWindows checks what the API server accepts and Windows does not do, and what
// is wrong on any node.
func (c *check) onWindows(p *pods) {
	c.resources(p)
	c.overheadWithoutClass(p)
	if p.target.os() != platform.WindowsOS {
		return
	}
	c.linuxFieldsMissed(p)
	c.volumes(p)
	c.network(p)
	c.users(p)
	c.termination(p)
}

func (c *check) network(p *pods) {
	if on, _ := tree.Bool(p.spec["hostNetwork"]); on && !p.hostProcess() && !p.hostProcessUnknown() {
		c.report("MK505", problem{
			path: p.path("hostNetwork"), value: true,
			detail: "has no effect on Windows, except for host-process containers", fix: "remove it",
		})
	}
	if policy, _ := tree.Text(p.spec["dnsPolicy"]); policy == string(corev1.DNSClusterFirstWithHostNet) {
		c.report("MK506", problem{path: p.path("dnsPolicy"), value: p.spec["dnsPolicy"], detail: "is not supported on Windows", fix: "remove it"})
	}
}

// Defaults that the API server sets: they are in every object that was read from a
// cluster, and nobody's decision.
const defaultMode = 0o644

func (c *check) termination(p *pods) {
	if seconds, ok := tree.Int(p.spec["terminationGracePeriodSeconds"]); ok && seconds != corev1.DefaultTerminationGracePeriodSeconds {
		c.report("MK510", problem{
			path: p.path("terminationGracePeriodSeconds"), value: p.spec["terminationGracePeriodSeconds"],
			detail: "is honoured with containerd only",
		})
	}
	for i := range p.containers {
		ctr := &p.containers[i]
		if path, ok := tree.Text(ctr.spec["terminationMessagePath"]); ok && path != "" && path != corev1.TerminationMessagePathDefault {
			c.report("MK519", problem{
				path: p.in(ctr, "terminationMessagePath"), value: ctr.spec["terminationMessagePath"],
				detail: "may not work on Windows, where not every runtime can mount single files", fix: "remove it: the default works",
			})
		}
	}
}
