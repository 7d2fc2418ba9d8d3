package plan_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/core/aks/examples"
)

// The finding is a warning from the day after the end of support.
var afterSupport = on("2028-07-01", nil)

func TestTheDayAfterTheEndOfSupport(t *testing.T) {
	t.Parallel()
	wantFindings(t, plan.CheckCluster(good(afterSupport)), "warning: pools[1].platform (MK853)")
	wantFindings(t, plan.CheckCluster(good(both(afterSupport, linuxOnly))))
	ubuntu := poolOptions("sys", obj{"osSKU": "Ubuntu"})
	wantFindings(t, plan.CheckCluster(good(on("2027-03-17", both(examples.FIPSOnLinux("1.34"), ubuntu)))),
		"warning: poolOptions[sys].options.osSKU (MK853)")
	wantFindings(t, plan.CheckCluster(good(on("2027-03-17", both(examples.FIPSOnLinux("1.35"), ubuntu)))))
	azureLinux := poolOptions("sys", obj{"osSKU": "AzureLinux"})
	old := func(kubernetes string) func(c *plan.Cluster) {
		return on("2026-03-31", both(version(kubernetes), both(linuxOnly, azureLinux)))
	}
	wantFindings(t, plan.CheckCluster(good(old("1.31"))), "warning: poolOptions[sys].options.osSKU (MK853)")
	wantFindings(t, plan.CheckCluster(good(old("1.32"))), "info: kubernetesVersion (MK884)")
	// A pool that was taken over keeps the osSKU that it has.
	wantFindings(t, plan.CheckCluster(good(on("2027-03-17", both(examples.FIPSOnLinux("1.34"), func(c *plan.Cluster) {
		c.PoolOptions["sys"] = plan.PoolOptions{NameInAzure: "sys"}
	})))))
}
