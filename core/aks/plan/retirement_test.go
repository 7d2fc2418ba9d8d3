package plan_test

import (
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
)

// on returns a change of the good cluster that sets the day of the check.
func on(day string, change func(c *plan.Cluster)) func(c *plan.Cluster) {
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

// fipsOnLinux is a cluster of Linux pools with long-term support, the first one with FIPS.
func fipsOnLinux(version string) func(c *plan.Cluster) {
	return both(linuxOnly, func(c *plan.Cluster) {
		c.Topology.KubernetesVersion, c.Topology.Pools[0].FIPS = version, true
		options(obj{"supportPlan": "AKSLongTermSupport", "sku": obj{"tier": "Premium"}})(c)
	})
}

var retirementExamples = []example{
	{
		"a version of Kubernetes whose support ends soon", on("2027-01-15", platforms(platform.WindowsServer2025, "1.35")),
		on("2026-12-15", platforms(platform.WindowsServer2025, "1.35")),
		[]string{"info: kubernetesVersion (MK884)"},
	},
	{
		"long-term support that ends soon", on("2028-02-01", both(version("1.35"), options(obj{
			"supportPlan": "AKSLongTermSupport", "sku": obj{"tier": "Premium"},
		}))), nil, []string{"info: kubernetesVersion (MK884)", "info: pools[1].platform (MK853)"},
	},
	{
		"Windows Server 2022 in its last two years", on("2026-11-24", nil),
		on("2026-11-24", platforms(platform.WindowsServer2025, "1.36")), []string{"info: pools[1].platform (MK853)"},
	},
	{"two years before", on("2026-06-30", nil), on("2026-06-29", nil), []string{"info: pools[1].platform (MK853)"}},
	{
		"FIPS on Ubuntu 20.04", on("2026-12-02", fipsOnLinux("1.34")), on("2026-12-02", fipsOnLinux("1.35")),
		[]string{"info: pools[0].fips (MK853)"},
	},
	{"on the day", on("2028-06-30", nil), nil, []string{"info: pools[1].platform (MK853)"}},
}

// The finding is a warning from the day after the end of support.
var afterSupport = on("2028-07-01", nil)

func TestTheDayAfterTheEndOfSupport(t *testing.T) {
	t.Parallel()
	wantFindings(t, plan.CheckCluster(good(afterSupport)), "warning: pools[1].platform (MK853)")
	wantFindings(t, plan.CheckCluster(good(both(afterSupport, linuxOnly))))
	ubuntu := poolOptions("sys", obj{"osSKU": "Ubuntu"})
	wantFindings(t, plan.CheckCluster(good(on("2027-03-17", both(fipsOnLinux("1.34"), ubuntu)))),
		"warning: poolOptions[sys].options.osSKU (MK853)")
	wantFindings(t, plan.CheckCluster(good(on("2027-03-17", both(fipsOnLinux("1.35"), ubuntu)))))
	// A pool that was taken over keeps the osSKU that it has.
	wantFindings(t, plan.CheckCluster(good(on("2027-03-17", both(fipsOnLinux("1.34"), func(c *plan.Cluster) {
		c.PoolOptions["sys"] = plan.PoolOptions{NameInAzure: "sys"}
	})))))
}
