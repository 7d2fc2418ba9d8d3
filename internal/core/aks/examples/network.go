package examples

import (
	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// inPodSubnet gives all pools the subnets of the network, which are not known yet.
func inPodSubnet(c *plan.Cluster) {
	c.Network = plan.Network{Mode: plan.PodSubnet, NodeSubnetID: plan.Later, PodSubnetID: plan.Later}
}

// networkExamples are examples of the network.
var networkExamples = []Example{
	{
		"an unknown mode", Network(plan.Network{Mode: "kubenet"}), Network(plan.Network{}),
		[]string{"error: network.mode (MK721)"},
	},
	{
		"a misspelled mode", Network(plan.Network{Mode: "nodesubnet"}), Network(plan.Network{Mode: plan.NodeSubnet}),
		[]string{"error: network.mode (MK721)"},
	},
	{
		"kubenet", Options(obj{"networkProfile": obj{"networkPlugin": "kubenet"}}),
		Options(obj{"networkProfile": obj{"networkPlugin": "azure"}}),
		[]string{"error: options.networkProfile.networkPlugin (MK722)"},
	},
	{
		"no plugin, and no Windows pools",
		Both(LinuxOnly, Options(obj{"networkProfile": obj{"networkPlugin": "none"}})),
		Both(LinuxOnly, Options(obj{"networkProfile": tree.Unknown{}})),
		[]string{"warning: options.networkProfile.networkPlugin (MK722)"},
	},
	{
		"the Cilium dataplane", Options(obj{"networkProfile": obj{"networkDataplane": "cilium"}}),
		Options(obj{"networkProfile": obj{"networkDataplane": "azure"}}),
		[]string{"error: options.networkProfile.networkDataplane (MK723)"},
	},
	{
		"the Cilium dataplane without Windows pools",
		Both(LinuxOnly, Options(obj{"networkProfile": obj{"networkDataplane": "cilium"}})),
		Options(obj{"networkProfile": obj{"networkDataplane": tree.Secret{Value: "cilium"}}}),
		[]string{"warning: options.networkProfile.networkDataplane (MK723)"},
	},
	{
		"Azure's network policies", Network(plan.Network{Policy: plan.AzurePolicy}),
		Both(LinuxOnly, Network(plan.Network{Policy: plan.AzurePolicy})),
		[]string{"warning: network.policy (MK724)"},
	},
	{
		"Cilium's network policies", Network(plan.Network{Policy: plan.CiliumPolicy}),
		Both(LinuxOnly, Network(plan.Network{Policy: plan.CiliumPolicy})),
		[]string{"error: network.policy (MK724)"},
	},
	{
		"a misspelled policy", Network(plan.Network{Policy: "Calico"}), Network(plan.Network{Policy: "calico"}),
		[]string{"error: network.policy (MK725)"},
	},
	{
		"a misspelled allocation mode", PoolOptions("win22", obj{"podIPAllocationMode": "staticblock"}),
		PoolOptions("win22", obj{"podIPAllocationMode": tree.Unknown{}}),
		[]string{"error: poolOptions[win22].options.podIPAllocationMode (MK725)"},
	},
	{
		"two modes in one subnet of pods",
		Both(inPodSubnet, PoolOptions("win22", obj{"podIPAllocationMode": "StaticBlock"})),
		Both(Both(inPodSubnet, PoolOptions("sys", obj{"podIPAllocationMode": "StaticBlock"})),
			PoolOptions("win22", obj{"podIPAllocationMode": "StaticBlock"})),
		[]string{"error: poolOptions[win22].options.podIPAllocationMode (MK893)"},
	},
	{
		"two modes in two subnets of pods", nil, Both(inPodSubnet, func(c *plan.Cluster) {
			c.PoolOptions["win22"] = plan.PoolOptions{
				PodSubnetID: plan.Later, Options: obj{"podIPAllocationMode": "StaticBlock"},
			}
		}), nil,
	},
	{
		"a pool that keeps its mode", nil, Both(inPodSubnet, func(c *plan.Cluster) {
			c.PoolOptions["sys"] = plan.PoolOptions{NameInAzure: "sys"}
			c.PoolOptions["win22"] = plan.PoolOptions{Options: obj{"podIPAllocationMode": "StaticBlock"}}
		}), nil,
	},
	{
		"a newer policy", Network(plan.Network{Policy: "antrea"}), Network(plan.Network{Policy: plan.NoPolicy}),
		[]string{"warning: network.policy (MK725)"},
	},
	{
		"a misspelled policy without Windows pools", Both(LinuxOnly, Network(plan.Network{Policy: "cillium"})),
		Both(LinuxOnly, Network(plan.Network{Policy: "cilium"})),
		[]string{"error: network.policy (MK725)"},
	},
	{
		"pod-subnet without subnets", Network(plan.Network{Mode: plan.PodSubnet}),
		Network(plan.Network{Mode: plan.PodSubnet, NodeSubnetID: plan.Later, PodSubnetID: plan.Later}),
		[]string{"error: network.nodeSubnetID (MK726)", "error: network.podSubnetID (MK726)"},
	},
	{
		"pod-subnet without subnets and pools", func(c *plan.Cluster) {
			c.Network = plan.Network{Mode: plan.PodSubnet, NodeSubnetID: plan.Later}
			c.Topology.Pools = nil
		}, nil, []string{"error: network.podSubnetID (MK726)", "error: pools (MK704)"},
	},
	{
		"pod-subnet without the subnets of several pools", func(c *plan.Cluster) {
			c.Network = plan.Network{Mode: plan.PodSubnet, NodeSubnetID: plan.Later}
			c.Topology.Pools = append(c.Topology.Pools,
				topology.Pool{Name: "linux", Platform: platform.Linux, Size: "Standard_D4s_v5"})
			c.PoolOptions["win22"] = plan.PoolOptions{PodSubnetID: plan.Later}
		}, nil, []string{"error: network.podSubnetID (MK726)"},
	},
	{
		"pod-subnet with the subnets of some pools", func(c *plan.Cluster) {
			c.Network = plan.Network{Mode: plan.PodSubnet, NodeSubnetID: plan.Later}
			c.PoolOptions["win22"] = plan.PoolOptions{PodSubnetID: plan.Later}
		}, func(c *plan.Cluster) {
			c.Network = plan.Network{Mode: plan.PodSubnet}
			c.PoolOptions["win22"] = plan.PoolOptions{PodSubnetID: plan.Later, NodeSubnetID: plan.Later}
			c.PoolOptions["sys"] = plan.PoolOptions{PodSubnetID: plan.Later, NodeSubnetID: plan.Later}
		}, []string{"error: network.podSubnetID (MK726)"},
	},
	{
		"pod subnets in another mode", func(c *plan.Cluster) {
			c.Network = plan.Network{Mode: plan.NodeSubnet, NodeSubnetID: plan.Later, PodSubnetID: plan.Later}
			c.PoolOptions["win22"] = plan.PoolOptions{PodSubnetID: plan.Later, NodeSubnetID: plan.Later}
		}, func(c *plan.Cluster) {
			c.Network = plan.Network{Mode: plan.Overlay, NodeSubnetID: plan.Later}
			c.PoolOptions["win22"] = plan.PoolOptions{NodeSubnetID: plan.Later}
		}, []string{"error: network.podSubnetID (MK727)", "error: poolOptions[win22].podSubnetID (MK727)"},
	},
}
