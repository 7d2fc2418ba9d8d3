package services

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// featureRules are about what a cluster does not have according to its topology.
var featureRules = []engine.Rule{
	loadBalancerMissing, metricsMissing, hostPortMissing, gmsaWebhookMissing, gmsaWebhookUnknown,
}

var loadBalancerMissing = engine.Rule{
	Rule: rule.Rule{
		ID: "MK801", Severity: rule.Error, Page: rulepages.Services,
		Title: "a Service of type LoadBalancer in a cluster without load balancers",
		Reason: "Kubernetes has no load balancer of its own: a controller of the cloud, or one that you install, " +
			"assigns such a Service its address. According to the topology, the cluster has no such controller " +
			"(missingFeatures: load-balancers), so kubectl shows <pending> forever, and Pulumi waits for ten minutes " +
			"and fails. A Service with a loadBalancerClass names its controller, and is not checked.",
		Fix:    "use NodePort, or install a controller and remove load-balancers from missingFeatures in the topology",
		Source: "https://kubernetes.io/docs/concepts/services-networking/service/#loadbalancer",
	},
	Checks: []engine.Check{engine.On(subject.Services, func(o *subject.Object) []rule.Problem {
		spec := tree.Map(o.Tree["spec"])
		serviceType, _ := tree.Text(spec["type"])
		if o.Cluster.Topology.Has(topology.LoadBalancers) || serviceType != string(corev1.ServiceTypeLoadBalancer) ||
			pods.IsSet(spec, "loadBalancerClass") {
			return nil
		}
		return []rule.Problem{{
			Path: "spec.type", Value: spec["type"],
			Detail: "gets no address: nothing in this cluster provides load balancers",
		}}
	})},
}

var metricsMissing = engine.Rule{
	Rule: rule.Rule{
		ID: "MK802", Severity: rule.Warning, Page: rulepages.Autoscaling,
		Title: "a HorizontalPodAutoscaler in a cluster without resource metrics",
		Reason: "The autoscaler scales by CPU or memory, whose metrics Metrics Server serves. According to the " +
			"topology, the cluster has no such metrics (missingFeatures: resource-metrics), so the autoscaler " +
			"reports FailedGetResourceMetric, and the number of pods never changes.",
		Fix: "install Metrics Server and remove resource-metrics from missingFeatures in the topology",
		Source: "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/" +
			"#support-for-metrics-apis",
	},
	Checks: []engine.Check{engine.On(subject.Autoscalers, unreadMetrics)},
}

// unreadMetrics finds the metrics of a HorizontalPodAutoscaler that nothing serves. In version 1 the metric is always
// CPU, in version 2 by default.
func unreadMetrics(o *subject.Object) []rule.Problem {
	spec := tree.Map(o.Tree["spec"])
	if spec == nil || o.Cluster.Topology.Has(topology.ResourceMetrics) {
		return nil
	}
	const detail = "cannot be read: nothing in this cluster serves the metrics of pods"
	if !pods.IsSet(spec, "metrics") {
		return []rule.Problem{{Path: "spec.metrics", Detail: "the CPU of the pods " + detail}}
	}
	var found []rule.Problem
	for i, v := range tree.List(spec["metrics"]) {
		metric := tree.Map(v)
		if kind, _ := tree.Text(metric["type"]); kind == "Resource" || kind == "ContainerResource" {
			found = append(found, rule.Problem{
				Path: "spec.metrics" + pods.Join(i, "type"), Value: metric["type"], Detail: detail,
			})
		}
	}
	return found
}

var hostPortMissing = engine.Rule{
	Rule: rule.Rule{
		ID: "MK803", Severity: rule.Error, Page: rulepages.Networks,
		Title: "a hostPort that the network of the Windows nodes does not map",
		Reason: "The CNI plugin of a network maps ports of the node to containers. The plugin of flannel for " +
			"Windows, win-overlay, does not, as the topology states (missingFeatures: windows-host-ports): the pod " +
			"starts, but nothing answers at the port.",
		Fix: "use a Service of type NodePort",
		Source: "https://github.com/containernetworking/plugins, plugins/main/windows/win-overlay; " +
			"https://www.cni.dev/plugins/current/meta/portmap/",
	},
	Checks: []engine.Check{engine.On(subject.SeparateWindowsPods, unmappedHostPorts)},
}

func unmappedHostPorts(p *subject.Pods) []rule.Problem {
	shared, _ := tree.Bool(p.Spec["hostNetwork"])
	if shared || p.Cluster.Topology.Has(topology.WindowsHostPorts) {
		return nil
	}
	var found []rule.Problem
	for i := range p.Containers {
		ctr := &p.Containers[i]
		for j, v := range tree.List(ctr.Spec["ports"]) {
			port := tree.Map(v)["hostPort"]
			if n, ok := tree.Int(port); ok && n != 0 {
				found = append(found, rule.Problem{
					Path: p.In(ctr, "ports", j, "hostPort"), Value: port,
					Detail: "has no effect: the network of the Windows nodes maps no host ports",
				})
			}
		}
	}
	return found
}

var gmsaWebhookMissing = engine.Rule{
	Rule: rule.Rule{
		ID: "MK804", Severity: rule.Warning, Title: "a Group Managed Service Account without its webhook",
		Page: rulepages.GMSA,
		Reason: "Only the admission webhook of windows-gmsa adds the credential spec that gmsaCredentialSpecName " +
			"names, which the kubelet passes to the container. According to the topology, the cluster has no such " +
			"webhook (missingFeatures: gmsa-webhook): the pod starts without its identity, and the first access " +
			"to a share or a database fails.",
		Fix:    "install it (components/gmsa, NewWebhook) and remove gmsa-webhook from missingFeatures in the topology",
		Source: sources.GmsaWebhook,
	},
	Checks: []engine.Check{engine.On(subject.SeparateWindowsPods, func(p *subject.Pods) []rule.Problem {
		if p.Cluster.Nodes == nil || p.Cluster.Topology.Has(topology.GMSAWebhook) {
			return nil
		}
		return unresolvedSpecs(p, "has no effect: the cluster has no webhook that sets the credential spec")
	})},
}

var gmsaWebhookUnknown = engine.Rule{
	Rule: rule.Rule{
		ID: "MK805", Severity: rule.Info, Title: "a Group Managed Service Account whose webhook may be missing",
		Page:   rulepages.GMSA,
		Reason: "Like MK804, but without a topology it is unknown whether the cluster has the webhook.",
		Fix:    "make sure that the cluster has it",
		Source: sources.GmsaWebhook,
	},
	Checks: []engine.Check{engine.On(subject.SeparateWindowsPods, func(p *subject.Pods) []rule.Problem {
		if p.Cluster.Nodes != nil {
			return nil
		}
		return unresolvedSpecs(p, "has an effect only if the gMSA webhook sets the credential spec")
	})},
}

// unresolvedSpecs finds the names of credential specs that only the webhook resolves.
func unresolvedSpecs(p *subject.Pods, detail string) []rule.Problem {
	var found []rule.Problem
	for ctr, options := range p.AllWindowsOptions {
		if subject.NeedsGMSAWebhook(options) {
			found = append(found, rule.Problem{
				Path:  p.OptionPath(ctr, "gmsaCredentialSpecName"),
				Value: options["gmsaCredentialSpecName"], Detail: detail,
			})
		}
	}
	return found
}
