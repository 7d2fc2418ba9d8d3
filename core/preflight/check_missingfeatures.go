package preflight

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var loadBalancerMissing = rule.Rule{
	ID: "MK801", Severity: rule.Error, Title: "a Service of type LoadBalancer in a cluster without load balancers",
	Reason: "Kubernetes has no load balancer of its own: a controller of the cloud, or one that you install, assigns " +
		"such a Service its address. According to the topology, the cluster has no such controller (missingFeatures: " +
		"load-balancers), so kubectl shows <pending> forever, and Pulumi waits for ten minutes and fails. A Service " +
		"with a loadBalancerClass names its controller, and is not checked.",
	Source: "https://kubernetes.io/docs/concepts/services-networking/service/#loadbalancer",
}

// loadBalancer checks the type of a Service.
func (c *check) loadBalancer() {
	spec := tree.Map(c.object["spec"])
	serviceType, _ := tree.Text(spec["type"])
	if c.context.Topology.Has(topology.LoadBalancers) || serviceType != string(corev1.ServiceTypeLoadBalancer) ||
		pods.IsSet(spec, "loadBalancerClass") {
		return
	}
	c.report(loadBalancerMissing, rule.Problem{
		Path: "spec.type", Value: spec["type"],
		Detail: "gets no address: nothing in this cluster provides load balancers",
		Fix:    "use NodePort, or install a controller and remove load-balancers from missingFeatures in the topology",
	})
}

var metricsMissing = rule.Rule{
	ID: "MK802", Severity: rule.Warning, Title: "a HorizontalPodAutoscaler in a cluster without resource metrics",
	Reason: "The autoscaler scales by CPU or memory, whose metrics Metrics Server serves. According to the topology, " +
		"the cluster has no such metrics (missingFeatures: resource-metrics), so the autoscaler reports " +
		"FailedGetResourceMetric, and the number of pods never changes.",
	Source: "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#support-for-metrics-apis",
}

// autoscaler checks the metrics of a HorizontalPodAutoscaler. In version 1 the metric is always CPU, in version 2 by
// default.
func (c *check) autoscaler() {
	if c.context.Topology.Has(topology.ResourceMetrics) {
		return
	}
	const detail, fix = "cannot be read: nothing in this cluster serves the metrics of pods",
		"install Metrics Server and remove resource-metrics from missingFeatures in the topology"
	spec := tree.Map(c.object["spec"])
	if spec != nil && !pods.IsSet(spec, "metrics") {
		c.report(metricsMissing, rule.Problem{Path: "spec.metrics", Detail: "the CPU of the pods " + detail, Fix: fix})
		return
	}
	for i, v := range tree.List(spec["metrics"]) {
		metric := tree.Map(v)
		if kind, _ := tree.Text(metric["type"]); kind == "Resource" || kind == "ContainerResource" {
			c.report(metricsMissing,
				rule.Problem{
					Path: "spec.metrics" + pods.Join(i, "type"), Value: metric["type"], Detail: detail,
					Fix: fix,
				})
		}
	}
}

// missingFeatures checks the features that pods need.
func (c *check) missingFeatures(p *judged) {
	if p.target.OS() != platform.WindowsOS {
		return
	}
	if shared, _ := tree.Bool(p.Spec["hostNetwork"]); !shared && !c.context.Topology.Has(topology.WindowsHostPorts) {
		c.unmappedHostPorts(p)
	}
	if c.context.Nodes == nil || !c.context.Topology.Has(topology.GMSAWebhook) {
		c.withoutIdentity(p, nil, p.Windows)
		for i := range p.Containers {
			c.withoutIdentity(p, &p.Containers[i], p.Containers[i].Windows)
		}
	}
}

var hostPortMissing = rule.Rule{
	ID: "MK803", Severity: rule.Error, Title: "a hostPort that the network of the Windows nodes does not map",
	Reason: "The CNI plugin of a network maps ports of the node to containers. The plugin of flannel for Windows, " +
		"win-overlay, does not, as the topology states (missingFeatures: windows-host-ports): the pod starts, but " +
		"nothing answers at the port.",
	Source: "https://github.com/containernetworking/plugins, plugins/main/windows/win-overlay; " +
		"https://www.cni.dev/plugins/current/meta/portmap/",
}

func (c *check) unmappedHostPorts(p *judged) {
	for i := range p.Containers {
		ctr := &p.Containers[i]
		for j, v := range tree.List(ctr.Spec["ports"]) {
			port := tree.Map(v)["hostPort"]
			if n, ok := tree.Int(port); ok && n != 0 {
				c.report(hostPortMissing, rule.Problem{
					Path: p.In(ctr, "ports", j, "hostPort"), Value: port,
					Detail: "has no effect: the network of the Windows nodes maps no host ports",
					Fix:    "use a Service of type NodePort",
				})
			}
		}
	}
}

var (
	gmsaWebhookMissing = rule.Rule{
		ID: "MK804", Severity: rule.Warning, Title: "a Group Managed Service Account without its webhook",
		Reason: "Only the admission webhook of windows-gmsa adds the credential spec that gmsaCredentialSpecName " +
			"names, which the kubelet passes to the container. According to the topology, the cluster has no such " +
			"webhook (missingFeatures: gmsa-webhook): the pod starts without its identity, and the first access " +
			"to a share or a database fails.",
		Source: gmsaWebhook,
	}
	gmsaWebhookUnknown = rule.Rule{
		ID: "MK805", Severity: rule.Info, Title: "a Group Managed Service Account whose webhook may be missing",
		Reason: "Like MK804, but without a topology it is unknown whether the cluster has the webhook.",
		Source: gmsaWebhook,
	}
)

// withoutIdentity checks the options of a container, or of the pod if ctr is nil.
func (c *check) withoutIdentity(p *judged, ctr *pods.Container, options map[string]any) {
	if !pods.IsSet(options, "gmsaCredentialSpecName") || pods.IsSet(options, "gmsaCredentialSpec") {
		return
	}
	found := rule.Problem{
		Path:  p.windowsOption(ctr, "gmsaCredentialSpecName"),
		Value: options["gmsaCredentialSpecName"],
	}
	if c.context.Nodes == nil {
		found.Detail, found.Fix = "has an effect only if the gMSA webhook sets the credential spec",
			"make sure that the cluster has it"
		c.report(gmsaWebhookUnknown, found)
		return
	}
	found.Detail = "has no effect: the cluster has no webhook that sets the credential spec"
	found.Fix = "install it (components/gmsa, NewWebhook) and remove gmsa-webhook from missingFeatures in the topology"
	c.report(gmsaWebhookMissing, found)
}
