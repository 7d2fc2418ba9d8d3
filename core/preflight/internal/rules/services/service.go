package services

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var serviceRules = []engine.Rule{
	externalTrafficPolicyLocal, sessionAffinityClientIP, tooManyEndpoints, ipv6Only, internalTrafficPolicyLocal,
	ipv6FromOutside,
}

var externalTrafficPolicyLocal = engine.Rule{
	Rule: rule.Rule{
		ID: "MK601", Severity: rule.Warning, Title: "externalTrafficPolicy Local with Windows pods",
		Page: rulepages.Services,
		Reason: "kube-proxy on Windows keeps traffic local, and preserves the client's address, only with direct " +
			"server return (--enable-dsr). hostprocess.NewKubeProxy enables it; for any other kube-proxy, nothing in " +
			"the cluster shows whether it is enabled.",
		Fix: "make sure of it, or use Cluster",
		Source: sources.WindowsServices + "; pkg/proxy/winkernel/proxier.go of Kubernetes 1.36.3, newServiceInfo; " +
			"https://learn.microsoft.com/azure/aks/use-network-policies#create-an-aks-cluster-with-calico",
	},
	Checks: []engine.Check{engine.On(collection.Services, func(o *collection.Object) []rule.Problem {
		v := tree.At(o.Tree["spec"], "externalTrafficPolicy")
		if policy, _ := tree.Text(v); policy != string(corev1.ServiceExternalTrafficPolicyLocal) {
			return nil
		}
		return []rule.Problem{{
			Path: "spec.externalTrafficPolicy", Value: v,
			Detail: "works for Windows pods only if kube-proxy runs with direct server return",
		}}
	})},
}

var sessionAffinityClientIP = engine.Rule{
	Rule: rule.Rule{
		ID: "MK602", Severity: rule.Warning, Title: "sessionAffinity ClientIP before Windows Server 2022",
		Page: rulepages.Services,
		Reason: "Windows Server 2022 and later send the requests of a client to the same pod. kube-proxy on older " +
			"nodes ignores the setting.",
		Fix:    "use nodes with Windows Server 2022 or later, or store sessions outside of the pods",
		Source: sources.WindowsServices + "; pkg/proxy/winkernel/proxier.go of Kubernetes 1.36.3, syncProxyRules",
	},
	Checks: []engine.Check{engine.On(collection.Services, func(o *collection.Object) []rule.Problem {
		v := tree.At(o.Tree["spec"], "sessionAffinity")
		if affinity, _ := tree.Text(v); affinity != string(corev1.ServiceAffinityClientIP) {
			return nil
		}
		oldest := o.OldestNode()
		if oldest == "" || !collection.Older(oldest, platform.WindowsServer2022) {
			return nil
		}
		return []rule.Problem{{
			Path: "spec.sessionAffinity", Value: v,
			Detail: "has no effect on " + subject.ProductName(oldest) + " nodes",
		}}
	})},
}

var tooManyEndpoints = engine.Rule{
	Rule: rule.Rule{
		ID: "MK603", Severity: rule.Warning, Title: "a Service with more than 1024 Windows endpoints",
		Page:   rulepages.Services,
		Reason: "The load balancer of a Windows node supports at most 1024 endpoints for a Service.",
		Fix:    "divide the pods among several Services",
		Source: sources.WindowsServices,
	},
	Checks: []engine.Check{engine.On(collection.Services, func(o *collection.Object) []rule.Problem {
		if o.Selected().Replicas <= collection.MaxEndpoints {
			return nil
		}
		return []rule.Problem{{
			Path: "spec.selector",
			Detail: "selects more pods than Windows nodes can balance, which is " +
				strconv.Itoa(collection.MaxEndpoints) + " endpoints for a Service",
		}}
	})},
}

var ipv6Only = engine.Rule{
	Rule: rule.Rule{
		ID: "MK604", Severity: rule.Warning, Title: "an IPv6-only Service with Windows pods",
		Page: rulepages.Services,
		Reason: "Windows does not support IPv6-only networks. The pods have an IPv6 address in a dual-stack network " +
			"of the mode l2bridge, but not in an overlay network of HNS, such as flannel's with win-overlay. Azure " +
			"CNI Overlay is not one of these: it has dual-stack Windows pods if the ipFamilies of the cluster are " +
			"IPv4 and IPv6. Without IPv6 addresses, the Service has no endpoints.",
		Fix: "add IPv4, or make sure that Windows pods have IPv6 addresses",
		Source: "https://kubernetes.io/docs/concepts/services-networking/dual-stack/#windows-support; " +
			"https://learn.microsoft.com/azure/aks/azure-cni-overlay",
	},
	Checks: []engine.Check{engine.On(collection.Services, func(o *collection.Object) []rule.Problem {
		family, is := onlyIPv6(tree.Map(o.Tree["spec"]))
		if !is {
			return nil
		}
		return []rule.Problem{{
			Path: "spec.ipFamilies", Value: family,
			Detail: "alone reaches Windows pods only in dual-stack networks that are not overlays of HNS (win-overlay)",
		}}
	})},
}

// onlyIPv6 reports whether a Service has IPv6 addresses only, and returns the family as it is written.
func onlyIPv6(spec map[string]any) (family any, is bool) {
	families := tree.List(spec["ipFamilies"])
	policy, _ := tree.Text(spec["ipFamilyPolicy"])
	single := policy == "" || policy == string(corev1.IPFamilyPolicySingleStack)
	if len(families) != 1 || tree.IsUnknown(spec["ipFamilyPolicy"]) || !single {
		return nil, false
	}
	text, _ := tree.Text(families[0])
	return families[0], text == string(corev1.IPv6Protocol)
}

var ipv6FromOutside = engine.Rule{
	Rule: rule.Rule{
		ID: "MK610", Severity: rule.Info, Page: rulepages.Services,
		Title: "an IPv6 LoadBalancer of AKS without externalTrafficPolicy Local",
		Reason: "Azure's load balancer probes IPv6 addresses from a link-local address, which the nodes do not route " +
			"to pods, so it sends no traffic to a Service with externalTrafficPolicy Cluster. With Local, kube-proxy " +
			"itself answers the probe. One page of AKS requires Local for each IPv6 Service, another one for pools " +
			"of Azure Linux only.",
		Fix: "set it to Local, and test the Service",
		Source: "https://learn.microsoft.com/azure/aks/azure-cni-overlay, " +
			"https://learn.microsoft.com/azure/aks/configure-dual-stack#limitations",
	},
	Checks: []engine.Check{engine.On(subject.Services, func(o *subject.Object) []rule.Problem {
		spec := tree.Map(o.Tree["spec"])
		kind, _ := tree.Text(spec["type"])
		policy := spec["externalTrafficPolicy"]
		text, known := tree.Text(policy)
		if _, is := onlyIPv6(spec); !is || o.Cluster.Topology.Cloud != topology.AKS ||
			kind != string(corev1.ServiceTypeLoadBalancer) || policy != nil && !known ||
			text == string(corev1.ServiceExternalTrafficPolicyLocal) {
			return nil
		}
		return []rule.Problem{{
			Path: "spec.externalTrafficPolicy", Value: policy,
			Detail: "the probes of Azure's load balancer may not reach pods over IPv6",
		}}
	})},
}

var internalTrafficPolicyLocal = engine.Rule{
	Rule: rule.Rule{
		ID: "MK605", Severity: rule.Warning, Title: "internalTrafficPolicy Local with Windows pods", Until: "1.34",
		Page: rulepages.Services,
		Reason: "When pods are created and deleted, kube-proxy on Windows may delete the load balancer of such a " +
			"Service and not create it again: the node no longer reaches the Service. This is fixed in Kubernetes " +
			"1.35, and in later patch releases of 1.34 and older versions.",
		Fix: "use Cluster, or Kubernetes 1.35 or later",
		Source: "https://github.com/kubernetes/kubernetes/issues/133928, " +
			"https://github.com/kubernetes/kubernetes/pull/133953",
	},
	Checks: []engine.Check{engine.On(collection.Services, func(o *collection.Object) []rule.Problem {
		v := tree.At(o.Tree["spec"], "internalTrafficPolicy")
		if policy, _ := tree.Text(v); policy != string(corev1.ServiceInternalTrafficPolicyLocal) {
			return nil
		}
		return []rule.Problem{{
			Path: "spec.internalTrafficPolicy", Value: v, Detail: "may cut Windows nodes off from the Service",
		}}
	})},
}
