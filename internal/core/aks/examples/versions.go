package examples

import (
	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// versionExamples are examples of versions and of osSKU.
var versionExamples = []Example{
	{
		"no version", func(c *plan.Cluster) { c.Topology.KubernetesVersion = "" },
		func(c *plan.Cluster) { c.Topology.KubernetesVersion = "latest" },
		[]string{"error: kubernetesVersion (MK710)"},
	},
	{
		"no version, and platforms that only an old version has together", func(c *plan.Cluster) {
			Platforms(platform.WindowsServer2025, "")(c)
			c.Topology.Pools = append(c.Topology.Pools,
				topology.Pool{Name: "win19", Platform: platform.WindowsServer2019, Size: "Standard_D4s_v5"})
		}, nil, []string{"error: kubernetesVersion (MK710)", "warning: pools[2].platform (MK713)"},
	},
	{
		"a newer version", Platforms(platform.WindowsServer2025, "1.38.1"),
		Platforms(platform.WindowsServer2025, "v1.37.2"),
		[]string{"warning: kubernetesVersion (MK711)"},
	},
	{
		"another major version", Platforms(platform.WindowsServer2025, "2.0"),
		Platforms(platform.WindowsServer2025, "1.32"),
		[]string{"warning: kubernetesVersion (MK711)"},
	},
	// CheckCreation reports it if the cluster does not exist, and CheckOlderVersion if it does.
	{"an older version", nil, Platforms(platform.WindowsServer2022, "1.31"), nil},
	{
		"an older version of a pool", func(c *plan.Cluster) {
			c.Topology.KubernetesVersion = "1.34"
			c.Topology.Pools[1].KubernetesVersion = "1.31"
		}, func(c *plan.Cluster) {
			c.Topology.KubernetesVersion = "1.35"
			c.Topology.Pools[1].KubernetesVersion = "1.32"
		}, []string{"warning: pools[1].kubernetesVersion (MK711)"},
	},
	{
		"a newer version is reported once, at the cluster", func(c *plan.Cluster) {
			Platforms(platform.WindowsServer2025, "1.39")(c)
			c.Topology.Pools[1].KubernetesVersion = "1.38"
		}, Platforms(platform.WindowsServer2025, "1.37"), []string{"warning: kubernetesVersion (MK711)"},
	},
	{
		"Windows Server 2019 with 1.33", Platforms(platform.WindowsServer2019, "1.33"),
		Platforms(platform.WindowsServer2022, "1.33"),
		[]string{"error: pools[1].platform (MK712)"},
	},
	{
		"Windows Server 2022 with 1.37", Platforms(platform.WindowsServer2022, "1.37"),
		Platforms(platform.WindowsServer2022, "1.36"),
		[]string{"error: pools[1].platform (MK712)"},
	},
	{
		"a pool's own version counts", Both(Platforms(platform.WindowsServer2025, "1.34"),
			Windows(func(p *topology.Pool) { p.KubernetesVersion = "1.31.4" })),
		Both(Platforms(platform.WindowsServer2022, "1.37"),
			Windows(func(p *topology.Pool) { p.KubernetesVersion = "1.36" })),
		[]string{"warning: pools[1].kubernetesVersion (MK711)", "error: pools[1].platform (MK712)"},
	},
	{
		"Windows Server 2022 before 1.23", Platforms(platform.WindowsServer2022, "1.22"), nil,
		[]string{"error: pools[1].platform (MK712)"},
	},
	{
		"Windows Server 2019", Platforms(platform.WindowsServer2019, "1.32"),
		Platforms(platform.WindowsServer2022, "1.32"),
		[]string{"warning: pools[1].platform (MK713)"},
	},
	{
		"the annual channel", PoolOptions("win22", obj{"osSKU": "WindowsAnnual"}),
		PoolOptions("win22", obj{"osSKU": "Windows2022"}),
		[]string{"warning: poolOptions[win22].options.osSKU (MK713)"},
	},
	{
		"Windows Server 2025 without FIPS",
		Both(Platforms(platform.WindowsServer2025, "1.36"), Windows(func(p *topology.Pool) { p.FIPS = false })),
		Platforms(platform.WindowsServer2025, "1.36"),
		[]string{"error: pools[1].fips (MK714)"},
	},
	{
		"the osSKU of another release", PoolOptions("win22", obj{"osSKU": "Windows2025"}),
		PoolOptions("win22", obj{"osSKU": tree.Unknown{}}),
		[]string{"error: poolOptions[win22].options.osSKU (MK716)"},
	},
	{
		"a Linux distribution on Windows", PoolOptions("win22", obj{"osSKU": "AzureLinux"}),
		PoolOptions("sys", obj{"osSKU": "AzureLinux"}),
		[]string{"error: poolOptions[win22].options.osSKU (MK716)"},
	},
	{
		"an osSKU of Windows on Linux", PoolOptions("sys", obj{"osSKU": "Windows2022"}),
		PoolOptions("sys", obj{"osSKU": "Ubuntu"}),
		[]string{"error: poolOptions[sys].options.osSKU (MK716)"},
	},
	{
		"the annual channel on Linux", PoolOptions("sys", obj{"osSKU": "WindowsAnnual"}),
		PoolOptions("sys", obj{"osSKU": tree.Secret{Value: "WindowsAnnual"}}),
		[]string{"error: poolOptions[sys].options.osSKU (MK716)"},
	},
	{
		"a misspelled osSKU", PoolOptions("sys", obj{"osSKU": "Ubunto"}),
		PoolOptions("sys", obj{"osSKU": "Ubuntu2204"}),
		[]string{"warning: poolOptions[sys].options.osSKU (MK717)"},
	},
	{
		"a distribution that AKS no longer supports", PoolOptions("sys", obj{"osSKU": "Flatcar"}),
		PoolOptions("sys", obj{"osSKU": "AzureLinux"}),
		[]string{"warning: poolOptions[sys].options.osSKU (MK713)"},
	},
	{
		"a newer osSKU", PoolOptions("win22", obj{"osSKU": "NanoContainerHost"}),
		PoolOptions("win22", obj{"osSKU": nil}),
		[]string{"warning: poolOptions[win22].options.osSKU (MK717)"},
	},
}
