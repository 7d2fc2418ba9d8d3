package network

import (
	"net/netip"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Node is a machine that a plan is for.
type Node struct {
	// Name is the name of the node in Kubernetes.
	Name string
	// Address is its own, in Network.NodeCIDR.
	Address netip.Addr
	// Platform is what it runs.
	Platform platform.Platform
	// PodCIDR is the range of its pods, for the routed kinds; /29 at the smallest. By
	// default it follows from Address, so that it stays the same whatever other nodes
	// come and go: the node with the n-th address of NodeCIDR has the n-th range of
	// PodCIDR, both counted from 0. In 10.0.0.0/24, 10.0.0.4 has 10.244.4.0/24.
	PodCIDR netip.Prefix
}

// Plan is what the nodes of a network need, and the network around them.
type Plan struct {
	// Nodes are in the order in which they were given.
	Nodes []NodePlan
	// Router has the routes of the router of an UpstreamL3 network, one for each node.
	Router []Route
}

// NodePlan is what one node needs.
type NodePlan struct {
	Node
	// Gateway is the address of the pods' gateway on the node: the first of PodCIDR on
	// Linux and the second on Windows, where the first is the bridge's own. Zero, as
	// Node.PodCIDR, where the network's own controllers choose.
	Gateway netip.Addr
	// FirstPod and LastPod are the ends of what pods may have.
	FirstPod, LastPod netip.Addr
	// Routes are the node's own routes to the pods of other nodes.
	Routes []Route
	// Direct are the ranges that pods reach with their own addresses, Services, pods
	// and, where the network routes, nodes: what goes elsewhere leaves with the address
	// of the node.
	Direct []netip.Prefix
}

// Plan computes what the nodes need. It depends only on its arguments. The error lists
// everything that is wrong with the network and the nodes, with paths below "network" and
// "nodes".
func (n Defaulted) Plan(nodes []Node) (Plan, error) {
	errs := n.Validate(field.NewPath("network"))
	at := field.NewPath("nodes")
	for i, node := range nodes {
		errs = append(errs, topology.ValidatePlatform(node.Platform, at.Index(i).Child("platform"))...)
	}
	errs = append(errs, n.ValidateNodes(nodes, at)...)
	if err := fielderrors.Join("plan", errs); err != nil {
		return Plan{}, err
	}

	plan := Plan{Nodes: make([]NodePlan, len(nodes))}
	for i, node := range nodes {
		plan.Nodes[i] = n.planNode(node)
	}
	switch n.Kind {
	case UpstreamL3:
		plan.Router = routes(plan.Nodes, -1)
	case HostGateway:
		for i := range plan.Nodes {
			plan.Nodes[i].Routes = routes(plan.Nodes, i)
		}
	}
	return plan, nil
}

func (n Defaulted) planNode(node Node) NodePlan {
	p := NodePlan{Node: node, Direct: n.direct()}
	if !n.Kind.Planned() {
		return p
	}
	if p.PodCIDR == (netip.Prefix{}) {
		p.PodCIDR = part(n.PodCIDR, n.NodeMaskSize, offset(n.NodeCIDR, node.Address))
	}
	gateway := uint32(1)
	if node.Platform.IsWindows() {
		gateway = 2
	}
	p.Gateway, p.FirstPod = nth(p.PodCIDR, gateway), nth(p.PodCIDR, gateway+1)
	p.LastPod = last(p.PodCIDR).Prev()
	return p
}

// routes lead to the pods of all nodes but one.
func routes(nodes []NodePlan, except int) []Route {
	all := make([]Route, 0, len(nodes))
	for i, node := range nodes {
		if i != except {
			all = append(all, Route{Destination: node.PodCIDR, NextHop: node.Address})
		}
	}
	return all
}
