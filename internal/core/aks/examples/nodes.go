package examples

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// nodeExamples are examples of the nodes of pools, and of their sizes.
var nodeExamples = []Example{
	{
		"too few pods",
		Both(Windows(func(p *topology.Pool) { p.MaxPods = 9 }), Network(plan.Network{Mode: plan.NodeSubnet})),
		Windows(func(p *topology.Pool) { p.Count, p.MaxPods = 3, 10 }),
		[]string{"error: pools[1].maxPods (MK731)"},
	},
	{
		"too many pods", Both(System(func(p *topology.Pool) { p.MaxPods = 251 }),
			Network(plan.Network{Mode: plan.PodSubnet, NodeSubnetID: plan.Later, PodSubnetID: plan.Later})),
		System(func(p *topology.Pool) { p.MaxPods = 250 }),
		[]string{"error: pools[0].maxPods (MK731)"},
	},
	{
		"too many nodes", Windows(func(p *topology.Pool) { p.Count = 1001 }),
		Windows(func(p *topology.Pool) { p.Count = 909 }),
		[]string{"error: pools[1].count (MK732)"},
	},
	{
		"too many nodes are not reported again for upgrades",
		Windows(func(p *topology.Pool) { p.Count, p.Upgrade.MaxSurge = 1001, "1" }), nil,
		[]string{"error: pools[1].count (MK732)"},
	},
	{
		"a system pool without nodes", System(func(p *topology.Pool) { p.Count, p.Empty = 0, true }),
		Windows(func(p *topology.Pool) { p.Count, p.Empty = 0, true }),
		[]string{"error: pools[0].count (MK732)"},
	},
	{
		"a system pool that may have no nodes",
		System(func(p *topology.Pool) { p.Count, p.Autoscaling = 0, topology.Autoscaling{Max: 3} }),
		Windows(func(p *topology.Pool) { p.Count, p.Autoscaling = 0, topology.Autoscaling{Max: 3} }),
		[]string{"error: pools[0].autoscaling.min (MK732)"},
	},
	{
		"too many nodes of an autoscaler",
		Windows(func(p *topology.Pool) { p.Count, p.Autoscaling = 0, topology.Autoscaling{Min: 1001, Max: 2000} }),
		Windows(func(p *topology.Pool) { p.Count, p.Autoscaling = 0, topology.Autoscaling{Min: 909, Max: 909} }),
		[]string{"error: pools[1].autoscaling.max (MK732)", "error: pools[1].autoscaling.min (MK732)"},
	},
	{
		"no room for an upgrade", Windows(func(p *topology.Pool) { p.Count, p.Upgrade.MaxSurge = 752, "33%" }),
		Windows(func(p *topology.Pool) { p.Count, p.Upgrade.MaxSurge = 751, "33%" }),
		[]string{"error: pools[1].upgrade.maxSurge (MK733)"},
	},
	{
		"no room for an upgrade by default", Windows(func(p *topology.Pool) { p.Count = 910 }), func(c *plan.Cluster) {
			Windows(func(p *topology.Pool) { p.Count = 910 })(c)
			c.PoolOptions["win22"] = plan.PoolOptions{NameInAzure: "win22"}
		}, []string{"warning: pools[1].upgrade.maxSurge (MK733)"},
	},
	{
		"no room for an upgrade of the largest size", Windows(func(p *topology.Pool) {
			p.Count, p.Autoscaling, p.Upgrade.MaxSurge = 5, topology.Autoscaling{Min: 1, Max: 1000}, "1"
		}), Windows(func(p *topology.Pool) {
			p.Count, p.Autoscaling, p.Upgrade.MaxSurge = 5, topology.Autoscaling{Min: 1, Max: 999}, "1"
		}), []string{"error: pools[1].upgrade.maxSurge (MK733)"},
	},
	{
		"maxUnavailable on a system pool", System(func(p *topology.Pool) { p.Upgrade.MaxUnavailable = "5%" }),
		System(func(p *topology.Pool) { p.Upgrade.MaxUnavailable = "0%" }),
		[]string{"error: pools[0].upgrade.maxUnavailable (MK734)"},
	},
	{
		"no surge", Windows(func(p *topology.Pool) { p.Upgrade.MaxSurge = "0" }),
		Windows(func(p *topology.Pool) { p.Upgrade.MaxSurge, p.Upgrade.MaxUnavailable = "0", "1" }),
		[]string{"error: pools[1].upgrade.maxSurge (MK735)"},
	},
	{
		"no surge of a system pool", System(func(p *topology.Pool) { p.Upgrade.MaxSurge = "0%" }),
		System(func(p *topology.Pool) { p.Upgrade.MaxSurge = "1%" }),
		[]string{"error: pools[0].upgrade.maxSurge (MK735)"},
	},
	{
		"no surge of a system pool that has maxUnavailable",
		System(func(p *topology.Pool) { p.Upgrade = topology.Upgrade{MaxSurge: "0", MaxUnavailable: "1"} }),
		Windows(func(p *topology.Pool) { p.Upgrade = topology.Upgrade{MaxSurge: "0", MaxUnavailable: "1"} }),
		[]string{"error: pools[0].upgrade.maxSurge (MK735)", "error: pools[0].upgrade.maxUnavailable (MK734)"},
	},
	{
		"digits only", System(func(p *topology.Pool) { p.Name = "0123456789" }), nil,
		[]string{"error: pools[0].name (MK701)"},
	},
	{
		"Azure's labels", Windows(func(p *topology.Pool) {
			p.Labels = map[string]string{"kubernetes.azure.com/team": "shop", "kubernetes.io/team": "shop"}
		}), Windows(func(p *topology.Pool) {
			p.Labels = map[string]string{"my.kubernetes.azure.com/team": "shop", "kubernetes.azure.com": "shop"}
		}), []string{"error: pools[1].labels[kubernetes.azure.com/team] (MK736)"},
	},
	{
		"a zone as a label", Windows(func(p *topology.Pool) {
			p.Labels = map[string]string{
				"failure-domain.beta.kubernetes.io/zone": "1", "topology.kubernetes.io/region": "westeurope",
			}
		}), Windows(func(p *topology.Pool) { p.Zones = []string{"1"} }), []string{
			"error: pools[1].labels[failure-domain.beta.kubernetes.io/zone] (MK736)",
			"error: pools[1].labels[topology.kubernetes.io/region] (MK736)",
		},
	},
	{
		"a price with six decimals", Both(Spot, Windows(func(p *topology.Pool) { p.SpotMaxPrice = 0.123456 })),
		Both(Spot, Windows(func(p *topology.Pool) { p.SpotMaxPrice = 0.12345 })),
		[]string{"error: pools[1].spotMaxPrice (MK737)"},
	},
	{
		"spot without autoscaling", Windows(func(p *topology.Pool) { p.Spot = true }), Spot,
		[]string{"warning: pools[1].spot (MK898)"},
	},
	{
		"few pods on the nodes of a user pool", Windows(func(p *topology.Pool) { p.Count, p.MaxPods = 2, 14 }),
		Windows(func(p *topology.Pool) { p.Count, p.MaxPods = 2, 15 }),
		[]string{"warning: pools[1].maxPods (MK705)"},
	},
	{
		"a size with GPUs of AMD", System(func(p *topology.Pool) { p.Size = "Standard_NV32as_v4" }),
		System(func(p *topology.Pool) { p.Size = "Standard_NV36ads_A10_v5" }),
		[]string{"error: pools[0].size (MK897)"},
	},
	{
		"enclaves of the first series in overlay", System(func(p *topology.Pool) { p.Size = "Standard_DC4s_v2" }),
		Both(System(func(p *topology.Pool) { p.Size = "Standard_DC4s_v2" }), Network(plan.Network{
			Mode: plan.NodeSubnet, OutboundType: plan.LoadBalancer,
		})),
		[]string{"error: pools[0].size (MK897)"},
	},

	{
		"no size", System(func(p *topology.Pool) { p.Size = "" }),
		System(func(p *topology.Pool) { p.Size = "Standard_NEW128" }),
		[]string{"error: pools[0].size (MK791)"},
	},
	{
		"one CPU", Windows(func(p *topology.Pool) { p.Size = "Standard_DS1_v2" }),
		Windows(func(p *topology.Pool) { p.Size = "Standard_DS2_v2" }),
		[]string{"error: pools[1].size (MK792)"},
	},
	{
		"two CPUs of a system pool", System(func(p *topology.Pool) { p.Size = "Standard_D2s_v5" }),
		Windows(func(p *topology.Pool) { p.Size = "Standard_D2s_v5" }),
		[]string{"warning: pools[0].size (MK792)"},
	},
	{
		"less than four GiB of a system pool", System(func(p *topology.Pool) { p.Size = "Standard_DS1_v2" }),
		System(func(p *topology.Pool) { p.Size = "Standard_F4s_v2" }),
		[]string{"error: pools[0].size (MK792)"},
	},
	{
		"one GiB", Windows(func(p *topology.Pool) { p.Size = "Standard_B2ts_v2" }),
		Windows(func(p *topology.Pool) { p.Size = "Standard_B2s" }),
		[]string{"error: pools[1].size (MK792)"},
	},
	{
		"generation 2 only", Windows(func(p *topology.Pool) { p.Size = "Standard_E8ads_v6" }),
		Both(Platforms(platform.WindowsServer2025, "1.36"),
			Windows(func(p *topology.Pool) { p.Size = "Standard_E8ads_v6" })),
		[]string{"warning: pools[1].size (MK793)"},
	},
	{
		"the newest of generation 2 only", Windows(func(p *topology.Pool) { p.Size = "Standard_F4s_v9" }),
		Both(Windows(func(p *topology.Pool) { p.Size = "Standard_D4ps_v6" }),
			System(func(p *topology.Pool) { p.Size = "Standard_D4s_v6" })),
		[]string{"warning: pools[1].size (MK793)"},
	},
}

// Spot makes the Windows pool one of Spot machines.
func Spot(c *plan.Cluster) {
	c.Topology.Pools[1].Spot, c.Topology.Pools[1].Autoscaling = true, topology.Autoscaling{Min: 1, Max: 3}
}

// standard sets a tier for more than 1000 nodes.
func standard(c *plan.Cluster) { Options(obj{"sku": obj{"tier": "Standard"}})(c) }

// hundreds returns a change that adds pools with a hundred nodes each.
func hundreds(pools int) func(c *plan.Cluster) {
	return func(c *plan.Cluster) {
		for i := range pools {
			c.Topology.Pools = append(c.Topology.Pools, topology.Pool{
				Name: fmt.Sprintf("linux%d", i), Platform: platform.Linux, Count: 100, Size: "Standard_D4s_v5",
			})
		}
	}
}
