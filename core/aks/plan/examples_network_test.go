package plan_test

import (
	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// networkExamples are examples of versions, and of the network.
var networkExamples = []example{
	// Versions and osSKU.
	{
		"no version", func(c *plan.Cluster) { c.Topology.KubernetesVersion = "" },
		func(c *plan.Cluster) { c.Topology.KubernetesVersion = "latest" },
		[]string{
			`error: kubernetesVersion: Azure's default changes over time: set a version, for example "1.36" (MK710)`,
		},
	},
	{
		"no version, and platforms that only an old version has together",
		func(c *plan.Cluster) {
			platforms(platform.WindowsServer2025, "")(c)
			c.Topology.Pools = append(c.Topology.Pools,
				topology.Pool{Name: "win19", Platform: platform.WindowsServer2019, Size: "Standard_D4s_v5"})
		},
		nil,
		[]string{
			`error: kubernetesVersion: Azure's default changes over time: set a version, for example "1.32" (MK710)`,
			`warning: pools[2].platform: "windows-2019": Azure refuses new Windows2019 pools since 2026-03-01: use ` +
				`windows-2022 or windows-2025 for a new pool; an existing one keeps working until its node images ` +
				`are removed on 2027-04-01 (MK713)`,
		},
	},
	{
		"a newer version", platforms(platform.WindowsServer2025, "1.38.1"),
		platforms(platform.WindowsServer2025, "v1.37.2"),
		[]string{`warning: kubernetesVersion: "1.38.1": newer than the versions of AKS that this library knows (1.32 ` +
			`to 1.37): make sure that Azure has it; findings about versions may be incomplete (MK711)`},
	},
	{
		"another major version", platforms(platform.WindowsServer2025, "2.0"),
		platforms(platform.WindowsServer2025, "1.32"),
		[]string{`warning: kubernetesVersion: "2.0": newer than the versions of AKS that this library knows (1.32 to ` +
			`1.37): make sure that Azure has it; findings about versions may be incomplete (MK711)`},
	},
	// CheckCreation reports it if the cluster does not exist, and CheckOlderVersion if it does.
	{"an older version", nil, platforms(platform.WindowsServer2022, "1.31"), nil},
	{
		"an older version of a pool",
		func(c *plan.Cluster) {
			c.Topology.KubernetesVersion = "1.34"
			c.Topology.Pools[1].KubernetesVersion = "1.31"
		},
		func(c *plan.Cluster) {
			c.Topology.KubernetesVersion = "1.35"
			c.Topology.Pools[1].KubernetesVersion = "1.32"
		},
		[]string{
			`warning: pools[1].kubernetesVersion: "1.31": older than the versions of AKS that this library knows ` +
				`(1.32 to 1.37): use a version that Azure supports (MK711)`,
		},
	},
	{
		"a newer version is reported once, at the cluster",
		func(c *plan.Cluster) {
			platforms(platform.WindowsServer2025, "1.39")(c)
			c.Topology.Pools[1].KubernetesVersion = "1.38"
		},
		platforms(platform.WindowsServer2025, "1.37"),
		[]string{`warning: kubernetesVersion: "1.39": newer than the versions of AKS that this library knows (1.32 ` +
			`to 1.37): make sure that Azure has it; findings about versions may be incomplete (MK711)`},
	},
	{
		"Windows Server 2019 with 1.33", platforms(platform.WindowsServer2019, "1.33"),
		platforms(platform.WindowsServer2022, "1.33"),
		[]string{
			`error: pools[1].platform: "windows-2019": AKS has Windows2019 nodes up to Kubernetes 1.32, not for ` +
				`1.33: use windows-2022 or windows-2025 (MK712)`,
		},
	},
	{
		"Windows Server 2022 with 1.37", platforms(platform.WindowsServer2022, "1.37"),
		platforms(platform.WindowsServer2022, "1.36"),
		[]string{
			`error: pools[1].platform: "windows-2022": AKS has Windows2022 nodes up to Kubernetes 1.36, not for ` +
				`1.37: use windows-2025 (MK712)`,
		},
	},
	{
		"a pool's own version counts",
		both(platforms(platform.WindowsServer2025, "1.34"),
			windows(func(p *topology.Pool) { p.KubernetesVersion = "1.31.4" })),
		both(platforms(platform.WindowsServer2022, "1.37"),
			windows(func(p *topology.Pool) { p.KubernetesVersion = "1.36" })),
		[]string{
			`warning: pools[1].kubernetesVersion: "1.31.4": older than the versions of AKS that this library knows ` +
				`(1.32 to 1.37): use a version that Azure supports (MK711)`,
			`error: pools[1].platform: "windows-2025": AKS has Windows2025 nodes for Kubernetes 1.32 and newer, not ` +
				`for 1.31: use Kubernetes 1.32 or newer, or windows-2022 (MK712)`,
		},
	},
	{
		"Windows Server 2022 before 1.23", platforms(platform.WindowsServer2022, "1.22"), nil,
		[]string{
			`error: pools[1].platform: "windows-2022": AKS has Windows2022 nodes for Kubernetes 1.23 and newer, not ` +
				`for 1.22: use Kubernetes 1.23 or newer (MK712)`,
		},
	},
	{
		"Windows Server 2019", platforms(platform.WindowsServer2019, "1.32"),
		platforms(platform.WindowsServer2022, "1.32"),
		[]string{`warning: pools[1].platform: "windows-2019": Azure refuses new Windows2019 pools since 2026-03-01: ` +
			`use windows-2022 or windows-2025 for a new pool; an existing one keeps working until its node images ` +
			`are removed on 2027-04-01 (MK713)`},
	},
	{
		"the annual channel", poolOptions("win22", obj{"osSKU": "WindowsAnnual"}),
		poolOptions("win22", obj{"osSKU": "Windows2022"}),
		[]string{`warning: poolOptions[win22].options.osSKU: "WindowsAnnual": Azure refuses new WindowsAnnual pools ` +
			`since 2026-05-15: use windows-2022 or windows-2025 for a new pool; an existing one keeps working until ` +
			`its node images are removed on 2027-05-15 (MK713)`},
	},
	{
		"Windows Server 2025 without FIPS",
		both(platforms(platform.WindowsServer2025, "1.36"), windows(func(p *topology.Pool) { p.FIPS = false })),
		platforms(platform.WindowsServer2025, "1.36"),
		[]string{`error: pools[1].fips: false: AKS creates Windows2025 nodes with FIPS only: set it to true (MK714)`},
	},
	{
		"the osSKU of another release", poolOptions("win22", obj{"osSKU": "Windows2025"}),
		poolOptions("win22", obj{"osSKU": tree.Unknown{}}),
		[]string{
			`error: poolOptions[win22].options.osSKU: "Windows2025": the platform of the pool is windows-2022: ` +
				`remove it, because the platform sets it to Windows2022, or change the platform (MK716)`,
		},
	},
	{
		"a Linux distribution on Windows", poolOptions("win22", obj{"osSKU": "AzureLinux"}),
		poolOptions("sys", obj{"osSKU": "AzureLinux"}),
		[]string{
			`error: poolOptions[win22].options.osSKU: "AzureLinux": the platform of the pool is windows-2022: remove ` +
				`it, because the platform sets it to Windows2022, or change the platform (MK716)`,
		},
	},
	{
		"an osSKU of Windows on Linux", poolOptions("sys", obj{"osSKU": "Windows2022"}),
		poolOptions("sys", obj{"osSKU": "Ubuntu"}),
		[]string{
			`error: poolOptions[sys].options.osSKU: "Windows2022": the platform of the pool is linux: use a Linux ` +
				`distribution, or change the platform (MK716)`,
		},
	},
	{
		"the annual channel on Linux", poolOptions("sys", obj{"osSKU": "WindowsAnnual"}),
		poolOptions("sys", obj{"osSKU": tree.Secret{Value: "WindowsAnnual"}}),
		[]string{
			`error: poolOptions[sys].options.osSKU: "WindowsAnnual": the platform of the pool is linux: use a Linux ` +
				`distribution, or change the platform (MK716)`,
		},
	},
	{
		"a misspelled osSKU", poolOptions("sys", obj{"osSKU": "Ubunto"}),
		poolOptions("sys", obj{"osSKU": "Ubuntu2204"}),
		[]string{
			`warning: poolOptions[sys].options.osSKU: "Ubunto": an osSKU that this library does not know: did you ` +
				`mean "Ubuntu"? (MK717)`,
		},
	},
	{
		"a distribution that AKS no longer supports", poolOptions("sys", obj{"osSKU": "Flatcar"}),
		poolOptions("sys", obj{"osSKU": "AzureContainerLinux"}),
		[]string{
			`warning: poolOptions[sys].options.osSKU: "Flatcar": AKS has not supported it since 2026-06-08: use ` +
				`another distribution, for example AzureContainerLinux (MK713)`,
		},
	},
	{
		"a newer osSKU", poolOptions("win22", obj{"osSKU": "NanoContainerHost"}),
		poolOptions("win22", obj{"osSKU": nil}),
		[]string{
			`warning: poolOptions[win22].options.osSKU: "NanoContainerHost": an osSKU that this library does not ` +
				`know: make sure that Azure has it (MK717)`,
		},
	},

	// The network.
	{
		"an unknown mode", network(plan.Network{Mode: "kubenet"}), network(plan.Network{}),
		[]string{
			`error: network.mode: "kubenet": not a network mode for Windows nodes: use overlay, ` +
				`pod-subnet or node-subnet (MK721)`,
		},
	},
	{
		"a misspelled mode", network(plan.Network{Mode: "nodesubnet"}), network(plan.Network{Mode: plan.NodeSubnet}),
		[]string{
			`error: network.mode: "nodesubnet": not a network mode for Windows nodes: did you mean ` +
				`"node-subnet"? use overlay, pod-subnet or node-subnet (MK721)`,
		},
	},
	{
		"kubenet", options(obj{"networkProfile": obj{"networkPlugin": "kubenet"}}),
		options(obj{"networkProfile": obj{"networkPlugin": "azure"}}),
		[]string{
			`error: options.networkProfile.networkPlugin: "kubenet": Windows nodes need Azure CNI, and pools[1] is a ` +
				`Windows pool: remove it to use azure (MK722)`,
		},
	},
	{
		"no plugin, and no Windows pools",
		both(linuxOnly, options(obj{"networkProfile": obj{"networkPlugin": "none"}})),
		both(linuxOnly, options(obj{"networkProfile": tree.Unknown{}})),
		[]string{
			`warning: options.networkProfile.networkPlugin: "none": Windows nodes need Azure CNI, so the cluster can ` +
				`never have any: remove it to use azure (MK722)`,
		},
	},
	{
		"the Cilium dataplane", options(obj{"networkProfile": obj{"networkDataplane": "cilium"}}),
		options(obj{"networkProfile": obj{"networkDataplane": "azure"}}),
		[]string{
			`error: options.networkProfile.networkDataplane: "cilium": Cilium does not run on Windows nodes, and ` +
				`pools[1] is a Windows pool: remove it to use azure (MK723)`,
		},
	},
	{
		"the Cilium dataplane without Windows pools",
		both(linuxOnly, options(obj{"networkProfile": obj{"networkDataplane": "cilium"}})),
		options(obj{"networkProfile": obj{"networkDataplane": tree.Secret{Value: "cilium"}}}),
		[]string{
			`warning: options.networkProfile.networkDataplane: "cilium": Cilium does not run on Windows nodes, so ` +
				`the cluster can never have any: remove it to use azure (MK723)`,
		},
	},
	{
		"Azure's network policies", network(plan.Network{Policy: plan.AzurePolicy}),
		both(linuxOnly, network(plan.Network{Policy: plan.AzurePolicy})),
		[]string{
			`warning: network.policy: "azure": Microsoft has not supported it on Windows nodes since 2026-09-30, and ` +
				`pools[1] is a Windows pool: use calico or none (MK724)`,
		},
	},
	{
		"Cilium's network policies", network(plan.Network{Policy: plan.CiliumPolicy}),
		both(linuxOnly, network(plan.Network{Policy: plan.CiliumPolicy})),
		[]string{
			`error: network.policy: "cilium": does not run on Windows nodes, and pools[1] is a Windows pool: use ` +
				`calico or none (MK724)`,
		},
	},
	{
		"a misspelled policy", network(plan.Network{Policy: "Calico"}), network(plan.Network{Policy: "calico"}),
		[]string{
			`error: network.policy: "Calico": not a network policy engine that this library knows: did you mean ` +
				`"calico"? use none or calico (MK725)`,
		},
	},
	{
		"a newer policy", network(plan.Network{Policy: "antrea"}), network(plan.Network{Policy: plan.NoPolicy}),
		[]string{
			`warning: network.policy: "antrea": not a network policy engine that this library knows: make sure that ` +
				`Azure knows it, or use none or calico (MK725)`,
		},
	},
	{
		"a misspelled policy without Windows pools", both(linuxOnly, network(plan.Network{Policy: "cillium"})),
		both(linuxOnly, network(plan.Network{Policy: "cilium"})),
		[]string{
			`error: network.policy: "cillium": not a network policy engine that this library knows: did you mean ` +
				`"cilium"? use none, calico, azure or cilium (MK725)`,
		},
	},
	{
		"pod-subnet without subnets", network(plan.Network{Mode: plan.PodSubnet}),
		network(plan.Network{Mode: plan.PodSubnet, NodeSubnetID: plan.Later, PodSubnetID: plan.Later}),
		[]string{
			`error: network.nodeSubnetID: mode pod-subnet needs it: set the ID of a subnet (MK726)`,
			`error: network.podSubnetID: mode pod-subnet needs it: set the ID of a subnet (MK726)`,
		},
	},
	{
		"pod-subnet without subnets and pools",
		func(c *plan.Cluster) {
			c.Network = plan.Network{Mode: plan.PodSubnet, NodeSubnetID: plan.Later}
			c.Topology.Pools = nil
		},
		nil,
		[]string{
			`error: network.podSubnetID: mode pod-subnet needs it: set the ID of a subnet (MK726)`,
			`error: pools: no Linux pool has the mode System, which the first pool of a cluster must have: set the ` +
				`mode of one Linux pool to System (MK704)`,
		},
	},
	{
		"pod-subnet without the subnets of several pools",
		func(c *plan.Cluster) {
			c.Network = plan.Network{Mode: plan.PodSubnet, NodeSubnetID: plan.Later}
			c.Topology.Pools = append(c.Topology.Pools,
				topology.Pool{Name: "linux", Platform: platform.Linux, Size: "Standard_D4s_v5"})
			c.PoolOptions["win22"] = plan.PoolOptions{PodSubnetID: plan.Later}
		},
		nil,
		[]string{
			`error: network.podSubnetID: mode pod-subnet needs it, as pools[0] and pools[2] have none of their own: ` +
				`set the ID of a subnet (MK726)`,
		},
	},
	{
		"pod-subnet with the subnets of some pools",
		func(c *plan.Cluster) {
			c.Network = plan.Network{Mode: plan.PodSubnet, NodeSubnetID: plan.Later}
			c.PoolOptions["win22"] = plan.PoolOptions{PodSubnetID: plan.Later}
		},
		func(c *plan.Cluster) {
			c.Network = plan.Network{Mode: plan.PodSubnet}
			c.PoolOptions["win22"] = plan.PoolOptions{PodSubnetID: plan.Later, NodeSubnetID: plan.Later}
			c.PoolOptions["sys"] = plan.PoolOptions{PodSubnetID: plan.Later, NodeSubnetID: plan.Later}
		},
		[]string{
			`error: network.podSubnetID: mode pod-subnet needs it, as pools[0] has none of its own: set the ID of a ` +
				`subnet (MK726)`,
		},
	},
	{
		"pod subnets in another mode",
		func(c *plan.Cluster) {
			c.Network = plan.Network{Mode: plan.NodeSubnet, NodeSubnetID: plan.Later, PodSubnetID: plan.Later}
			c.PoolOptions["win22"] = plan.PoolOptions{PodSubnetID: plan.Later, NodeSubnetID: plan.Later}
		},
		func(c *plan.Cluster) {
			c.Network = plan.Network{Mode: plan.Overlay, NodeSubnetID: plan.Later}
			c.PoolOptions["win22"] = plan.PoolOptions{NodeSubnetID: plan.Later}
		},
		[]string{
			`error: network.podSubnetID: in mode node-subnet pods have no subnet of their own: remove it, or use the ` +
				`mode pod-subnet (MK727)`,
			`error: poolOptions[win22].podSubnetID: in mode node-subnet pods have no subnet of their own: remove it, ` +
				`or use the mode pod-subnet (MK727)`,
		},
	},
}
