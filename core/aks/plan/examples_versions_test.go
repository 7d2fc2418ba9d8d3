package plan_test

import (
	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// versionExamples are examples of versions and of osSKU.
var versionExamples = []example{
	{
		"no version", func(c *plan.Cluster) { c.Topology.KubernetesVersion = "" },
		func(c *plan.Cluster) { c.Topology.KubernetesVersion = "latest" }, []string{"error: kubernetesVersion (MK710)"},
	},
	{
		"no version, and platforms that only an old version has together", func(c *plan.Cluster) {
			platforms(platform.WindowsServer2025, "")(c)
			c.Topology.Pools = append(c.Topology.Pools,
				topology.Pool{Name: "win19", Platform: platform.WindowsServer2019, Size: "Standard_D4s_v5"})
		}, nil, []string{"error: kubernetesVersion (MK710)", "warning: pools[2].platform (MK713)"},
	},
	{
		"a newer version", platforms(platform.WindowsServer2025, "1.38.1"),
		platforms(platform.WindowsServer2025, "v1.37.2"), []string{"warning: kubernetesVersion (MK711)"},
	},
	{
		"another major version", platforms(platform.WindowsServer2025, "2.0"),
		platforms(platform.WindowsServer2025, "1.32"), []string{"warning: kubernetesVersion (MK711)"},
	},
	// CheckCreation reports it if the cluster does not exist, and CheckOlderVersion if it does.
	{"an older version", nil, platforms(platform.WindowsServer2022, "1.31"), nil},
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
			platforms(platform.WindowsServer2025, "1.39")(c)
			c.Topology.Pools[1].KubernetesVersion = "1.38"
		}, platforms(platform.WindowsServer2025, "1.37"), []string{"warning: kubernetesVersion (MK711)"},
	},
	{
		"Windows Server 2019 with 1.33", platforms(platform.WindowsServer2019, "1.33"),
		platforms(platform.WindowsServer2022, "1.33"), []string{"error: pools[1].platform (MK712)"},
	},
	{
		"Windows Server 2022 with 1.37", platforms(platform.WindowsServer2022, "1.37"),
		platforms(platform.WindowsServer2022, "1.36"), []string{"error: pools[1].platform (MK712)"},
	},
	{
		"a pool's own version counts", both(platforms(platform.WindowsServer2025, "1.34"),
			windows(func(p *topology.Pool) { p.KubernetesVersion = "1.31.4" })),
		both(platforms(platform.WindowsServer2022, "1.37"),
			windows(func(p *topology.Pool) { p.KubernetesVersion = "1.36" })),
		[]string{"warning: pools[1].kubernetesVersion (MK711)", "error: pools[1].platform (MK712)"},
	},
	{
		"Windows Server 2022 before 1.23", platforms(platform.WindowsServer2022, "1.22"), nil,
		[]string{"error: pools[1].platform (MK712)"},
	},
	{
		"Windows Server 2019", platforms(platform.WindowsServer2019, "1.32"),
		platforms(platform.WindowsServer2022, "1.32"), []string{"warning: pools[1].platform (MK713)"},
	},
	{
		"the annual channel", poolOptions("win22", obj{"osSKU": "WindowsAnnual"}),
		poolOptions("win22", obj{"osSKU": "Windows2022"}),
		[]string{"warning: poolOptions[win22].options.osSKU (MK713)"},
	},
	{
		"Windows Server 2025 without FIPS",
		both(platforms(platform.WindowsServer2025, "1.36"), windows(func(p *topology.Pool) { p.FIPS = false })),
		platforms(platform.WindowsServer2025, "1.36"), []string{"error: pools[1].fips (MK714)"},
	},
	{
		"the osSKU of another release", poolOptions("win22", obj{"osSKU": "Windows2025"}),
		poolOptions("win22", obj{"osSKU": tree.Unknown{}}), []string{"error: poolOptions[win22].options.osSKU (MK716)"},
	},
	{
		"a Linux distribution on Windows", poolOptions("win22", obj{"osSKU": "AzureLinux"}),
		poolOptions("sys", obj{"osSKU": "AzureLinux"}), []string{"error: poolOptions[win22].options.osSKU (MK716)"},
	},
	{
		"an osSKU of Windows on Linux", poolOptions("sys", obj{"osSKU": "Windows2022"}),
		poolOptions("sys", obj{"osSKU": "Ubuntu"}), []string{"error: poolOptions[sys].options.osSKU (MK716)"},
	},
	{
		"the annual channel on Linux", poolOptions("sys", obj{"osSKU": "WindowsAnnual"}),
		poolOptions("sys", obj{"osSKU": tree.Secret{Value: "WindowsAnnual"}}),
		[]string{"error: poolOptions[sys].options.osSKU (MK716)"},
	},
	{
		"a misspelled osSKU", poolOptions("sys", obj{"osSKU": "Ubunto"}),
		poolOptions("sys", obj{"osSKU": "Ubuntu2204"}), []string{"warning: poolOptions[sys].options.osSKU (MK717)"},
	},
	{
		"a distribution that AKS no longer supports", poolOptions("sys", obj{"osSKU": "Flatcar"}),
		poolOptions("sys", obj{"osSKU": "AzureLinux"}),
		[]string{"warning: poolOptions[sys].options.osSKU (MK713)"},
	},
	{
		"a newer osSKU", poolOptions("win22", obj{"osSKU": "NanoContainerHost"}),
		poolOptions("win22", obj{"osSKU": nil}), []string{"warning: poolOptions[win22].options.osSKU (MK717)"},
	},
}
