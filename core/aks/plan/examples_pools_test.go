package plan_test

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// poolExamples are examples of names, nodes and sizes of pools.
var poolExamples = []example{
	// Names.
	{
		"a hyphen in a name", windows(func(p *topology.Pool) { p.Name = "w-22" }),
		windows(func(p *topology.Pool) { p.Name = "w22" }),
		[]string{
			`error: pools[1].name: "w-22": a pool's name has lower-case letters and digits only, and begins with a ` +
				`letter: use, for example, w22 (MK701)`,
		},
	},
	{
		"a digit in front", system(func(p *topology.Pool) { p.Name = "1sys" }),
		system(func(p *topology.Pool) { p.Name = "sys1" }),
		[]string{
			`error: pools[0].name: "1sys": a pool's name has lower-case letters and digits only, and begins with a ` +
				`letter: use, for example, sys (MK701)`,
		},
	},
	{
		"seven characters on Windows", windows(func(p *topology.Pool) { p.Name = "windows" }),
		windows(func(p *topology.Pool) { p.Name = "windo" }),
		[]string{
			`error: pools[1].name: "windows": 7 characters, and the name of a Windows pool has at most 6: use at ` +
				`most 5, which leaves room for a suffix (MK702)`,
		},
	},
	{
		"thirteen characters on Linux", system(func(p *topology.Pool) { p.Name = "abcdefghijklm" }),
		system(func(p *topology.Pool) { p.Name = "abcdefghijk" }),
		[]string{
			`error: pools[0].name: "abcdefghijklm": 13 characters, and a pool's name has at most 12: use at most 11, ` +
				`which leaves room for a suffix (MK702)`,
		},
	},
	{
		"six characters on Windows", windows(func(p *topology.Pool) { p.Name = "window" }),
		windows(func(p *topology.Pool) { p.Name = "win" }),
		[]string{
			`warning: pools[1].name: "window": 6 characters leave no room for a suffix, so a change of its size or ` +
				`platform cannot create a new pool while the old one exists: use at most 5 characters (MK703)`,
		},
	},
	{
		"twelve characters on Linux", system(func(p *topology.Pool) { p.Name = "abcdefghijkl" }),
		system(func(p *topology.Pool) { p.Name = "window" }),
		[]string{
			`warning: pools[0].name: "abcdefghijkl": 12 characters leave no room for a suffix, so a change of its ` +
				`size or platform cannot create a new pool while the old one exists: use at most 11 characters (MK703)`,
		},
	},
	{
		"two pools with the same name in Azure",
		func(c *plan.Cluster) {
			c.Topology.Pools = append(c.Topology.Pools,
				topology.Pool{Name: "win22d", Platform: platform.WindowsServer2022, Size: "Standard_F8s_v2"})
		},
		func(c *plan.Cluster) {
			c.Topology.Pools = append(c.Topology.Pools,
				topology.Pool{Name: "win2", Platform: platform.WindowsServer2022, Size: "Standard_F8s_v2"})
		},
		[]string{
			`warning: pools[2].name: "win22d": 6 characters leave no room for a suffix, so a change of its size or ` +
				`platform cannot create a new pool while the old one exists: use at most 5 characters (MK703)`,
			`error: pools[2].name: "win22d": its name in Azure is "win22d", the same as that of "win22": names in ` +
				`Azure have suffixes: use another name (MK708)`,
		},
	},
	{
		"a cluster with a hyphen in front", func(c *plan.Cluster) { c.Name = "-shop" },
		func(c *plan.Cluster) { c.Name = "shop-1_a" },
		[]string{
			`error: clusterName: "-shop": a cluster's name has 1 to 63 letters, digits, hyphens and underscores, ` +
				`with a letter or digit at both ends: use another one, for example shop (MK709)`,
		},
	},
	{
		"a cluster with a name of 64 characters", func(c *plan.Cluster) { c.Name = strings.Repeat("a", 64) },
		func(c *plan.Cluster) { c.Name = strings.Repeat("a", 63) },
		[]string{`error: clusterName: "` + strings.Repeat("a", 64) +
			`": a cluster's name has 1 to 63 letters, digits, hyphens and underscores, with a letter or digit at ` +
			`both ends: use another one, for example shop (MK709)`},
	},

	// System pools.
	{
		"no system pool", system(func(p *topology.Pool) { p.Mode = topology.User }),
		system(func(p *topology.Pool) { p.Mode = "system" }),
		[]string{
			`error: pools: no Linux pool has the mode System, which the first pool of a cluster must have: set the ` +
				`mode of one Linux pool to System (MK704)`,
		},
	},
	{
		"too few pods in a system pool", system(func(p *topology.Pool) { p.MaxPods = 29 }),
		system(func(p *topology.Pool) { p.MaxPods = 30 }),
		[]string{
			`error: pools[0].maxPods: 29: a node of a system pool must have room for at least 30 pods: use 30 or ` +
				`more, or leave it out for 250, the default of mode overlay (MK705)`,
		},
	},
	{
		"far too few pods in a system pool are reported once", system(func(p *topology.Pool) { p.MaxPods = 9 }),
		windows(func(p *topology.Pool) { p.MaxPods = 29 }),
		[]string{
			`error: pools[0].maxPods: 9: a node of a system pool must have room for at least 30 pods: use 30 or ` +
				`more, or leave it out for 250, the default of mode overlay (MK705)`,
		},
	},
	{
		"the B series for a system pool", system(func(p *topology.Pool) { p.Size = "Standard_B4ms" }),
		windows(func(p *topology.Pool) { p.Size = "Standard_B4ms" }),
		[]string{
			`error: pools[0].size: "Standard_B4ms": Azure refuses B-series sizes for system pools: use another ` +
				`series, for example Standard_D4s_v5 (MK706)`,
		},
	},
	{
		"a taint on a system pool",
		system(func(p *topology.Pool) {
			p.Taints = []corev1.Taint{
				{Key: "CriticalAddonsOnly", Value: "true", Effect: "NoSchedule"},
				{Key: "CriticalAddonsOnly", Value: "true", Effect: "NoExecute"},
				{Key: "team", Value: "shop", Effect: "NoExecute"},
			}
		}),
		system(func(p *topology.Pool) {
			p.Taints = []corev1.Taint{
				{Key: "CriticalAddonsOnly", Value: "true", Effect: "NoSchedule"},
				{Key: "os", Effect: "PreferNoSchedule"},
				{Key: "os", Effect: "Never"},
			}
		}),
		[]string{
			`warning: pools[0].taints[1]: "CriticalAddonsOnly=true:NoExecute": Azure documents this taint for system ` +
				`pools with another value or effect: use CriticalAddonsOnly=true:NoSchedule (MK707)`,
			`error: pools[0].taints[2]: "team=shop:NoExecute": a system pool cannot have this taint: use ` +
				`CriticalAddonsOnly=true:NoSchedule or the effect PreferNoSchedule, or move the taint to a pool of ` +
				`mode User (MK707)`,
		},
	},

	// Nodes.
	{
		"too few pods", both(windows(func(p *topology.Pool) { p.MaxPods = 9 }),
			network(plan.Network{Mode: plan.NodeSubnet})), windows(func(p *topology.Pool) { p.MaxPods = 10 }),
		[]string{
			`error: pools[1].maxPods: 9: a node has room for 10 to 250 pods: use a number in this range, or leave it ` +
				`out for 30, the default of mode node-subnet (MK731)`,
		},
	},
	{
		"too many pods", both(system(func(p *topology.Pool) { p.MaxPods = 251 }),
			network(plan.Network{Mode: plan.PodSubnet, NodeSubnetID: plan.Later, PodSubnetID: plan.Later})),
		system(func(p *topology.Pool) { p.MaxPods = 250 }),
		[]string{
			`error: pools[0].maxPods: 251: a node has room for 10 to 250 pods: use a number in this range, or leave ` +
				`it out for 110, the default of mode pod-subnet (MK731)`,
		},
	},
	{
		"too many nodes", windows(func(p *topology.Pool) { p.Count = 1001 }),
		windows(func(p *topology.Pool) { p.Count = 1000 }),
		[]string{
			`error: pools[1].count: 1001: a user pool has 0 to 1000 nodes: use at most 1000, and several pools for ` +
				`more (MK732)`,
		},
	},
	{
		"too many nodes are not reported again for upgrades",
		windows(func(p *topology.Pool) { p.Count, p.Upgrade.MaxSurge = 1001, "1" }), nil,
		[]string{
			`error: pools[1].count: 1001: a user pool has 0 to 1000 nodes: use at most 1000, and several pools for ` +
				`more (MK732)`,
		},
	},
	{
		"a system pool without nodes", system(func(p *topology.Pool) { p.Count, p.Empty = 0, true }),
		windows(func(p *topology.Pool) { p.Count, p.Empty = 0, true }),
		[]string{`error: pools[0].count: 0: a system pool has 1 to 1000 nodes: use at least 1 (MK732)`},
	},
	{
		"a system pool that may have no nodes",
		system(func(p *topology.Pool) { p.Count, p.Autoscaling = 0, topology.Autoscaling{Max: 3} }),
		windows(func(p *topology.Pool) { p.Count, p.Autoscaling = 0, topology.Autoscaling{Max: 3} }),
		[]string{`error: pools[0].autoscaling.min: 0: a system pool has 1 to 1000 nodes: use at least 1 (MK732)`},
	},
	{
		"too many nodes of an autoscaler",
		windows(func(p *topology.Pool) { p.Count, p.Autoscaling = 0, topology.Autoscaling{Min: 1001, Max: 2000} }),
		windows(func(p *topology.Pool) { p.Count, p.Autoscaling = 0, topology.Autoscaling{Min: 1000, Max: 1000} }),
		[]string{
			`error: pools[1].autoscaling.max: 2000: a user pool has 0 to 1000 nodes: use at most 1000, and several ` +
				`pools for more (MK732)`,
			`error: pools[1].autoscaling.min: 1001: a user pool has 0 to 1000 nodes: use at most 1000, and several ` +
				`pools for more (MK732)`,
		},
	},
	{
		"no room for an upgrade", windows(func(p *topology.Pool) { p.Count, p.Upgrade.MaxSurge = 752, "33%" }),
		windows(func(p *topology.Pool) { p.Count, p.Upgrade.MaxSurge = 751, "33%" }),
		[]string{
			`error: pools[1].upgrade.maxSurge: "33%": up to 752 nodes and 249 more in an upgrade are 1001, and Azure ` +
				`accepts at most 1000: use at most 248, or fewer nodes (MK733)`,
		},
	},
	{
		"no room for an upgrade of the largest size",
		windows(func(p *topology.Pool) {
			p.Count, p.Autoscaling, p.Upgrade.MaxSurge = 5, topology.Autoscaling{Min: 1, Max: 1000}, "1"
		}),
		windows(func(p *topology.Pool) {
			p.Count, p.Autoscaling, p.Upgrade.MaxSurge = 5, topology.Autoscaling{Min: 1, Max: 999}, "1"
		}),
		[]string{
			`error: pools[1].upgrade.maxSurge: "1": up to 1000 nodes and 1 more in an upgrade are 1001, and Azure ` +
				`accepts at most 1000: use fewer than 1000 nodes (MK733)`,
		},
	},
	{
		"maxUnavailable on a system pool", system(func(p *topology.Pool) { p.Upgrade.MaxUnavailable = "5%" }),
		system(func(p *topology.Pool) { p.Upgrade.MaxUnavailable = "0%" }),
		[]string{
			`error: pools[0].upgrade.maxUnavailable: "5%": a system pool must keep all of its nodes during an ` +
				`upgrade: remove it, and use maxSurge (MK734)`,
		},
	},
	{
		"no surge", windows(func(p *topology.Pool) { p.Upgrade.MaxSurge = "0" }),
		windows(func(p *topology.Pool) { p.Upgrade.MaxSurge, p.Upgrade.MaxUnavailable = "0", "1" }),
		[]string{
			`error: pools[1].upgrade.maxSurge: "0": maxUnavailable is 0 by default, so no node can be replaced: use ` +
				`at least 1, or set maxUnavailable (MK735)`,
		},
	},
	{
		"no surge of a system pool", system(func(p *topology.Pool) { p.Upgrade.MaxSurge = "0%" }),
		system(func(p *topology.Pool) { p.Upgrade.MaxSurge = "1%" }),
		[]string{
			`error: pools[0].upgrade.maxSurge: "0%": maxUnavailable is always 0 in a system pool, so no node can be ` +
				`replaced: use at least 1 (MK735)`,
		},
	},
	{
		"no surge of a system pool that has maxUnavailable",
		system(func(p *topology.Pool) { p.Upgrade = topology.Upgrade{MaxSurge: "0", MaxUnavailable: "1"} }),
		windows(func(p *topology.Pool) { p.Upgrade = topology.Upgrade{MaxSurge: "0", MaxUnavailable: "1"} }),
		[]string{
			`error: pools[0].upgrade.maxSurge: "0": maxUnavailable is always 0 in a system pool, so no node can be ` +
				`replaced: use at least 1 (MK735)`,
			`error: pools[0].upgrade.maxUnavailable: "1": a system pool must keep all of its nodes during an ` +
				`upgrade: remove it, and use maxSurge (MK734)`,
		},
	},
	{
		"digits only", windows(func(p *topology.Pool) { p.Name = "2022" }), nil,
		[]string{
			`error: pools[1].name: "2022": a pool's name has lower-case letters and digits only, and begins with a ` +
				`letter: use, for example, pool (MK701)`,
		},
	},
	{
		"Azure's labels", windows(func(p *topology.Pool) {
			p.Labels = map[string]string{"kubernetes.azure.com/team": "shop", "kubernetes.io/team": "shop"}
		}),
		windows(func(p *topology.Pool) {
			p.Labels = map[string]string{"my.kubernetes.azure.com/team": "shop", "kubernetes.azure.com": "shop"}
		}),
		[]string{
			`error: pools[1].labels[kubernetes.azure.com/team]: Azure reserves kubernetes.azure.com/ for its own ` +
				`labels: use a domain of your own (MK736)`,
		},
	},
	{
		"a zone as a label", windows(func(p *topology.Pool) {
			p.Labels = map[string]string{
				"failure-domain.beta.kubernetes.io/zone": "1", "topology.kubernetes.io/region": "westeurope",
			}
		}),
		windows(func(p *topology.Pool) { p.Zones = []string{"1"} }),
		[]string{
			`error: pools[1].labels[failure-domain.beta.kubernetes.io/zone]: Azure sets the zone and the region of a ` +
				`node itself: remove it, and set zones (MK736)`,
			`error: pools[1].labels[topology.kubernetes.io/region]: Azure sets the zone and the region of a node ` +
				`itself: remove it, and set zones (MK736)`,
		},
	},
	{
		"a price with six decimals", windows(func(p *topology.Pool) { p.Spot, p.SpotMaxPrice = true, 0.123456 }),
		windows(func(p *topology.Pool) { p.Spot, p.SpotMaxPrice = true, 0.12345 }),
		[]string{`error: pools[1].spotMaxPrice: 0.123456: 6 decimals, and Azure accepts at most 5: round it (MK737)`},
	},

	// Not on Windows.
	{
		"trusted launch", poolOptions("win22",
			obj{"securityProfile": obj{"enableSecureBoot": true, "enableVTPM": true}}),
		poolOptions("win22", obj{"securityProfile": obj{"enableSecureBoot": false, "enableVTPM": tree.Unknown{}}}),
		[]string{
			`error: poolOptions[win22].options.securityProfile.enableSecureBoot: true: not supported on Windows ` +
				`nodes: remove it (MK741)`,
			`error: poolOptions[win22].options.securityProfile.enableVTPM: true: not supported on Windows nodes: ` +
				`remove it (MK741)`,
		},
	},
	{
		"artifact streaming", poolOptions("win22", obj{"artifactStreamingProfile": obj{"enabled": true}}),
		poolOptions("sys", obj{"artifactStreamingProfile": obj{"enabled": true}}),
		[]string{
			`error: poolOptions[win22].options.artifactStreamingProfile.enabled: true: not supported on Windows ` +
				`nodes: remove it (MK742)`,
		},
	},
	{
		"GPU partitions", poolOptions("win22", obj{"gpuInstanceProfile": "MIG1g"}),
		poolOptions("sys", obj{"gpuInstanceProfile": "MIG1g"}),
		[]string{`error: poolOptions[win22].options.gpuInstanceProfile: not supported on Windows nodes: remove it ` +
			`(MK743)`},
	},
	{
		"the configuration of Linux, which counts as set", poolOptions("win22", obj{"linuxOSConfig": tree.Unknown{}}),
		poolOptions("win22", obj{"linuxOSConfig": nil}),
		[]string{`error: poolOptions[win22].options.linuxOSConfig: not supported on Windows nodes: remove it (MK744)`},
	},
	{
		"a message of the day", poolOptions("win22", obj{"messageOfTheDay": tree.Secret{Value: "aGVsbG8="}}),
		poolOptions("sys", obj{"messageOfTheDay": "aGVsbG8="}),
		[]string{`error: poolOptions[win22].options.messageOfTheDay: not supported on Windows nodes: remove it ` +
			`(MK745)`},
	},
	{
		"another runtime", poolOptions("win22", obj{"workloadRuntime": "KataVmIsolation"}),
		poolOptions("win22", obj{"workloadRuntime": "OCIContainer"}),
		[]string{
			`error: poolOptions[win22].options.workloadRuntime: "KataVmIsolation": Windows nodes run only ` +
				`containerd: remove it, or use OCIContainer (MK746)`,
		},
	},
	{
		"settings of the kubelet",
		poolOptions("win22",
			obj{"kubeletConfig": tree.Secret{Value: obj{
				"imageGcHighThreshold": int64(80), "cpuManagerPolicy": "static",
				"podMaxPids": tree.Unknown{},
			}}}),
		poolOptions("win22", obj{"kubeletConfig": obj{
			"imageGcHighThreshold": int64(80), "imageGcLowThreshold": int64(70), "containerLogMaxSizeMB": int64(10),
			"containerLogMaxFiles": int64(3), "failSwapOn": nil,
		}}),
		[]string{
			`error: poolOptions[win22].options.kubeletConfig.cpuManagerPolicy: not supported on Windows nodes: ` +
				`remove it; the supported settings are imageGcHighThreshold, imageGcLowThreshold, ` +
				`containerLogMaxSizeMB, containerLogMaxFiles (MK747)`,
			`error: poolOptions[win22].options.kubeletConfig.podMaxPids: not supported on Windows nodes: remove it; ` +
				`the supported settings are imageGcHighThreshold, imageGcLowThreshold, containerLogMaxSizeMB, ` +
				`containerLogMaxFiles (MK747)`,
		},
	},

	// Sizes.
	{
		"no size", system(func(p *topology.Pool) { p.Size = "" }),
		system(func(p *topology.Pool) { p.Size = "Standard_NEW128" }),
		[]string{
			`error: pools[0].size: Azure needs the size of the nodes: set one, for example Standard_D4s_v5 (MK791)`,
		},
	},
	{
		"one CPU", windows(func(p *topology.Pool) { p.Size = "Standard_DS1_v2" }),
		windows(func(p *topology.Pool) { p.Size = "Standard_DS2_v2" }),
		[]string{
			`error: pools[1].size: "Standard_DS1_v2": it has 1 CPU and 3.5 GiB, and a node needs at least 2 CPUs and ` +
				`2 GiB: use a larger one, for example Standard_D4s_v5 (MK792)`,
		},
	},
	{
		"two CPUs of a system pool", system(func(p *topology.Pool) { p.Size = "Standard_D2s_v5" }),
		windows(func(p *topology.Pool) { p.Size = "Standard_D2s_v5" }),
		[]string{
			`warning: pools[0].size: "Standard_D2s_v5": it has 2 CPUs, and Microsoft requires 4 CPUs for a system ` +
				`pool: use a larger one, for example Standard_D4s_v5 (MK792)`,
		},
	},
	{
		"less than four GiB of a system pool", system(func(p *topology.Pool) { p.Size = "Standard_DS1_v2" }),
		system(func(p *topology.Pool) { p.Size = "Standard_F4s_v2" }),
		[]string{
			`error: pools[0].size: "Standard_DS1_v2": it has 1 CPU and 3.5 GiB, and a node of a system pool needs ` +
				`at least ` +
				`2 CPUs and 4 GiB: use a larger one, for example Standard_D4s_v5 (MK792)`,
		},
	},
	{
		"one GiB", windows(func(p *topology.Pool) { p.Size = "Standard_B2ts_v2" }),
		windows(func(p *topology.Pool) { p.Size = "Standard_B2s" }),
		[]string{
			`error: pools[1].size: "Standard_B2ts_v2": it has 2 CPUs and 1 GiB, and a node needs at least 2 CPUs and ` +
				`2 GiB: use a larger one, for example Standard_D4s_v5 (MK792)`,
		},
	},
	{
		"generation 2 only", windows(func(p *topology.Pool) { p.Size = "Standard_E8ads_v6" }),
		both(platforms(platform.WindowsServer2025, "1.36"),
			windows(func(p *topology.Pool) { p.Size = "Standard_E8ads_v6" })),
		[]string{
			`warning: pools[1].size: "Standard_E8ads_v6": this size supports only generation 2, and AKS creates ` +
				`Windows Server 2022 nodes as generation 1: use a v5 size or older, for example Standard_D4s_v5, or ` +
				`windows-2025 (MK793)`,
		},
	},
	{
		"the newest of generation 2 only", windows(func(p *topology.Pool) { p.Size = "Standard_F4s_v9" }),
		both(windows(func(p *topology.Pool) { p.Size = "Standard_D4ps_v6" }),
			system(func(p *topology.Pool) { p.Size = "Standard_D4s_v6" })),
		[]string{
			`warning: pools[1].size: "Standard_F4s_v9": this size supports only generation 2, and AKS creates ` +
				`Windows Server 2022 nodes as generation 1: use a v5 size or older, for example Standard_D4s_v5, or ` +
				`windows-2025 (MK793)`,
		},
	},
}
