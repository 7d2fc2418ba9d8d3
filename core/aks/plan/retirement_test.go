package plan_test

import (
	"github.com/mixedkube/mixedkube/core/aks/plan"
	"testing"
)

// The finding is a warning from the day after the end of support.
var afterSupport = on("2028-07-01", nil)

func TestTheDayAfterTheEndOfSupport(t *testing.T) {
	t.Parallel()
	wantFindings(t, plan.CheckCluster(good(afterSupport)), "warning: pools[1].platform (MK853)")
	wantFindings(t, plan.CheckCluster(good(both(afterSupport, linuxOnly))))
}
