package examples

import (
	"time"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
)

// On returns a change of the good cluster that sets the day of the check.
func On(day string, change func(c *plan.Cluster)) func(c *plan.Cluster) {
	return func(c *plan.Cluster) {
		today, err := time.Parse(time.DateOnly, day)
		if err != nil {
			panic(err)
		}
		c.Today = today
		if change != nil {
			change(c)
		}
	}
}

// FIPSOnLinux is a cluster of Linux pools with long-term support, the first one with FIPS.
func FIPSOnLinux(version string) func(c *plan.Cluster) {
	return Both(LinuxOnly, func(c *plan.Cluster) {
		c.Topology.KubernetesVersion, c.Topology.Pools[0].FIPS = version, true
		Options(obj{"supportPlan": "AKSLongTermSupport", "sku": obj{"tier": "Premium"}})(c)
	})
}

var retirementExamples = []Example{
	{
		"a version of Kubernetes whose support ends soon",
		On("2027-01-15", Platforms(platform.WindowsServer2025, "1.35")),
		On("2026-12-15", Platforms(platform.WindowsServer2025, "1.35")),
		[]string{"info: kubernetesVersion (MK884)"},
	},
	{
		"long-term support that ends soon", On("2028-02-01", Both(Version("1.35"), Options(obj{
			"supportPlan": "AKSLongTermSupport", "sku": obj{"tier": "Premium"},
		}))), nil, []string{"info: kubernetesVersion (MK884)", "info: pools[1].platform (MK853)"},
	},
	{
		"Windows Server 2022 in its last two years", On("2026-11-24", nil),
		On("2026-11-24", Platforms(platform.WindowsServer2025, "1.36")),
		[]string{"info: pools[1].platform (MK853)"},
	},
	{"two years before", On("2026-06-30", nil), On("2026-06-29", nil), []string{"info: pools[1].platform (MK853)"}},
	{
		"FIPS on Ubuntu 20.04", On("2026-12-02", FIPSOnLinux("1.34")), On("2026-12-02", FIPSOnLinux("1.35")),
		[]string{"info: pools[0].fips (MK853)"},
	},
	{
		"a distribution without a last version",
		On("2026-12-02", Both(LinuxOnly, PoolOptions("sys", obj{"osSKU": "AzureLinuxOSGuard"}))),
		On("2026-12-02", Both(LinuxOnly, PoolOptions("sys", obj{"osSKU": "AzureLinux"}))),
		[]string{"info: poolOptions[sys].options.osSKU (MK853)"},
	},
	{"on the day", On("2028-06-30", nil), nil, []string{"info: pools[1].platform (MK853)"}},
}
