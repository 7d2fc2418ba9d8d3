package preflight

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// onWindows checks fields that the API server accepts and Windows ignores, and fields that are wrong on any node.
func (c *check) onWindows(p *subject) {
	c.resources(p)
	c.overheadWithoutClass(p)
	c.fileSystems(p)
	c.onLinux(p)
	if p.target.OS() != platform.WindowsOS {
		return
	}
	c.linuxFieldsMissed(p)
	c.volumes(p)
	c.network(p)
	c.users(p)
	c.termination(p)
	c.lifecycle(p)
	c.csiProxy(p)
}

var (
	hostNetworkOnWindows = rule.Rule{
		ID: "MK505", Severity: rule.Warning, Title: "hostNetwork on Windows",
		Reason: "On Windows, only host-process containers can use the node's network; other pods get their own " +
			"network anyway. The feature that would have changed this, WindowsHostNetwork, never left alpha and was " +
			"removed.",
		Source: windowsPodFields,
	}
	dnsPolicyOnWindows = rule.Rule{
		ID: "MK506", Severity: rule.Warning, Title: "dnsPolicy ClusterFirstWithHostNet on Windows",
		Reason: "Kubernetes documents this policy as not supported. It is meant for pods in the node's network, " +
			"which ordinary pods cannot use on Windows, and host-process containers use the DNS of the node. The " +
			"kubelet treats it as ClusterFirst.",
		Source: "pkg/kubelet/network/dns/dns.go of Kubernetes 1.36.3, getPodDNSType; " +
			"https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/#dns-windows",
	}
)

func (c *check) network(p *subject) {
	if on, _ := tree.Bool(p.Spec["hostNetwork"]); on && !p.HostProcess() && !p.HostProcessUnknown() {
		c.report(hostNetworkOnWindows, rule.Problem{
			Path: p.Path("hostNetwork"), Value: true,
			Detail: "has no effect on Windows, except for host-process containers", Fix: "remove it",
		})
	}
	if policy, _ := tree.Text(p.Spec["dnsPolicy"]); policy == string(corev1.DNSClusterFirstWithHostNet) {
		c.report(dnsPolicyOnWindows,
			rule.Problem{
				Path: p.Path("dnsPolicy"), Value: p.Spec["dnsPolicy"], Detail: "is not supported on Windows",
				Fix: "remove it",
			})
	}
}

// Defaults that the API server sets: every object that was read from a cluster has them, so they are not explicit.
const defaultMode = 0o644

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

func (c *check) termination(p *subject) {
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
