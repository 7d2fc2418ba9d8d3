package examples

import (
	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/topology"
)

// disk returns a change of the Windows pool: its size, and the size and type of its OS disk.
func disk(size string, gib int, kind topology.OSDiskType) func(c *plan.Cluster) {
	return Windows(func(p *topology.Pool) { p.Size, p.OSDiskSizeGB, p.OSDiskType = size, gib, kind })
}

func ephemeral(size string, gib int) func(c *plan.Cluster) {
	return disk(size, gib, topology.EphemeralDisk)
}

// diskExamples are examples of OS disks, availability zones, upgrades and Spot machines.
var diskExamples = []Example{
	{
		"an ephemeral disk without a local disk", ephemeral("Standard_D8s_v5", 0), ephemeral("Standard_D8ds_v5", 0),
		[]string{"error: pools[1].osDiskType (MK749)"},
	},
	{
		"an ephemeral disk that is too large", ephemeral("Standard_D8ds_v5", 301), ephemeral("Standard_D8ds_v5", 300),
		[]string{"error: pools[1].osDiskSizeGB (MK749)"},
	},
	{
		"an ephemeral disk of the default size in a small cache", ephemeral("Standard_D4s_v3", 0),
		ephemeral("Standard_D4s_v3", 100),
		[]string{"error: pools[1].osDiskType (MK749)"},
	},
	{"an ephemeral disk on a size that the rule does not know", nil, ephemeral("Standard_L8s_v3", 2000), nil},
	{"a managed disk without a local disk", nil, disk("Standard_D8s_v5", 0, topology.ManagedDisk), nil},
	{"AKS chooses the type of the disk", nil, disk("Standard_D8s_v5", 0, ""), nil},
	{
		"a pool that keeps its name has a disk of some size", Both(ephemeral("Standard_D4s_v3", 101), keepsName),
		Both(ephemeral("Standard_D4s_v3", 0), keepsName),
		[]string{"error: pools[1].osDiskSizeGB (MK749)"},
	},
	{
		"zones that Azure does not have",
		System(func(p *topology.Pool) { p.Zones = []string{"1", "westeurope-1", "4", "01"} }),
		System(func(p *topology.Pool) { p.Zones = []string{"1", "2", "3"} }),
		[]string{
			"error: pools[0].zones[1] (MK748)",
			"warning: pools[0].zones[2] (MK748)",
			"error: pools[0].zones[3] (MK748)",
		},
	},
	{
		"waits that are too long",
		System(func(p *topology.Pool) { p.Upgrade = topology.Upgrade{DrainTimeoutMinutes: 1441, NodeSoakMinutes: 31} }),
		System(func(p *topology.Pool) { p.Upgrade = topology.Upgrade{DrainTimeoutMinutes: 1440, NodeSoakMinutes: 30} }),
		[]string{
			"error: pools[0].upgrade.drainTimeoutMinutes (MK790)",
			"error: pools[0].upgrade.nodeSoakMinutes (MK790)",
		},
	},
	{
		"an eviction policy without spot", PoolOptions("win22", obj{"scaleSetEvictionPolicy": "Deallocate"}),
		PoolOptions("win22", obj{"scaleSetEvictionPolicy": "Delete"}),
		[]string{"error: poolOptions[win22].options.scaleSetEvictionPolicy (MK789)"},
	},
	{"AKS chooses the zones", nil, System(func(p *topology.Pool) { p.Zones = []string{"auto"} }), nil},
}

// keepsName lets the Windows pool keep its name in Azure.
func keepsName(c *plan.Cluster) { c.PoolOptions["win22"] = plan.PoolOptions{NameInAzure: "win22"} }
