package plan

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/topology"
)

// APIServerPort is the port of the API servers.
const APIServerPort = 6443

// Flow is traffic that a security group lets in. All other traffic is denied, even from inside the
// virtual network.
type Flow struct {
	// Name is the name of the rule.
	Name string
	// From lists ranges, or one of Azure's service tags.
	From []string
	// To lists ranges.
	To []string
	// Protocol is Tcp, Udp or *, as in Azure.
	Protocol string
	// Ports are numbers, ranges or *.
	Ports string
	// Reason states what needs the flow.
	Reason string
}

// The flows whose sources are arguments.
const (
	APIServerClients = "api-server-clients"
	NodePorts        = "node-ports"
)

const (
	internet     = "Internet"
	loadBalancer = "AzureLoadBalancer"
	tcp          = "Tcp"
)

// Flows returns the flows into the machines of the control plane, and into the other machines.
func (c Defaulted) Flows() (controlPlane, nodes []Flow) {
	first, rest := c.Subnets()
	all := []string{first.String(), rest.String()}
	into := func(subnet netip.Prefix, f Flow) Flow {
		f.To = []string{subnet.String()}
		return f
	}
	callers := all
	if c.Network.Kind.Planned() {
		// Without an overlay, the packets of pods have the pods' own addresses.
		callers = append(callers[:2:2], c.Network.PodCIDR.String())
	}
	api := strconv.Itoa(APIServerPort)
	controlPlane = append(controlPlane,
		into(first, Flow{
			Name: "api-server", From: callers, Protocol: tcp, Ports: api,
			Reason: "kubelets, kube-proxies and pods reach the API server",
		}),
		into(first, Flow{
			Name: "api-server-probe", From: []string{loadBalancer}, Protocol: tcp, Ports: api,
			Reason: "the load balancers probe which API servers answer",
		}),
	)
	if clients := c.clients(); len(clients) > 0 {
		controlPlane = append(controlPlane, into(first, Flow{
			Name: APIServerClients, From: clients, Protocol: tcp, Ports: api,
			Reason: "kubectl and Pulumi reach the API server",
		}))
	}
	if c.ControlPlane.Count > 1 {
		controlPlane = append(controlPlane, into(first, Flow{
			Name: "etcd", From: []string{first.String()}, Protocol: tcp, Ports: "2379-2380",
			Reason: "etcd's members and the API servers reach etcd",
		}))
	}
	controlPlane = append(controlPlane, c.flowsInto(first, all, callers)...)
	nodes = c.flowsInto(rest, all, callers)
	if slices.ContainsFunc(c.Pools, func(p topology.Pool) bool { return p.Platform.IsWindows() }) {
		nodes = append(nodes,
			into(rest, Flow{
				Name: "windows-exporter", From: callers, Protocol: tcp, Ports: "9182",
				Reason: "Prometheus reads the windows-exporters",
			}))
	}
	if len(c.NodePortSources) > 0 {
		nodes = append(nodes, into(rest, Flow{
			Name: NodePorts, From: c.NodePortSources, Protocol: "*", Ports: "30000-32767",
			Reason: "Services of type NodePort, for the configured ranges",
		}))
	}
	if len(c.ServicePorts) > 0 {
		nodes = append(nodes, into(rest, Flow{
			Name: "service-probes", From: []string{loadBalancer}, Protocol: tcp, Ports: "30000-32767",
			Reason: "the load balancer of the pools probes which nodes answer",
		}))
	}
	for _, p := range c.ServicePorts {
		nodes = append(nodes, into(rest, Flow{
			Name: p.Name(), From: p.sources(), Protocol: tcp, Ports: strconv.Itoa(p.NodePort),
			Reason: "clients reach the Service behind the load balancer of the pools",
		}))
	}
	return controlPlane, nodes
}

// Name returns the name of the port's rules in Azure.
func (p ServicePort) Name() string { return fmt.Sprintf("service-%d", p.Port) }

func (p ServicePort) sources() []string {
	if len(p.Sources) == 0 {
		return []string{internet}
	}
	return p.Sources
}

// flowsInto returns the flows into all machines.
func (c Defaulted) flowsInto(subnet netip.Prefix, machines, callers []string) []Flow {
	to := []string{subnet.String()}
	flows := []Flow{{
		Name: "kubelet", From: callers, To: to, Protocol: tcp, Ports: "10250",
		Reason: "the API server reaches the kubelets for logs and exec, and the metrics server for figures",
	}}
	for _, port := range c.Network.Ports() {
		flows = append(flows, Flow{
			Name: fmt.Sprintf("network-%s-%d", strings.ToLower(string(port.Protocol)), port.Port),
			From: machines, To: to, Protocol: azureProtocol(port.Protocol), Ports: strconv.Itoa(port.Port),
			Reason: port.Why,
		})
	}
	if c.Network.Kind.Planned() {
		flows = append(flows, Flow{
			Name: "pods", From: callers, To: []string{c.Network.PodCIDR.String()}, Protocol: "*", Ports: "*",
			Reason: "nodes and pods reach pods, whose packets the network routes unchanged",
		})
	}
	return flows
}

// clients returns the ranges outside the cluster that can reach the API server.
func (c Defaulted) clients() []string {
	if len(c.APIServer.AuthorizedIPRanges) > 0 {
		return c.APIServer.AuthorizedIPRanges
	}
	if c.APIServer.Private {
		return nil
	}
	return []string{internet}
}

func azureProtocol(p corev1.Protocol) string {
	if p == corev1.ProtocolUDP {
		return "Udp"
	}
	return tcp
}
