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
	// A pool that was taken over keeps the osSKU that it has.
	wantFindings(t, plan.CheckCluster(good(on("2027-03-17", both(examples.FIPSOnLinux("1.34"), func(c *plan.Cluster) {
		c.PoolOptions["sys"] = plan.PoolOptions{NameInAzure: "sys"}
	})))))
}
