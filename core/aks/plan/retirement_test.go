package plan_test

import (
	"strings"
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

var retirementExamples = []example{
	{
		"Windows Server 2022 in its last two years", on("2026-11-24", nil),
		on("2026-11-24", platforms(platform.WindowsServer2025, "1.36")),
		[]string{
			`info: pools[1].platform: "windows-2022": AKS supports Windows2022 until 2028-06-30, for Kubernetes up ` +
				`to 1.36, and removes its node images on 2029-06-30: create a pool of windows-2025, build the images ` +
				`of its workloads for that release (or set matching: relaxed if the new nodes run the old images, ` +
				`which AKS does not support), move the workloads there, and remove this pool by then (MK853)`,
		},
	},
}

func TestRetirementDates(t *testing.T) {
	t.Parallel()
	const move = `: create a pool of windows-2025, build the images of its workloads for that release ` +
		`(or set matching: relaxed if the new nodes run the old images, which AKS does not support), move ` +
		`the workloads there, and remove this pool by then (MK853)`
	const soon = `info: pools[1].platform: "windows-2022": AKS supports Windows2022 until 2028-06-30, for Kubernetes ` +
		`up to 1.36, and removes its node images on 2029-06-30` + move
	for _, tt := range []struct {
		name   string
		change func(c *plan.Cluster)
		want   []string
	}{
		{"long before", on("2026-06-29", nil), nil},
		{"two years before", on("2026-06-30", nil), []string{soon}},
		{"on the day", on("2028-06-30", nil), []string{soon}},
		{"the day after", on("2028-07-01", nil), []string{
			`warning: pools[1].platform: "windows-2022": AKS has not supported Windows2022 since 2028-06-30, ` +
				`refuses new pools, and removes its node images on 2029-06-30` + move,
		}},
		{"a day that is not known", nil, nil},
		{"Linux", on("2028-07-01", linuxOnly), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, plan.CheckCluster(good(tt.change)), tt.want...)
		})
	}
	wantFindings(t, plan.CheckPool(plan.Pool{
		KubernetesVersion: "1.31", Pool: good(nil).Topology.Pools[1].WithDefaults("1.31"),
		Today: good(on("2028-01-01", nil)).Today,
	}), `warning: kubernetesVersion: "1.31": older than the versions of AKS that this library knows (1.32 to 1.37): `+
		`use a version that Azure supports `+
		`(MK711)`, `info: pool.platform: "windows-2022": AKS supports Windows2022 until 2028-06-30, for Kubernetes `+
		`up to 1.36, and removes its node images on 2029-06-30`+move)
	today := good(on("2028-01-01", nil)).Today
	wantFindings(t, plan.CheckExisting(clusterInAzure(nil, windowsInAzure(nil)), plan.Login{}, today),
		strings.Replace(soon, "pools[1]", "inAzure.agentPoolProfiles[win]", 1))
}
