package services

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// winkernelRules are about what kube-proxy does on Linux nodes only, and about protocols that Windows does not have.
var winkernelRules = []engine.Rule{
	sourceRangesOnWindows, trafficDistributionOnWindows, externalIPsDeprecated, sctpOnWindows,
}

var sourceRangesOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK606", Severity: rule.Warning, Page: rulepages.Services,
		Title: "loadBalancerSourceRanges with Windows pods in a cluster without a cloud",
		Reason: "kube-proxy on Linux nodes drops the packets of other clients. On Windows nodes it does not read the " +
			"field: only the load balancer filters, if it can. Those of AKS, EKS and GKE do, so the rule checks " +
			"clusters whose topology names no cloud.",
		Fix: "make sure that the load balancer filters, or that it sends the traffic to Linux nodes only",
		Source: "pkg/proxy/winkernel/proxier.go of Kubernetes 1.36.3, which does not read it, and " +
			"pkg/proxy/nftables/proxier.go, which does; " +
			"https://kubernetes.io/docs/concepts/services-networking/service/#loadbalancer",
	},
	Checks: []engine.Check{engine.On(collection.Services, func(o *collection.Object) []rule.Problem {
		spec := tree.Map(o.Tree["spec"])
		ranges := tree.List(spec["loadBalancerSourceRanges"])
		if o.Cluster.Nodes == nil || o.Cluster.Topology.Cloud != "" || len(ranges) == 0 {
			return nil
		}
		return []rule.Problem{{
			Path:   "spec.loadBalancerSourceRanges",
			Detail: "is not enforced by Windows nodes, which accept the packets of all clients",
		}}
	})},
}

var trafficDistributionOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK607", Severity: rule.Warning, Title: "trafficDistribution with Windows pods", Page: rulepages.Services,
		Reason: "kube-proxy on Linux nodes prefers endpoints of the same zone or node. On Windows nodes it ignores " +
			"the hints of EndpointSlices, and balances the load among all endpoints.",
		Fix: "remove it, or expect traffic between zones from clients on Windows nodes",
		Source: "pkg/proxy/winkernel/proxier.go of Kubernetes 1.36.3, which neither uses CategorizeEndpoints nor " +
			"implements OnTopologyChange; pkg/proxy/topology.go",
	},
	Checks: []engine.Check{engine.On(collection.Services, func(o *collection.Object) []rule.Problem {
		v := tree.At(o.Tree["spec"], "trafficDistribution")
		if distribution, _ := tree.Text(v); distribution == "" {
			return nil
		}
		return []rule.Problem{{
			Path: "spec.trafficDistribution", Value: v, Detail: "has no effect for clients on Windows nodes",
		}}
	})},
}

var externalIPsDeprecated = engine.Rule{
	Rule: rule.Rule{
		ID: "MK608", Severity: rule.Warning, Title: "externalIPs of a Service with Windows pods", Since: "1.36",
		Page: rulepages.Services,
		Reason: "The API server warns since 1.36 that the field is deprecated, and that some clusters may no longer " +
			"implement it. kube-proxy on Windows still does. The same is true on Linux; the rule checks Services " +
			"with Windows pods if the version of Kubernetes is known.",
		Fix:    "use a load balancer, or an Ingress or a Gateway",
		Source: "pkg/api/service/warnings.go of Kubernetes 1.36.3",
	},
	Checks: []engine.Check{engine.On(collection.Services, func(o *collection.Object) []rule.Problem {
		spec := tree.Map(o.Tree["spec"])
		kind, _ := tree.Text(spec["type"])
		ip, _ := tree.Text(spec["clusterIP"])
		ignored := kind == string(corev1.ServiceTypeExternalName) || ip == corev1.ClusterIPNone
		if o.Cluster.Minor == 0 || ignored || tree.IsUnknown(spec["type"]) || tree.IsUnknown(spec["clusterIP"]) ||
			len(tree.List(spec["externalIPs"])) == 0 {
			return nil
		}
		return []rule.Problem{{Path: "spec.externalIPs", Detail: "is deprecated since Kubernetes 1.36"}}
	})},
}

var sctpOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK609", Severity: rule.Warning, Title: "the protocol SCTP with Windows pods", Page: rulepages.Services,
		Reason: "SCTP is not supported on nodes that run Windows. Windows containers accept inbound traffic of TCP, " +
			"UDP, ICMP and IGMP only.",
		Fix: "use TCP or UDP",
		Source: "https://kubernetes.io/docs/reference/networking/service-protocols/#protocol-sctp; " +
			"https://learn.microsoft.com/virtualization/windowscontainers/container-networking/" +
			"network-isolation-security",
	},
	Checks: []engine.Check{
		engine.On(subject.WindowsPods, func(p *subject.Pods) []rule.Problem {
			var found []rule.Problem
			for i := range p.Containers {
				ctr := &p.Containers[i]
				for j, port := range tree.List(ctr.Spec["ports"]) {
					if v := tree.Map(port)["protocol"]; isSCTP(v) {
						found = append(found, sctp(p.In(ctr, "ports", j, "protocol"), v))
					}
				}
			}
			return found
		}),
		engine.On(collection.Services, func(o *collection.Object) []rule.Problem {
			var found []rule.Problem
			for i, port := range tree.List(tree.At(o.Tree["spec"], "ports")) {
				if v := tree.Map(port)["protocol"]; isSCTP(v) {
					found = append(found, sctp("spec.ports"+pods.Join(i, "protocol"), v))
				}
			}
			return found
		}),
	},
}

func isSCTP(v any) bool {
	text, _ := tree.Text(v)
	return text == string(corev1.ProtocolSCTP)
}

func sctp(path string, value any) rule.Problem {
	return rule.Problem{Path: path, Value: value, Detail: "does not reach Windows pods"}
}
