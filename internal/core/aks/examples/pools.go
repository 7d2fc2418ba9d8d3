package examples

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// poolExamples are examples of names, and of system pools.
var poolExamples = []Example{
	{
		"a hyphen in a name", Windows(func(p *topology.Pool) { p.Name = "w-22" }),
		Windows(func(p *topology.Pool) { p.Name = "w22" }),
		[]string{"error: pools[1].name (MK701)"},
	},
	{
		"a digit in front", System(func(p *topology.Pool) { p.Name = "1sys" }),
		System(func(p *topology.Pool) { p.Name = "sys1" }),
		[]string{"error: pools[0].name (MK701)"},
	},
	{
		"seven characters on Windows", Windows(func(p *topology.Pool) { p.Name = "windows" }),
		Windows(func(p *topology.Pool) { p.Name = "windo" }),
		[]string{"error: pools[1].name (MK702)"},
	},
	{
		"thirteen characters on Linux", System(func(p *topology.Pool) { p.Name = "abcdefghijklm" }),
		System(func(p *topology.Pool) { p.Name = "abcdefghijk" }),
		[]string{"error: pools[0].name (MK702)"},
	},
	{
		"six characters on Windows", Windows(func(p *topology.Pool) { p.Name = "window" }),
		Windows(func(p *topology.Pool) { p.Name = "win" }),
		[]string{"warning: pools[1].name (MK703)"},
	},
	{
		"twelve characters on Linux", System(func(p *topology.Pool) { p.Name = "abcdefghijkl" }),
		System(func(p *topology.Pool) { p.Name = "window" }),
		[]string{"warning: pools[0].name (MK703)"},
	},
	{
		"two pools with the same name in Azure", func(c *plan.Cluster) {
			c.Topology.Pools = append(c.Topology.Pools,
				topology.Pool{Name: "win22d", Platform: platform.WindowsServer2022, Size: "Standard_F8s_v2"})
		}, func(c *plan.Cluster) {
			c.Topology.Pools = append(c.Topology.Pools,
				topology.Pool{Name: "win2", Platform: platform.WindowsServer2022, Size: "Standard_F8s_v2"})
		}, []string{"warning: pools[2].name (MK703)", "error: pools[2].name (MK708)"},
	},
	{
		"a cluster with a hyphen in front", func(c *plan.Cluster) { c.Name = "-shop" },
		func(c *plan.Cluster) { c.Name = "shop-1_a" },
		[]string{"error: clusterName (MK709)"},
	},
	{
		"a cluster with a name of 64 characters", func(c *plan.Cluster) { c.Name = strings.Repeat("a", 64) },
		func(c *plan.Cluster) { c.Name = strings.Repeat("a", 63) },
		[]string{"error: clusterName (MK709)"},
	},

	{
		"no system pool", System(func(p *topology.Pool) { p.Mode = topology.User }),
		System(func(p *topology.Pool) { p.Mode = "system" }),
		[]string{"error: pools (MK704)"},
	},
	{
		"too few pods in a system pool", System(func(p *topology.Pool) { p.Count, p.MaxPods = 2, 14 }),
		System(func(p *topology.Pool) { p.Count, p.MaxPods = 2, 15 }),
		[]string{"error: pools[0].maxPods (MK705)"},
	},
	{
		"too few pods in the smallest size of a system pool", System(func(p *topology.Pool) {
			p.Count, p.MaxPods, p.Autoscaling = 3, 10, topology.Autoscaling{Min: 2, Max: 3}
		}), System(func(p *topology.Pool) {
			p.Count, p.MaxPods, p.Autoscaling = 3, 10, topology.Autoscaling{Min: 3, Max: 3}
		}), []string{"error: pools[0].maxPods (MK705)"},
	},
	{
		"far too few pods in a system pool are reported once", System(func(p *topology.Pool) { p.MaxPods = 9 }),
		Windows(func(p *topology.Pool) { p.MaxPods = 29 }),
		[]string{"error: pools[0].maxPods (MK731)"},
	},
	{
		"the B series for a system pool", System(func(p *topology.Pool) { p.Size = "Standard_B4ms" }),
		Windows(func(p *topology.Pool) { p.Size = "Standard_B4ms" }),
		[]string{"error: pools[0].size (MK706)"},
	},
	{
		"a taint on a system pool", System(func(p *topology.Pool) {
			p.Taints = []corev1.Taint{
				{Key: "CriticalAddonsOnly", Value: "true", Effect: "NoSchedule"},
				{Key: "CriticalAddonsOnly", Value: "true", Effect: "NoExecute"},
				{Key: "team", Value: "shop", Effect: "NoExecute"},
			}
		}), System(func(p *topology.Pool) {
			p.Taints = []corev1.Taint{
				{Key: "CriticalAddonsOnly", Value: "true", Effect: "NoSchedule"},
				{Key: "os", Effect: "PreferNoSchedule"},
				{Key: "os", Effect: "Never"},
			}
		}), []string{"warning: pools[0].taints[1] (MK707)", "error: pools[0].taints[2] (MK707)"},
	},
}
