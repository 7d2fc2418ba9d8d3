package preflight

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// loadBalancer checks the type of a Service.
func (c *check) loadBalancer() {
	spec := tree.Map(c.object["spec"])
	serviceType, _ := tree.Text(spec["type"])
	if c.options.Topology.Has(topology.LoadBalancers) || serviceType != string(corev1.ServiceTypeLoadBalancer) || isSet(spec, "loadBalancerClass") {
		return
	}
	c.report("MK801", problem{
		path: "spec.type", value: spec["type"], detail: "gets no address: nothing in this cluster provides load balancers",
		fix: "use NodePort, or install a controller and take load-balancers out of what the topology lacks",
	})
}

// autoscaler checks by what a HorizontalPodAutoscaler scales. In version 1 it is always
// CPU, in version 2 by default.
func (c *check) autoscaler() {
	if c.options.Topology.Has(topology.ResourceMetrics) {
		return
	}
	const detail, fix = "cannot be read: nothing in this cluster serves the metrics of pods", "install Metrics Server and take resource-metrics out of what the topology lacks"
	spec := tree.Map(c.object["spec"])
	if spec != nil && !isSet(spec, "metrics") {
		c.report("MK802", problem{path: "spec.metrics", detail: "the CPU of the pods " + detail, fix: fix})
		return
	}
	for i, v := range tree.List(spec["metrics"]) {
		metric := tree.Map(v)
		if kind, _ := tree.Text(metric["type"]); kind == "Resource" || kind == "ContainerResource" {
			c.report("MK802", problem{path: "spec.metrics" + join([]any{i, "type"}), value: metric["type"], detail: detail, fix: fix})
		}
	}
}

// lacking checks pods.
func (c *check) lacking(p *pods) {
	if p.target.os() != platform.WindowsOS {
		return
	}
	if shared, _ := tree.Bool(p.spec["hostNetwork"]); !shared && !c.options.Topology.Has(topology.WindowsHostPorts) {
		c.unmappedHostPorts(p)
	}
	if c.nodes == nil || !c.options.Topology.Has(topology.GMSAWebhook) {
		c.withoutIdentity(p, nil, p.windows)
		for i := range p.containers {
			c.withoutIdentity(p, &p.containers[i], p.containers[i].windows)
		}
	}
}

func (c *check) unmappedHostPorts(p *pods) {
	for i := range p.containers {
		ctr := &p.containers[i]
		for j, v := range tree.List(ctr.spec["ports"]) {
			port := tree.Map(v)["hostPort"]
			if n, ok := tree.Int(port); ok && n != 0 {
				c.report("MK803", problem{
					path: p.in(ctr, "ports", j, "hostPort"), value: port, detail: "has no effect: the network of the Windows nodes maps no host ports",
					fix: "use a Service of type NodePort",
				})
			}
		}
	}
}

// withoutIdentity checks the options of a container, or of the pod when ctr is nil.
func (c *check) withoutIdentity(p *pods, ctr *container, options map[string]any) {
	if !isSet(options, "gmsaCredentialSpecName") || isSet(options, "gmsaCredentialSpec") {
		return
	}
	found := problem{path: p.windowsOption(ctr, "gmsaCredentialSpecName"), value: options["gmsaCredentialSpecName"]}
	if c.nodes == nil {
		found.detail, found.fix = "has an effect only where the webhook of gMSA fills in the credential spec", "make sure that the cluster has it"
		c.report("MK805", found)
		return
	}
	found.detail = "has no effect: the cluster has no webhook that fills in the credential spec"
	found.fix = "install it (components/gmsa, NewWebhook) and take gmsa-webhook out of what the topology lacks"
	c.report("MK804", found)
}
