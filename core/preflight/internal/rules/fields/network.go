package fields

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var networkRules = []engine.Rule{hostNetworkOnWindows, dnsPolicyOnWindows}

var hostNetworkOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK505", Severity: rule.Warning, Title: "hostNetwork on Windows", Page: rulepages.Networks,
		Reason: "On Windows, only host-process containers can use the node's network; other pods get their own " +
			"network anyway. The feature that would have changed this, WindowsHostNetwork, never left alpha and was " +
			"removed.",
		Fix:    "remove it",
		Source: sources.WindowsPodFields,
	},
	Checks: []engine.Check{engine.On(subject.WindowsPods, func(p *subject.Pods) []rule.Problem {
		if on, _ := tree.Bool(p.Spec["hostNetwork"]); !on || p.HostProcess() || p.HostProcessUnknown() {
			return nil
		}
		return []rule.Problem{{
			Path: p.Path("hostNetwork"), Value: true,
			Detail: "has no effect on Windows, except for host-process containers",
		}}
	})},
}

var dnsPolicyOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK506", Severity: rule.Warning, Title: "dnsPolicy ClusterFirstWithHostNet on Windows",
		Page: rulepages.Networks,
		Reason: "Kubernetes documents this policy as not supported. It is meant for pods in the node's network, " +
			"which ordinary pods cannot use on Windows, and host-process containers use the DNS of the node. The " +
			"kubelet treats it as ClusterFirst.",
		Fix: "remove it",
		Source: "pkg/kubelet/network/dns/dns.go of Kubernetes 1.36.3, getPodDNSType; " +
			"https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/#dns-windows",
	},
	Checks: []engine.Check{engine.On(subject.WindowsPods, func(p *subject.Pods) []rule.Problem {
		if policy, _ := tree.Text(p.Spec["dnsPolicy"]); policy != string(corev1.DNSClusterFirstWithHostNet) {
			return nil
		}
		return []rule.Problem{{
			Path: p.Path("dnsPolicy"), Value: p.Spec["dnsPolicy"], Detail: "is not supported on Windows",
		}}
	})},
}
