package network

import (
	"net/netip"

	"github.com/mixedkube/mixedkube/components/platform"
)

// Node is a machine that a plan is for.
type Node struct {
	// Name is that of the node in Kubernetes.
	Name string
	// Address is its own, in Network.NodeCIDR.
	Address netip.Addr
	// Platform is what it runs.
	Platform platform.Platform
	// PodCIDR is the range of its pods, for the routed kinds. By default it follows
	// from Address, so that it stays the same whatever other nodes come and go: the
	// node with the n-th address of NodeCIDR has the n-th range of PodCIDR.
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
	// Routes are those that the node itself has, to the pods of the others.
	Routes []Route
	// Direct are the ranges that pods reach with their own addresses: what goes
	// elsewhere leaves with that of the node.
	Direct []netip.Prefix
}
