package azure_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/azure"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// example is a cluster with something wrong, all that is said about it, and a
// neighbour of which nothing is said.
type example struct {
	name      string
	bad, fine func(c *azure.Cluster)
	want      []string
}

var examples = []example{
	// Names.
	{
		"a hyphen in a name", windows(func(p *topology.Pool) { p.Name = "w-22" }), windows(func(p *topology.Pool) { p.Name = "w22" }),
		[]string{`error: pools[1].name: "w-22": a pool's name has lower-case letters and digits only, and begins with a letter: write for example w22 (MK701)`},
	},
	{
		"a digit in front", system(func(p *topology.Pool) { p.Name = "1sys" }), system(func(p *topology.Pool) { p.Name = "sys1" }),
		[]string{`error: pools[0].name: "1sys": a pool's name has lower-case letters and digits only, and begins with a letter: write for example sys (MK701)`},
	},
	{
		"seven characters on Windows", windows(func(p *topology.Pool) { p.Name = "windows" }), windows(func(p *topology.Pool) { p.Name = "windo" }),
		[]string{`error: pools[1].name: "windows": 7 characters, and the name of a Windows pool has at most 6: use at most 5, which leaves room for a suffix (MK702)`},
	},
	{
		"thirteen characters on Linux", system(func(p *topology.Pool) { p.Name = "abcdefghijklm" }), system(func(p *topology.Pool) { p.Name = "abcdefghijk" }),
		[]string{`error: pools[0].name: "abcdefghijklm": 13 characters, and a pool's name has at most 12: use at most 11, which leaves room for a suffix (MK702)`},
	},
	{
		"six characters on Windows", windows(func(p *topology.Pool) { p.Name = "window" }), windows(func(p *topology.Pool) { p.Name = "win" }),
		[]string{`warning: pools[1].name: "window": 6 characters leave no room for a suffix, so that a change of its size or platform cannot make a new pool beside the old one: use at most 5 characters (MK703)`},
	},
	{
		"twelve characters on Linux", system(func(p *topology.Pool) { p.Name = "abcdefghijkl" }), system(func(p *topology.Pool) { p.Name = "window" }),
		[]string{`warning: pools[0].name: "abcdefghijkl": 12 characters leave no room for a suffix, so that a change of its size or platform cannot make a new pool beside the old one: use at most 11 characters (MK703)`},
	},
	{
		"two pools that meet in Azure",
		func(c *azure.Cluster) {
			c.Topology.Pools = append(c.Topology.Pools, topology.Pool{Name: "win22d", Platform: platform.WindowsServer2022, Size: "Standard_F8s_v2"})
		},
		func(c *azure.Cluster) {
			c.Topology.Pools = append(c.Topology.Pools, topology.Pool{Name: "win2", Platform: platform.WindowsServer2022, Size: "Standard_F8s_v2"})
		},
		[]string{
			`warning: pools[2].name: "win22d": 6 characters leave no room for a suffix, so that a change of its size or platform cannot make a new pool beside the old one: use at most 5 characters (MK703)`,
			`error: pools[2].name: "win22d": its name in Azure is "win22d", as that of "win22": names have suffixes there: use another name (MK708)`,
		},
	},
	{
		"a cluster with a hyphen in front", func(c *azure.Cluster) { c.Name = "-shop" }, func(c *azure.Cluster) { c.Name = "shop-1_a" },
		[]string{`error: clusterName: "-shop": a cluster's name has 1 to 63 letters, digits, hyphens and underscores, with a letter or digit at both ends: give another one, for example shop (MK709)`},
	},
	{
		"a cluster with a name of 64 characters", func(c *azure.Cluster) { c.Name = strings.Repeat("a", 64) }, func(c *azure.Cluster) { c.Name = strings.Repeat("a", 63) },
		[]string{`error: clusterName: "` + strings.Repeat("a", 64) + `": a cluster's name has 1 to 63 letters, digits, hyphens and underscores, with a letter or digit at both ends: give another one, for example shop (MK709)`},
	},

	// System pools.
	{
		"no system pool", system(func(p *topology.Pool) { p.Mode = topology.User }), system(func(p *topology.Pool) { p.Mode = "system" }),
		[]string{`error: pools: no Linux pool has the mode System, and the first pool that Azure makes must have it: give one Linux pool the mode System (MK704)`},
	},
	{
		"too few pods in a system pool", system(func(p *topology.Pool) { p.MaxPods = 29 }), system(func(p *topology.Pool) { p.MaxPods = 30 }),
		[]string{`error: pools[0].maxPods: 29: a node of a system pool must have room for at least 30 pods: use 30 or more, or leave it out for 250, the default of mode overlay (MK705)`},
	},
	{
		"far too few pods in a system pool are said once", system(func(p *topology.Pool) { p.MaxPods = 9 }), windows(func(p *topology.Pool) { p.MaxPods = 29 }),
		[]string{`error: pools[0].maxPods: 9: a node of a system pool must have room for at least 30 pods: use 30 or more, or leave it out for 250, the default of mode overlay (MK705)`},
	},
	{
		"the B series for a system pool", system(func(p *topology.Pool) { p.Size = "Standard_B4ms" }), windows(func(p *topology.Pool) { p.Size = "Standard_B4ms" }),
		[]string{`error: pools[0].size: "Standard_B4ms": Azure refuses B-series sizes for system pools: use another series, for example Standard_D4s_v5 (MK706)`},
	},
	{
		"a taint on a system pool",
		system(func(p *topology.Pool) {
			p.Taints = []corev1.Taint{{Key: "CriticalAddonsOnly", Value: "true", Effect: "NoSchedule"}, {Key: "CriticalAddonsOnly", Value: "true", Effect: "NoExecute"}}
		}),
		system(func(p *topology.Pool) {
			p.Taints = []corev1.Taint{{Key: "CriticalAddonsOnly", Value: "true", Effect: "NoSchedule"}, {Key: "os", Effect: "PreferNoSchedule"}, {Key: "os", Effect: "Never"}}
		}),
		[]string{`error: pools[0].taints[1]: "CriticalAddonsOnly=true:NoExecute": a system pool cannot have this taint: use CriticalAddonsOnly=true:NoSchedule or the effect PreferNoSchedule, or move the taint to a pool of mode User (MK707)`},
	},

	// Versions and osSKU.
	{
		"no version", func(c *azure.Cluster) { c.Topology.KubernetesVersion = "" }, func(c *azure.Cluster) { c.Topology.KubernetesVersion = "latest" },
		[]string{`error: kubernetesVersion: Azure's default changes with time: say which version, for example "1.36" (MK710)`},
	},
	{
		"no version, and platforms that are together in an old one only",
		func(c *azure.Cluster) {
			platforms(platform.WindowsServer2025, "")(c)
			c.Topology.Pools = append(c.Topology.Pools, topology.Pool{Name: "win19", Platform: platform.WindowsServer2019, Size: "Standard_D4s_v5"})
		},
		nil,
		[]string{
			`error: kubernetesVersion: Azure's default changes with time: say which version, for example "1.32" (MK710)`,
			`warning: pools[2].platform: "windows-2019": Azure refuses new Windows2019 pools since 2026-03-01: use windows-2022 or windows-2025 for a new pool; an existing one keeps working until its node images are removed on 2027-04-01 (MK713)`,
		},
	},
	{
		"a newer version", platforms(platform.WindowsServer2025, "1.38.1"), platforms(platform.WindowsServer2025, "v1.37.2"),
		[]string{`warning: kubernetesVersion: "1.38.1": newer than what this library knows of AKS (1.32 to 1.37): make sure that Azure has it; what is said about versions may be incomplete (MK711)`},
	},
	{
		"another major version", platforms(platform.WindowsServer2025, "2.0"), platforms(platform.WindowsServer2025, "1.32"),
		[]string{`warning: kubernetesVersion: "2.0": newer than what this library knows of AKS (1.32 to 1.37): make sure that Azure has it; what is said about versions may be incomplete (MK711)`},
	},
	{
		"an older version", platforms(platform.WindowsServer2022, "1.31"), platforms(platform.WindowsServer2022, "1.32.0"),
		[]string{`warning: kubernetesVersion: "1.31": older than what this library knows of AKS (1.32 to 1.37): use a version that Azure supports (MK711)`},
	},
	{
		"an older version of a pool",
		func(c *azure.Cluster) {
			c.Topology.KubernetesVersion = "1.34"
			c.Topology.Pools[1].KubernetesVersion = "1.31"
		},
		func(c *azure.Cluster) {
			c.Topology.KubernetesVersion = "1.35"
			c.Topology.Pools[1].KubernetesVersion = "1.32"
		},
		[]string{`warning: pools[1].kubernetesVersion: "1.31": older than what this library knows of AKS (1.32 to 1.37): use a version that Azure supports (MK711)`},
	},
	{
		"a newer version is reported once, at the cluster",
		func(c *azure.Cluster) {
			platforms(platform.WindowsServer2025, "1.39")(c)
			c.Topology.Pools[1].KubernetesVersion = "1.38"
		},
		platforms(platform.WindowsServer2025, "1.37"),
		[]string{`warning: kubernetesVersion: "1.39": newer than what this library knows of AKS (1.32 to 1.37): make sure that Azure has it; what is said about versions may be incomplete (MK711)`},
	},
	{
		"Windows Server 2019 from 1.33 on", platforms(platform.WindowsServer2019, "1.33"), platforms(platform.WindowsServer2022, "1.33"),
		[]string{`error: pools[1].platform: "windows-2019": AKS has no Windows2019 nodes for Kubernetes 1.33, 1.32 is the last with them: use windows-2022 or windows-2025 (MK712)`},
	},
	{
		"Windows Server 2022 from 1.37 on", platforms(platform.WindowsServer2022, "1.37"), platforms(platform.WindowsServer2022, "1.36"),
		[]string{`error: pools[1].platform: "windows-2022": AKS has no Windows2022 nodes for Kubernetes 1.37, 1.36 is the last with them: use windows-2025 (MK712)`},
	},
	{
		"a pool's own version counts",
		both(platforms(platform.WindowsServer2025, "1.34"), windows(func(p *topology.Pool) { p.KubernetesVersion = "1.31.4" })),
		both(platforms(platform.WindowsServer2022, "1.37"), windows(func(p *topology.Pool) { p.KubernetesVersion = "1.36" })),
		[]string{
			`warning: pools[1].kubernetesVersion: "1.31.4": older than what this library knows of AKS (1.32 to 1.37): use a version that Azure supports (MK711)`,
			`error: pools[1].platform: "windows-2025": AKS has no Windows2025 nodes for Kubernetes 1.31, 1.32 is the first with them: use Kubernetes 1.32 or newer, or windows-2022 (MK712)`,
		},
	},
	{
		"Windows Server 2022 before 1.23", platforms(platform.WindowsServer2022, "1.22"), nil,
		[]string{
			`warning: kubernetesVersion: "1.22": older than what this library knows of AKS (1.32 to 1.37): use a version that Azure supports (MK711)`,
			`error: pools[1].platform: "windows-2022": AKS has no Windows2022 nodes for Kubernetes 1.22, 1.23 is the first with them: use Kubernetes 1.23 or newer (MK712)`,
		},
	},
	{
		"Windows Server 2019", platforms(platform.WindowsServer2019, "1.32"), platforms(platform.WindowsServer2022, "1.32"),
		[]string{`warning: pools[1].platform: "windows-2019": Azure refuses new Windows2019 pools since 2026-03-01: use windows-2022 or windows-2025 for a new pool; an existing one keeps working until its node images are removed on 2027-04-01 (MK713)`},
	},
	{
		"the annual channel", poolOptions("win22", obj{"osSKU": "WindowsAnnual"}), poolOptions("win22", obj{"osSKU": "Windows2022"}),
		[]string{`warning: poolOptions[win22].options.osSKU: "WindowsAnnual": Azure refuses new WindowsAnnual pools since 2026-05-15: use windows-2022 or windows-2025 for a new pool; an existing one keeps working until its node images are removed on 2027-05-15 (MK713)`},
	},
	{
		"Windows Server 2025 without FIPS",
		both(platforms(platform.WindowsServer2025, "1.36"), windows(func(p *topology.Pool) { p.FIPS = false })), platforms(platform.WindowsServer2025, "1.36"),
		[]string{`error: pools[1].fips: false: AKS makes Windows2025 nodes with FIPS only: set it to true (MK714)`},
	},
	{
		"the osSKU of another release", poolOptions("win22", obj{"osSKU": "Windows2025"}), poolOptions("win22", obj{"osSKU": tree.Unknown{}}),
		[]string{`error: poolOptions[win22].options.osSKU: "Windows2025": the platform of the pool is windows-2022: remove it, as the platform makes it Windows2022, or change the platform (MK716)`},
	},
	{
		"a Linux distribution on Windows", poolOptions("win22", obj{"osSKU": "AzureLinux"}), poolOptions("sys", obj{"osSKU": "AzureLinux"}),
		[]string{`error: poolOptions[win22].options.osSKU: "AzureLinux": the platform of the pool is windows-2022: remove it, as the platform makes it Windows2022, or change the platform (MK716)`},
	},
	{
		"an osSKU of Windows on Linux", poolOptions("sys", obj{"osSKU": "Windows2022"}), poolOptions("sys", obj{"osSKU": "Ubuntu"}),
		[]string{`error: poolOptions[sys].options.osSKU: "Windows2022": the platform of the pool is linux: use a Linux distribution, or change the platform (MK716)`},
	},
	{
		"the annual channel on Linux", poolOptions("sys", obj{"osSKU": "WindowsAnnual"}), poolOptions("sys", obj{"osSKU": tree.Secret{Value: "WindowsAnnual"}}),
		[]string{`error: poolOptions[sys].options.osSKU: "WindowsAnnual": the platform of the pool is linux: use a Linux distribution, or change the platform (MK716)`},
	},
	{
		"a misspelled osSKU", poolOptions("sys", obj{"osSKU": "Ubunto"}), poolOptions("sys", obj{"osSKU": "Ubuntu2204"}),
		[]string{`warning: poolOptions[sys].options.osSKU: "Ubunto": an osSKU that this library does not know: did you mean "Ubuntu"? (MK717)`},
	},
	{
		"a newer osSKU", poolOptions("win22", obj{"osSKU": "NanoContainerHost"}), poolOptions("win22", obj{"osSKU": nil}),
		[]string{`warning: poolOptions[win22].options.osSKU: "NanoContainerHost": an osSKU that this library does not know: make sure that Azure has it (MK717)`},
	},

	// The network.
	{
		"a mode that there is not", network(azure.Network{Mode: "kubenet"}), network(azure.Network{}),
		[]string{`error: network.mode: "kubenet": not a network mode that Windows nodes can be in: use overlay, pod-subnet or node-subnet (MK721)`},
	},
	{
		"a misspelled mode", network(azure.Network{Mode: "nodesubnet"}), network(azure.Network{Mode: azure.NodeSubnet}),
		[]string{`error: network.mode: "nodesubnet": not a network mode that Windows nodes can be in: did you mean "node-subnet"? use overlay, pod-subnet or node-subnet (MK721)`},
	},
	{
		"kubenet", options(obj{"networkProfile": obj{"networkPlugin": "kubenet"}}), options(obj{"networkProfile": obj{"networkPlugin": "azure"}}),
		[]string{`error: options.networkProfile.networkPlugin: "kubenet": Windows nodes need Azure CNI, and pools[1] is a Windows pool: remove it, so that it is azure (MK722)`},
	},
	{
		"no plugin, and no Windows pools", both(linuxOnly, options(obj{"networkProfile": obj{"networkPlugin": "none"}})),
		both(linuxOnly, options(obj{"networkProfile": tree.Unknown{}})),
		[]string{`warning: options.networkProfile.networkPlugin: "none": Windows nodes need Azure CNI, so that the cluster can never have any: remove it, so that it is azure (MK722)`},
	},
	{
		"the Cilium dataplane", options(obj{"networkProfile": obj{"networkDataplane": "cilium"}}), options(obj{"networkProfile": obj{"networkDataplane": "azure"}}),
		[]string{`error: options.networkProfile.networkDataplane: "cilium": Cilium has no Windows nodes, and pools[1] is a Windows pool: remove it, so that it is azure (MK723)`},
	},
	{
		"the Cilium dataplane without Windows pools", both(linuxOnly, options(obj{"networkProfile": obj{"networkDataplane": "cilium"}})),
		options(obj{"networkProfile": obj{"networkDataplane": tree.Secret{Value: "cilium"}}}),
		[]string{`warning: options.networkProfile.networkDataplane: "cilium": Cilium has no Windows nodes, so that the cluster can never have any: remove it, so that it is azure (MK723)`},
	},
	{
		"Azure's network policies", network(azure.Network{Policy: azure.AzurePolicy}), both(linuxOnly, network(azure.Network{Policy: azure.AzurePolicy})),
		[]string{`warning: network.policy: "azure": Microsoft has not supported it on Windows nodes since 2026-09-30, and pools[1] is a Windows pool: use calico or none (MK724)`},
	},
	{
		"Cilium's network policies", network(azure.Network{Policy: azure.CiliumPolicy}), both(linuxOnly, network(azure.Network{Policy: azure.CiliumPolicy})),
		[]string{`error: network.policy: "cilium": does not run on Windows nodes, and pools[1] is a Windows pool: use calico or none (MK724)`},
	},
	{
		"a misspelled policy", network(azure.Network{Policy: "Calico"}), network(azure.Network{Policy: "calico"}),
		[]string{`error: network.policy: "Calico": not a network policy engine that this library knows: did you mean "calico"? use none or calico (MK725)`},
	},
	{
		"a newer policy", network(azure.Network{Policy: "antrea"}), network(azure.Network{Policy: azure.NoPolicy}),
		[]string{`warning: network.policy: "antrea": not a network policy engine that this library knows: make sure that Azure does, or use none or calico (MK725)`},
	},
	{
		"a misspelled policy without Windows pools", both(linuxOnly, network(azure.Network{Policy: "cillium"})), both(linuxOnly, network(azure.Network{Policy: "cilium"})),
		[]string{`error: network.policy: "cillium": not a network policy engine that this library knows: did you mean "cilium"? use none, calico, azure or cilium (MK725)`},
	},
	{
		"a misspelled outbound type", network(azure.Network{OutboundType: "managedNatGatewy"}), network(azure.Network{OutboundType: azure.ManagedNATGateway}),
		[]string{`error: network.outboundType: "managedNatGatewy": not an outbound type that this library knows: did you mean "managedNATGateway"? use loadBalancer, managedNATGateway, userAssignedNATGateway or userDefinedRouting (MK725)`},
	},
	{
		"an outbound type of previews", network(azure.Network{OutboundType: "managedNATGatewayV2"}), both(linuxOnly, network(azure.Network{OutboundType: azure.ManagedNATGateway})),
		[]string{`warning: network.outboundType: "managedNATGatewayV2": some preview versions of Azure's API have it, and no other: use managedNATGateway (MK725)`},
	},
	{
		"a newer outbound type", network(azure.Network{OutboundType: "satellite"}), network(azure.Network{OutboundType: azure.UserDefinedRouting}),
		[]string{`warning: network.outboundType: "satellite": not an outbound type that this library knows: make sure that Azure does, or use loadBalancer, managedNATGateway, userAssignedNATGateway or userDefinedRouting (MK725)`},
	},
	{
		"pod-subnet without subnets", network(azure.Network{Mode: azure.PodSubnet}), network(azure.Network{Mode: azure.PodSubnet, NodeSubnet: true, PodSubnet: true}),
		[]string{
			`error: network.nodeSubnetID: mode pod-subnet needs it: give the ID of a subnet (MK726)`,
			`error: network.podSubnetID: mode pod-subnet needs it: give the ID of a subnet (MK726)`,
		},
	},
	{
		"pod-subnet without subnets and pools",
		func(c *azure.Cluster) {
			c.Network = azure.Network{Mode: azure.PodSubnet, NodeSubnet: true}
			c.Topology.Pools = nil
		},
		nil,
		[]string{
			`error: network.podSubnetID: mode pod-subnet needs it: give the ID of a subnet (MK726)`,
			`error: pools: no Linux pool has the mode System, and the first pool that Azure makes must have it: give one Linux pool the mode System (MK704)`,
		},
	},
	{
		"pod-subnet without the subnets of several pools",
		func(c *azure.Cluster) {
			c.Network = azure.Network{Mode: azure.PodSubnet, NodeSubnet: true}
			c.Topology.Pools = append(c.Topology.Pools, topology.Pool{Name: "linux", Platform: platform.Linux, Size: "Standard_D4s_v5"})
			c.PoolOptions["win22"] = azure.PoolOptions{PodSubnet: true}
		},
		nil,
		[]string{`error: network.podSubnetID: mode pod-subnet needs it, as pools[0] and pools[2] have none of their own: give the ID of a subnet (MK726)`},
	},
	{
		"pod-subnet with the subnets of some pools",
		func(c *azure.Cluster) {
			c.Network = azure.Network{Mode: azure.PodSubnet, NodeSubnet: true}
			c.PoolOptions["win22"] = azure.PoolOptions{PodSubnet: true}
		},
		func(c *azure.Cluster) {
			c.Network = azure.Network{Mode: azure.PodSubnet}
			c.PoolOptions["win22"] = azure.PoolOptions{PodSubnet: true, NodeSubnet: true}
			c.PoolOptions["sys"] = azure.PoolOptions{PodSubnet: true, NodeSubnet: true}
		},
		[]string{`error: network.podSubnetID: mode pod-subnet needs it, as pools[0] has none of its own: give the ID of a subnet (MK726)`},
	},
	{
		"pod subnets in another mode",
		func(c *azure.Cluster) {
			c.Network = azure.Network{Mode: azure.NodeSubnet, NodeSubnet: true, PodSubnet: true}
			c.PoolOptions["win22"] = azure.PoolOptions{PodSubnet: true, NodeSubnet: true}
		},
		func(c *azure.Cluster) {
			c.Network = azure.Network{Mode: azure.Overlay, NodeSubnet: true}
			c.PoolOptions["win22"] = azure.PoolOptions{NodeSubnet: true}
		},
		[]string{
			`error: network.podSubnetID: in mode node-subnet pods have no subnet of their own: remove it, or use the mode pod-subnet (MK727)`,
			`error: poolOptions[win22].podSubnetID: in mode node-subnet pods have no subnet of their own: remove it, or use the mode pod-subnet (MK727)`,
		},
	},
	{
		"disableOutboundNAT before 1.26",
		func(c *azure.Cluster) {
			platforms(platform.WindowsServer2022, "1.25")(c)
			c.Network.OutboundType = azure.ManagedNATGateway
			c.Topology.Pools[1].DisableOutboundNAT = true
		},
		func(c *azure.Cluster) {
			c.Network.OutboundType = azure.UserDefinedRouting
			c.Topology.Pools[1].DisableOutboundNAT = true
		},
		[]string{
			`warning: kubernetesVersion: "1.25": older than what this library knows of AKS (1.32 to 1.37): use a version that Azure supports (MK711)`,
			`error: pools[1].disableOutboundNAT: true: Kubernetes 1.25 does not have it, 1.26 is the first with it: use Kubernetes 1.26 or newer, or remove it (MK728)`,
		},
	},
	{
		"disableOutboundNAT from 1.26 on",
		func(c *azure.Cluster) {
			platforms(platform.WindowsServer2022, "1.26")(c)
			c.Network.OutboundType = azure.ManagedNATGateway
			c.Topology.Pools[1].DisableOutboundNAT = true
		},
		nil,
		[]string{`warning: kubernetesVersion: "1.26": older than what this library knows of AKS (1.32 to 1.37): use a version that Azure supports (MK711)`},
	},
	{
		"disableOutboundNAT with the default outbound type",
		func(c *azure.Cluster) {
			c.Network.OutboundType = ""
			c.Topology.Pools[1].DisableOutboundNAT = true
		},
		both(windows(func(p *topology.Pool) { p.DisableOutboundNAT = true }), network(azure.Network{OutboundType: "managedNATGateway"})),
		[]string{`error: pools[1].disableOutboundNAT: true: the outbound type of the cluster is loadBalancer, which needs the nodes' translation: use the outbound type managedNATGateway, userAssignedNATGateway or userDefinedRouting, or remove it (MK729)`},
	},

	// Nodes.
	{
		"too few pods", both(windows(func(p *topology.Pool) { p.MaxPods = 9 }), network(azure.Network{Mode: azure.NodeSubnet})), windows(func(p *topology.Pool) { p.MaxPods = 10 }),
		[]string{`error: pools[1].maxPods: 9: a node has room for 10 to 250 pods: use a number in between, or leave it out for 30, the default of mode node-subnet (MK731)`},
	},
	{
		"too many pods", both(system(func(p *topology.Pool) { p.MaxPods = 251 }), network(azure.Network{Mode: azure.PodSubnet, NodeSubnet: true, PodSubnet: true})),
		system(func(p *topology.Pool) { p.MaxPods = 250 }),
		[]string{`error: pools[0].maxPods: 251: a node has room for 10 to 250 pods: use a number in between, or leave it out for 110, the default of mode pod-subnet (MK731)`},
	},
	{
		"too many nodes", windows(func(p *topology.Pool) { p.Count = 1001 }), windows(func(p *topology.Pool) { p.Count = 1000 }),
		[]string{`error: pools[1].count: 1001: a user pool has 0 to 1000 nodes: use at most 1000, and several pools for more (MK732)`},
	},
	{
		"too many nodes leave nothing to say of upgrades", windows(func(p *topology.Pool) { p.Count, p.Upgrade.MaxSurge = 1001, "1" }), nil,
		[]string{`error: pools[1].count: 1001: a user pool has 0 to 1000 nodes: use at most 1000, and several pools for more (MK732)`},
	},
	{
		"a system pool without nodes", system(func(p *topology.Pool) { p.Count = topology.NoNodes }), windows(func(p *topology.Pool) { p.Count = topology.NoNodes }),
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
			`error: pools[1].autoscaling.max: 2000: a user pool has 0 to 1000 nodes: use at most 1000, and several pools for more (MK732)`,
			`error: pools[1].autoscaling.min: 1001: a user pool has 0 to 1000 nodes: use at most 1000, and several pools for more (MK732)`,
		},
	},
	{
		"no room for an upgrade", windows(func(p *topology.Pool) { p.Count, p.Upgrade.MaxSurge = 752, "33%" }), windows(func(p *topology.Pool) { p.Count, p.Upgrade.MaxSurge = 751, "33%" }),
		[]string{`error: pools[1].upgrade.maxSurge: "33%": up to 752 nodes and 249 more in an upgrade are 1001, and Azure takes at most 1000: use at most 248, or fewer nodes (MK733)`},
	},
	{
		"no room for an upgrade of the largest size",
		windows(func(p *topology.Pool) {
			p.Count, p.Autoscaling, p.Upgrade.MaxSurge = 5, topology.Autoscaling{Min: 1, Max: 1000}, "1"
		}),
		windows(func(p *topology.Pool) {
			p.Count, p.Autoscaling, p.Upgrade.MaxSurge = 5, topology.Autoscaling{Min: 1, Max: 999}, "1"
		}),
		[]string{`error: pools[1].upgrade.maxSurge: "1": up to 1000 nodes and 1 more in an upgrade are 1001, and Azure takes at most 1000: use fewer than 1000 nodes (MK733)`},
	},
	{
		"maxUnavailable on a system pool", system(func(p *topology.Pool) { p.Upgrade.MaxUnavailable = "5%" }), system(func(p *topology.Pool) { p.Upgrade.MaxUnavailable = "0%" }),
		[]string{`error: pools[0].upgrade.maxUnavailable: "5%": a system pool cannot do without nodes in an upgrade: remove it, and use maxSurge (MK734)`},
	},
	{
		"no surge", windows(func(p *topology.Pool) { p.Upgrade.MaxSurge = "0" }), windows(func(p *topology.Pool) { p.Upgrade.MaxSurge, p.Upgrade.MaxUnavailable = "0", "1" }),
		[]string{`error: pools[1].upgrade.maxSurge: "0": maxUnavailable is 0 by default, and then no node can be replaced: use at least 1, or give maxUnavailable (MK735)`},
	},
	{
		"no surge of a system pool", system(func(p *topology.Pool) { p.Upgrade.MaxSurge = "0%" }), system(func(p *topology.Pool) { p.Upgrade.MaxSurge = "1%" }),
		[]string{`error: pools[0].upgrade.maxSurge: "0%": maxUnavailable is always 0 in a system pool, and then no node can be replaced: use at least 1 (MK735)`},
	},
	{
		"no surge of a system pool that has maxUnavailable", system(func(p *topology.Pool) { p.Upgrade = topology.Upgrade{MaxSurge: "0", MaxUnavailable: "1"} }),
		windows(func(p *topology.Pool) { p.Upgrade = topology.Upgrade{MaxSurge: "0", MaxUnavailable: "1"} }),
		[]string{
			`error: pools[0].upgrade.maxSurge: "0": maxUnavailable is always 0 in a system pool, and then no node can be replaced: use at least 1 (MK735)`,
			`error: pools[0].upgrade.maxUnavailable: "1": a system pool cannot do without nodes in an upgrade: remove it, and use maxSurge (MK734)`,
		},
	},
	{
		"digits only", windows(func(p *topology.Pool) { p.Name = "2022" }), nil,
		[]string{`error: pools[1].name: "2022": a pool's name has lower-case letters and digits only, and begins with a letter: write for example pool (MK701)`},
	},
	{
		"Azure's labels", windows(func(p *topology.Pool) {
			p.Labels = map[string]string{"kubernetes.azure.com/team": "shop", "kubernetes.io/team": "shop"}
		}),
		windows(func(p *topology.Pool) {
			p.Labels = map[string]string{"my.kubernetes.azure.com/team": "shop", "kubernetes.azure.com": "shop"}
		}),
		[]string{`error: pools[1].labels[kubernetes.azure.com/team]: Azure keeps kubernetes.azure.com/ for its own labels: use a domain of your own (MK736)`},
	},
	{
		"a price with six decimals", windows(func(p *topology.Pool) { p.Spot, p.SpotMaxPrice = true, 0.123456 }), windows(func(p *topology.Pool) { p.Spot, p.SpotMaxPrice = true, 0.12345 }),
		[]string{`error: pools[1].spotMaxPrice: 0.123456: 6 decimals, and Azure takes at most 5: round it (MK737)`},
	},

	// Not on Windows.
	{
		"trusted launch", poolOptions("win22", obj{"securityProfile": obj{"enableSecureBoot": true, "enableVTPM": true}}),
		poolOptions("win22", obj{"securityProfile": obj{"enableSecureBoot": false, "enableVTPM": tree.Unknown{}}}),
		[]string{
			`error: poolOptions[win22].options.securityProfile.enableSecureBoot: true: not on Windows nodes: remove it (MK741)`,
			`error: poolOptions[win22].options.securityProfile.enableVTPM: true: not on Windows nodes: remove it (MK741)`,
		},
	},
	{
		"artifact streaming", poolOptions("win22", obj{"artifactStreamingProfile": obj{"enabled": true}}), poolOptions("sys", obj{"artifactStreamingProfile": obj{"enabled": true}}),
		[]string{`error: poolOptions[win22].options.artifactStreamingProfile.enabled: true: not on Windows nodes: remove it (MK742)`},
	},
	{
		"parts of a GPU", poolOptions("win22", obj{"gpuInstanceProfile": "MIG1g"}), poolOptions("sys", obj{"gpuInstanceProfile": "MIG1g"}),
		[]string{`error: poolOptions[win22].options.gpuInstanceProfile: not on Windows nodes: remove it (MK743)`},
	},
	{
		"the configuration of Linux, which counts as set", poolOptions("win22", obj{"linuxOSConfig": tree.Unknown{}}), poolOptions("win22", obj{"linuxOSConfig": nil}),
		[]string{`error: poolOptions[win22].options.linuxOSConfig: not on Windows nodes: remove it (MK744)`},
	},
	{
		"a message of the day", poolOptions("win22", obj{"messageOfTheDay": tree.Secret{Value: "aGVsbG8="}}), poolOptions("sys", obj{"messageOfTheDay": "aGVsbG8="}),
		[]string{`error: poolOptions[win22].options.messageOfTheDay: not on Windows nodes: remove it (MK745)`},
	},
	{
		"another runtime", poolOptions("win22", obj{"workloadRuntime": "KataVmIsolation"}), poolOptions("win22", obj{"workloadRuntime": "OCIContainer"}),
		[]string{`error: poolOptions[win22].options.workloadRuntime: "KataVmIsolation": Windows nodes run containerd and nothing else: remove it, or use OCIContainer (MK746)`},
	},
	{
		"settings of the kubelet",
		poolOptions("win22", obj{"kubeletConfig": tree.Secret{Value: obj{"imageGcHighThreshold": int64(80), "cpuManagerPolicy": "static", "podMaxPids": tree.Unknown{}}}}),
		poolOptions("win22", obj{"kubeletConfig": obj{
			"imageGcHighThreshold": int64(80), "imageGcLowThreshold": int64(70), "containerLogMaxSizeMB": int64(10), "containerLogMaxFiles": int64(3), "failSwapOn": nil,
		}}),
		[]string{
			`error: poolOptions[win22].options.kubeletConfig.cpuManagerPolicy: not on Windows nodes: remove it; there are imageGcHighThreshold, imageGcLowThreshold, containerLogMaxSizeMB, containerLogMaxFiles (MK747)`,
			`error: poolOptions[win22].options.kubeletConfig.podMaxPids: not on Windows nodes: remove it; there are imageGcHighThreshold, imageGcLowThreshold, containerLogMaxSizeMB, containerLogMaxFiles (MK747)`,
		},
	},

	// The administrator.
	{
		"a long username", func(c *azure.Cluster) { c.WindowsAdmin.Username = "abcdefghijklmnopqrstu" }, func(c *azure.Cluster) { c.WindowsAdmin.Username = "abcdefghijklmnopqrst" },
		[]string{`error: windowsAdmin.username: "abcdefghijklmnopqrstu": 21 characters, and the name of a Windows account has at most 20: use a shorter one (MK751)`},
	},
	{
		"a period at the end", func(c *azure.Cluster) { c.WindowsAdmin.Username = "shop." }, func(c *azure.Cluster) { c.WindowsAdmin.Username = "shop.a" },
		[]string{`error: windowsAdmin.username: "shop.": the name of a Windows account does not end in a period: remove it (MK751)`},
	},
	{
		"a refused username", func(c *azure.Cluster) { c.WindowsAdmin.Username = "Administrator" }, func(c *azure.Cluster) { c.WindowsAdmin.Username = "" },
		[]string{`error: windowsAdmin.username: "Administrator": Azure refuses this name: use one that is less common, for example azureuser (MK752)`},
	},
	{
		"no password, and no Windows pools", both(linuxOnly, func(c *azure.Cluster) { c.WindowsAdmin.Password = nil }), func(c *azure.Cluster) { c.WindowsAdmin.Password = tree.Secret{Value: tree.Unknown{}} },
		[]string{`error: windowsAdmin.password: needed when the cluster is created, even without Windows pools: without it the cluster could never get one: give one, as a secret (MK753)`},
	},
	{
		"a short password", password("Abcdefghijkl1"), password("Abcdefghijklm1"),
		[]string{`error: windowsAdmin.password: [secret]: it must have 14 to 123 characters: use another (MK754)`},
	},
	{
		"a long password", password("A1" + strings.Repeat("b", 122)), password("A1" + strings.Repeat("b", 121)),
		[]string{`error: windowsAdmin.password: [secret]: it must have 14 to 123 characters: use another (MK754)`},
	},
	{
		"two kinds of characters", password("abcdefghijklmn1"), password("abcdefghijklmn1_"),
		[]string{`error: windowsAdmin.password: [secret]: it must have three of lower-case letters, upper-case letters, digits and special characters: use another (MK755)`},
	},
	{
		"a refused password", password("P@$$w0rd"), password("P@$$w0rd-and-more"),
		[]string{
			`error: windowsAdmin.password: [secret]: it must have 14 to 123 characters: use another (MK754)`,
			`error: windowsAdmin.password: [secret]: Azure refuses passwords that everybody would try first: use another (MK756)`,
		},
	},
	{
		"a misspelled licence", func(c *azure.Cluster) { c.WindowsAdmin.LicenseType = "WindowsServer" }, func(c *azure.Cluster) { c.WindowsAdmin.LicenseType = "Windows_Server" },
		[]string{`error: windowsAdmin.licenseType: "WindowsServer": not a licence type that this library knows: did you mean "Windows_Server"? use None or Windows_Server (MK757)`},
	},
	{
		"a newer licence", func(c *azure.Cluster) { c.WindowsAdmin.LicenseType = "Academic" }, func(c *azure.Cluster) { c.WindowsAdmin.LicenseType = "None" },
		[]string{`warning: windowsAdmin.licenseType: "Academic": not a licence type that this library knows: make sure that Azure does, or use None or Windows_Server (MK757)`},
	},
	{
		"a DNS server alone", gmsa(azure.GMSA{Enabled: true, DNSServer: "10.0.0.4"}), gmsa(azure.GMSA{Enabled: true}),
		[]string{`error: windowsAdmin.gmsa.rootDomainName: missing beside dnsServer: give both, or neither where the virtual network's own DNS server serves the domain (MK758)`},
	},
	{
		"a root domain alone", gmsa(azure.GMSA{Enabled: true, RootDomainName: "contoso.com"}), gmsa(azure.GMSA{Enabled: true, DNSServer: "10.0.0.4", RootDomainName: "contoso.com"}),
		[]string{`error: windowsAdmin.gmsa.dnsServer: missing beside rootDomainName: give both, or neither where the virtual network's own DNS server serves the domain (MK758)`},
	},
	{
		"no address of a DNS server", gmsa(azure.GMSA{Enabled: true, DNSServer: "dns; rm", RootDomainName: "contoso.com"}),
		gmsa(azure.GMSA{Enabled: true, DNSServer: "10.0.0.4", RootDomainName: "Contoso.com"}),
		[]string{`error: windowsAdmin.gmsa.dnsServer: "dns; rm": not an IP address: write for example 10.0.0.4 (MK750)`},
	},
	{
		"no name of a domain", gmsa(azure.GMSA{Enabled: true, DNSServer: "fd00::4", RootDomainName: "$(reboot)"}), nil,
		[]string{`error: windowsAdmin.gmsa.rootDomainName: "$(reboot)": not the DNS name of a domain: write for example contoso.com (MK750)`},
	},
	{
		"a domain without gMSA", gmsa(azure.GMSA{DNSServer: "10.0.0.4", RootDomainName: "contoso.com"}), gmsa(azure.GMSA{}),
		[]string{`error: windowsAdmin.gmsa.enabled: false: a domain is given, which has no effect so: set it to true, or remove the domain (MK759)`},
	},

	// The API server.
	{
		"ranges of a private API server",
		func(c *azure.Cluster) {
			c.APIServer = azure.APIServer{Private: true, AuthorizedIPRanges: []string{"203.0.113.0/24"}}
		},
		func(c *azure.Cluster) { c.APIServer = azure.APIServer{Private: true} },
		[]string{`error: apiServer.authorizedIPRanges: a private API server has no public address to protect: remove them, or private (MK761)`},
	},
	{
		"ranges that are none",
		func(c *azure.Cluster) {
			c.APIServer.AuthorizedIPRanges = []string{"203.0.113.0/33", "203.0.113.7", "office", "fe80::1%eth0", ""}
		},
		func(c *azure.Cluster) {
			c.APIServer.AuthorizedIPRanges = []string{"203.0.113.0/24", "203.0.113.7", "0.0.0.0/32"}
		},
		[]string{
			`error: apiServer.authorizedIPRanges[0]: "203.0.113.0/33": neither an IP address nor a CIDR: write 203.0.113.7 or 203.0.113.0/24 (MK762)`,
			`error: apiServer.authorizedIPRanges[2]: "office": neither an IP address nor a CIDR: write 203.0.113.7 or 203.0.113.0/24 (MK762)`,
			`error: apiServer.authorizedIPRanges[3]: "fe80::1%eth0": neither an IP address nor a CIDR: write 203.0.113.7 or 203.0.113.0/24 (MK762)`,
			`error: apiServer.authorizedIPRanges[4]: "": neither an IP address nor a CIDR: write 203.0.113.7 or 203.0.113.0/24 (MK762)`,
		},
	},
	{
		"no accounts", func(c *azure.Cluster) { c.APIServer.DisableLocalAccounts = true },
		both(func(c *azure.Cluster) { c.APIServer.DisableLocalAccounts = true }, options(obj{"aadProfile": tree.Unknown{}})),
		[]string{`error: apiServer.disableLocalAccounts: true: without local accounts nobody can log in but through Microsoft Entra ID: give options.aadProfile, or remove it (MK763)`},
	},

	// Options.
	{
		"options that the arguments decide on", options(obj{
			"agentPoolProfiles": []any{}, "windowsProfile": obj{"adminUsername": "me", "adminPassword": tree.Secret{Value: "hush"}, "licenseType": "None", "gmsaProfile": obj{}}, "kubernetesVersion": "1.36", "resourceGroupName": tree.Unknown{}, "resourceName": "shop",
			"location": "westeurope", "tags": obj{}, "identity": obj{}, "disableLocalAccounts": false,
			"apiServerAccessProfile": obj{"authorizedIPRanges": []any{}, "enablePrivateCluster": tree.Unknown{}, "privateDNSZone": "none", "disableRunCommand": true},
			// Also where they say the same.
			"networkProfile": obj{"networkPluginMode": "overlay", "networkPolicy": "calico", "outboundType": tree.Unknown{}, "serviceCidr": "10.2.0.0/16"},
		}),
		options(obj{"networkProfile": obj{"natGatewayProfile": obj{"idleTimeoutInMinutes": 4}, "podCidr": "10.3.0.0/16", "networkPlugin": "azure"}, "dnsPrefix": "shop", "windowsProfile": obj{"enableCSIProxy": false}, "apiServerAccessProfile": tree.Unknown{}, "tags": nil, "identity": tree.Secret{}}),
		[]string{
			`error: options.agentPoolProfiles: the component decides on it: give pools instead (MK771)`,
			`error: options.apiServerAccessProfile.authorizedIPRanges: the component decides on it: give apiServer.authorizedIPRanges instead (MK771)`,
			`error: options.apiServerAccessProfile.enablePrivateCluster: the component decides on it: give apiServer.private instead (MK771)`,
			`error: options.apiServerAccessProfile.privateDNSZone: the component decides on it: give apiServer.privateDNSZone instead (MK771)`,
			`error: options.disableLocalAccounts: the component decides on it: give apiServer.disableLocalAccounts instead (MK771)`,
			`error: options.identity: the component decides on it: give identity instead (MK771)`,
			`error: options.kubernetesVersion: the component decides on it: give kubernetesVersion instead (MK771)`,
			`error: options.location: the component decides on it: give location instead (MK771)`,
			`error: options.networkProfile.networkPluginMode: the component decides on it: give network.mode instead (MK771)`,
			`error: options.networkProfile.networkPolicy: the component decides on it: give network.policy instead (MK771)`,
			`error: options.networkProfile.outboundType: the component decides on it: give network.outboundType instead (MK771)`,
			`error: options.resourceGroupName: the component decides on it: give resourceGroupName instead (MK771)`,
			`error: options.resourceName: the component decides on it: give clusterName instead (MK771)`,
			`error: options.tags: the component decides on it: give tags instead (MK771)`,
			`error: options.windowsProfile.adminPassword: the component decides on it: give windowsAdmin.password instead (MK771)`,
			`error: options.windowsProfile.adminUsername: the component decides on it: give windowsAdmin.username instead (MK771)`,
			`error: options.windowsProfile.gmsaProfile: the component decides on it: give windowsAdmin.gmsa instead (MK771)`,
			`error: options.windowsProfile.licenseType: the component decides on it: give windowsAdmin.licenseType instead (MK771)`,
		},
	},
	{
		"options that the pool decides on", poolOptions("win22", obj{
			"agentPoolName": "x", "resourceGroupName": "x", "resourceName": "x", "count": int64(1), "minCount": int64(1), "maxCount": int64(1), "enableAutoScaling": true,
			"vmSize": "x", "osType": "Windows", "mode": "User", "maxPods": int64(30), "osDiskSizeGB": int64(128), "osDiskType": "Managed", "availabilityZones": []any{"1"},
			"nodeLabels": obj{}, "nodeTaints": tree.Unknown{}, "orchestratorVersion": "1.36", "scaleSetPriority": "Spot", "spotMaxPrice": -1.0, "enableFIPS": true,
			"upgradeSettings": obj{"maxSurge": "1", "maxUnavailable": "0", "drainTimeoutInMinutes": 5, "nodeSoakDurationInMinutes": 5}, "vnetSubnetID": "x", "podSubnetID": "x", "windowsProfile": obj{"disableOutboundNat": true},
		}),
		poolOptions("win22", obj{"osSKU": "Windows2022", "upgradeSettings": obj{"undrainableNodeBehavior": "Cordon"}, "enableEncryptionAtHost": true, "count": nil, "windowsProfile": tree.Unknown{}, "nodeTaints": tree.Secret{}}),
		poolDecides(),
	},
	{
		"a security profile of the first pool", poolOptions("sys", obj{"securityProfile": obj{"enableVTPM": true}}), poolOptions("win22", obj{"securityProfile": obj{"enableVTPM": false}}),
		[]string{`warning: poolOptions[sys].options.securityProfile: Azure may refuse it in the pool that a cluster begins with: use it in another pool (MK774)`},
	},
	{
		"options of no pool", poolOptions("win2", obj{"vmSize": "x"}), poolOptions("win22", nil),
		[]string{`error: poolOptions[win2]: "win2": no pool has this name: did you mean "win22"? (MK773)`},
	},
	{
		"options of a pool with quite another name", poolOptions("database", nil), poolOptions("sys", nil),
		[]string{`error: poolOptions[database]: "database": no pool has this name: the pools are sys and win22 (MK773)`},
	},

	// With Windows pools.
	{
		"node auto-provisioning", options(obj{"nodeProvisioningProfile": obj{"mode": "Auto"}}), options(obj{"nodeProvisioningProfile": obj{"mode": "Manual"}}),
		[]string{`warning: options.nodeProvisioningProfile.mode: "Auto": Microsoft does not support Windows pools in such a cluster, and pools[1] is one: use Manual, and the autoscaling of pools (MK781)`},
	},
	{
		"a network-isolated cluster", func(c *azure.Cluster) {
			c.Network.OutboundType = azure.BlockedOutbound
			c.Options = obj{"bootstrapProfile": obj{"artifactSource": "Cache"}}
		},
		both(linuxOnly, func(c *azure.Cluster) {
			c.Network.OutboundType = azure.BlockedOutbound
			c.Options = obj{"bootstrapProfile": obj{"artifactSource": "Cache"}}
		}),
		[]string{
			`error: network.outboundType: "block": there are no Windows nodes in a network-isolated cluster, and pools[1] is a Windows pool: use another way out, loadBalancer for example (MK782)`,
			`error: options.bootstrapProfile.artifactSource: "Cache": there are no Windows nodes in a network-isolated cluster, and pools[1] is a Windows pool: use Direct (MK782)`,
		},
	},
	{
		"Image Cleaner", options(obj{"securityProfile": obj{"imageCleaner": obj{"enabled": true}}}), options(obj{"securityProfile": obj{"imageCleaner": obj{"enabled": false}}}),
		[]string{`warning: options.securityProfile.imageCleaner.enabled: true: it does nothing on Windows nodes: do not count on it for pools[1] (MK783)`},
	},
	{
		"certificate authorities", options(obj{"securityProfile": obj{"customCATrustCertificates": []any{tree.Unknown{}}}}),
		options(obj{"securityProfile": obj{"customCATrustCertificates": []any{}}}),
		[]string{`warning: options.securityProfile.customCATrustCertificates: they are not added on Windows nodes: do not count on them for pools[1] (MK784)`},
	},
	{
		"Istio", options(obj{"serviceMeshProfile": obj{"mode": "Istio"}}), both(linuxOnly, options(obj{"serviceMeshProfile": obj{"mode": "Istio"}})),
		[]string{`warning: options.serviceMeshProfile.mode: "Istio": its proxy does not run on Windows nodes: keep the pods of pools[1] out of the mesh (MK785)`},
	},
	{
		"an HTTP proxy", options(obj{"httpProxyConfig": obj{"httpProxy": tree.Unknown{}}}), options(obj{"httpProxyConfig": obj{"httpProxy": "http://proxy", "enabled": false}}),
		[]string{`warning: options.httpProxyConfig: not supported with Windows pools, and pools[1] is one: remove it (MK786)`},
	},

	// Sizes.
	{
		"no size", system(func(p *topology.Pool) { p.Size = "" }), system(func(p *topology.Pool) { p.Size = "Standard_NEW128" }),
		[]string{`error: pools[0].size: Azure needs the size of the nodes: say which, for example Standard_D4s_v5 (MK791)`},
	},
	{
		"one CPU", windows(func(p *topology.Pool) { p.Size = "Standard_DS1_v2" }), windows(func(p *topology.Pool) { p.Size = "Standard_DS2_v2" }),
		[]string{`error: pools[1].size: "Standard_DS1_v2": it has 1 CPU and 3.5 GiB, and a node needs at least 2 CPUs and 2 GiB: use a larger one, for example Standard_D4s_v5 (MK792)`},
	},
	{
		"one GiB", windows(func(p *topology.Pool) { p.Size = "Standard_B2ts_v2" }), windows(func(p *topology.Pool) { p.Size = "Standard_B2s" }),
		[]string{`error: pools[1].size: "Standard_B2ts_v2": it has 2 CPUs and 1 GiB, and a node needs at least 2 CPUs and 2 GiB: use a larger one, for example Standard_D4s_v5 (MK792)`},
	},
	{
		"generation 2 only", windows(func(p *topology.Pool) { p.Size = "Standard_E8ads_v6" }),
		both(platforms(platform.WindowsServer2025, "1.36"), windows(func(p *topology.Pool) { p.Size = "Standard_E8ads_v6" })),
		[]string{`warning: pools[1].size: "Standard_E8ads_v6": there are only machines of generation 2 of this size, and AKS makes Windows Server 2022 nodes as generation 1: use a v5 size or older, for example Standard_D4s_v5, or windows-2025 (MK793)`},
	},
	{
		"the newest of generation 2 only", windows(func(p *topology.Pool) { p.Size = "Standard_F4s_v9" }),
		both(windows(func(p *topology.Pool) { p.Size = "Standard_D4ps_v6" }), system(func(p *topology.Pool) { p.Size = "Standard_D4s_v6" })),
		[]string{`warning: pools[1].size: "Standard_F4s_v9": there are only machines of generation 2 of this size, and AKS makes Windows Server 2022 nodes as generation 1: use a v5 size or older, for example Standard_D4s_v5, or windows-2025 (MK793)`},
	},
}

func password(s string) func(c *azure.Cluster) {
	return func(c *azure.Cluster) { c.WindowsAdmin.Password = s }
}

func gmsa(g azure.GMSA) func(c *azure.Cluster) {
	return func(c *azure.Cluster) { c.WindowsAdmin.GMSA = g }
}

// poolDecides are the options of a pool by the argument that stands for each.
func poolDecides() []string {
	arguments := map[string]string{
		"agentPoolName": "pools[1].name", "resourceGroupName": "resourceGroupName", "resourceName": "clusterName", "count": "pools[1].count",
		"minCount": "pools[1].autoscaling.min", "maxCount": "pools[1].autoscaling.max", "enableAutoScaling": "pools[1].autoscaling", "vmSize": "pools[1].size",
		"osType": "pools[1].platform", "mode": "pools[1].mode", "maxPods": "pools[1].maxPods", "osDiskSizeGB": "pools[1].osDiskSizeGB",
		"osDiskType": "pools[1].osDiskType", "availabilityZones": "pools[1].zones", "nodeLabels": "pools[1].labels", "nodeTaints": "pools[1].taints",
		"orchestratorVersion": "pools[1].kubernetesVersion", "scaleSetPriority": "pools[1].spot", "spotMaxPrice": "pools[1].spotMaxPrice",
		"enableFIPS": "pools[1].fips", "upgradeSettings.maxSurge": "pools[1].upgrade.maxSurge",
		"upgradeSettings.maxUnavailable":            "pools[1].upgrade.maxUnavailable",
		"upgradeSettings.drainTimeoutInMinutes":     "pools[1].upgrade.drainTimeoutMinutes",
		"upgradeSettings.nodeSoakDurationInMinutes": "pools[1].upgrade.nodeSoakMinutes", "vnetSubnetID": "poolOptions[win22].nodeSubnetID",
		"podSubnetID": "poolOptions[win22].podSubnetID", "windowsProfile.disableOutboundNat": "pools[1].disableOutboundNAT",
	}
	var want []string
	for _, option := range slices.Sorted(maps.Keys(arguments)) {
		want = append(want, "error: poolOptions[win22].options."+option+": the component decides on it: give "+arguments[option]+" instead (MK772)")
	}
	return want
}

func TestCheckCluster(t *testing.T) {
	t.Parallel()
	wantFindings(t, azure.CheckCluster(good(nil)))
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, azure.CheckCluster(good(e.bad)), e.want...)
			wantFindings(t, azure.CheckCluster(good(e.fine)))
		})
	}
}

// changing are the rules whose findings can have another severity than the rule:
// an error with Windows pools and a warning without, an error for what cannot work and
// a warning for what is not supported any more, or an error for what is nearly the name
// of something and a warning for what may be new.
var changing = []string{"MK722", "MK723", "MK724", "MK725", "MK757"}

// inAzure are the rules about what is in Azure, which have tests of their own.
var inAzure = []string{"MK795", "MK796", "MK797"}

func TestEachRuleHasAnExampleAndEachFindingARule(t *testing.T) {
	t.Parallel()
	rules := map[string]preflight.Rule{}
	severities := map[string]map[preflight.Severity]bool{}
	neighbours := map[string]bool{}
	for _, rule := range azure.Rules() {
		if slices.Contains(inAzure, rule.ID) {
			continue
		}
		rules[rule.ID] = rule
		severities[rule.ID] = map[preflight.Severity]bool{}
	}
	for _, e := range examples {
		for _, f := range azure.CheckCluster(good(e.bad)) {
			if _, ok := rules[f.Rule]; !ok {
				t.Errorf("no rule of the table: %s", f)
				continue
			}
			severities[f.Rule][f.Severity] = true
			neighbours[f.Rule] = neighbours[f.Rule] || e.fine != nil
			if f.Type != "" {
				t.Errorf("looks like an error of the API server: %s", f)
			}
		}
	}
	for id, found := range severities {
		if !neighbours[id] {
			t.Errorf("%s: no example of what is fine", id)
		}
		want := map[preflight.Severity]bool{rules[id].Severity: true}
		if slices.Contains(changing, id) {
			want = map[preflight.Severity]bool{preflight.Error: true, preflight.Warning: true}
		}
		if !maps.Equal(found, want) {
			t.Errorf("%s: findings of the severities %v, want %v", id, found, want)
		}
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	rules := azure.Rules()
	for i, rule := range rules {
		if rule.ID == "" || rule.Severity == "" || rule.Title == "" || rule.Reason == "" || !strings.HasPrefix(rule.Source, "https://learn.microsoft.com/") {
			t.Errorf("incomplete: %+v", rule)
		}
		if i > 0 && rules[i-1].ID >= rule.ID {
			t.Errorf("%s behind %s", rule.ID, rules[i-1].ID)
		}
		if slices.ContainsFunc(preflight.Rules(), func(r preflight.Rule) bool { return r.ID == rule.ID }) {
			t.Errorf("%s is preflight's", rule.ID)
		}
	}
}
