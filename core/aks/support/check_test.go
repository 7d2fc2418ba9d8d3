package support_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// cluster returns a cluster of AKS with a Linux pool and a pool for each platform.
func cluster(version string, platforms ...platform.Platform) topology.Topology {
	t := topology.Topology{
		KubernetesVersion: version, Cloud: topology.AKS,
		Pools: []topology.Pool{{Name: "sys", Platform: platform.Linux}},
	}
	for _, p := range platforms {
		t.Pools = append(t.Pools, topology.Pool{Name: "w" + p.String()[len("windows-20"):], Platform: p})
	}
	return t
}

// poolVersion sets the version of the last pool.
func poolVersion(t topology.Topology, version string) topology.Topology {
	t.Pools[len(t.Pools)-1].KubernetesVersion = version
	return t
}

// The rules' own tests, in package plan, have the sentences.
const (
	soon    = "info: pools[1].platform (MK853)"
	over    = "warning: pools[1].platform (MK853)"
	newer   = "warning: kubernetesVersion (MK711)"
	refused = "warning: pools[1].platform (MK713)"
	ending  = "info: kubernetesVersion (MK884)"
	ended   = "warning: kubernetesVersion (MK884)"
	longer  = "info: kubernetesVersion (MK884)"
)

func TestCheckTopology(t *testing.T) {
	t.Parallel()
	const old, current, next = platform.WindowsServer2019, platform.WindowsServer2022, platform.WindowsServer2025
	otherCloud := cluster("1.37", current)
	otherCloud.Cloud = topology.EKS
	noCloud := cluster("1.37", current)
	noCloud.Cloud = ""
	for name, tt := range map[string]struct {
		of      topology.Topology
		today   string
		horizon int
		want    []string
	}{
		"2022 on a version without it": {
			of: cluster("1.37.1", current), today: "2026-12-01", want: []string{"error: pools[1].platform (MK712)"},
		},
		"the last version with it":     {of: cluster("1.36", current), today: "2026-06-29"},
		"2019 on a version without it": {of: cluster("1.33", old), want: []string{"error: pools[1].platform (MK712)"}},
		"2019 on its last version":     {of: cluster("1.32", old), want: []string{refused}},
		"the version of the nodes counts": {
			of: poolVersion(cluster("1.33", old), "1.32.7"), want: []string{refused},
		},
		"2025 is too new for the nodes": {
			of:   poolVersion(cluster("1.33", current, next), "1.31"),
			want: []string{"warning: pools[2].kubernetesVersion (MK711)", "error: pools[2].platform (MK712)"},
		},
		"2025 on the newest version": {of: cluster("1.37", next), today: "2027-07-01"},
		"a version that is not known": {
			of: cluster("", old, current), today: "2026-06-30",
			want: []string{refused, "info: pools[2].platform (MK853)"},
		},
		"a version that the library does not know": {of: cluster("1.38", next), want: []string{newer}},
		"and the pools have it too": {
			of: poolVersion(cluster("1.38", next), "1.38"), want: []string{newer},
		},
		"two years before": {of: cluster("1.36", current), today: "2026-06-30", want: []string{soon}},
		"the last day":     {of: cluster("1.36", current), today: "2028-06-30", want: []string{longer, soon}},
		"the day after":    {of: cluster("1.36", current), today: "2028-07-01", want: []string{longer, over}},
		"outside of the horizon": {
			of: cluster("1.36", current), today: "2026-12-01", horizon: 576,
		},
		"the first day in the horizon": {
			of: cluster("1.36", current), today: "2026-12-01", horizon: 577, want: []string{soon},
		},
		"a horizon that is longer than the default": {
			of: cluster("1.36", current), today: "2026-01-01", horizon: 1000, want: []string{soon},
		},
		"the end does not depend on the horizon": {
			of: cluster("1.36", current), today: "2028-07-01", horizon: 1, want: []string{longer, over},
		},
		"91 days before the end of a version": {of: cluster("1.35", next), today: "2026-12-30"},
		"90 days before the end of a version": {
			of: cluster("1.35", next), today: "2026-12-31", want: []string{ending},
		},
		"the last day of a version in all time zones": {
			of: cluster("1.35", next), today: "2027-04-01", want: []string{ending},
		},
		"after the last day of a version": {of: cluster("1.35", next), today: "2027-04-02", want: []string{longer}},
		"after its long-term support":     {of: cluster("1.35", next), today: "2028-04-02", want: []string{ended}},
		"a day that is not known":         {of: cluster("1.36", current), horizon: 10000},
		"no cloud":                        {of: noCloud, today: "2026-12-01"},
		"another cloud":                   {of: otherCloud, today: "2026-12-01"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var today time.Time
			if tt.today != "" {
				var err error
				if today, err = time.Parse(time.DateOnly, tt.today); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(tt.want, lines(support.CheckTopology(tt.of, today, tt.horizon))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// lines returns the severities, paths and rules of findings.
func lines(findings []rule.Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, string(f.Severity)+": "+ruletest.Brief(f))
	}
	return all
}

func TestEachWindowsPlatformOfAKSHasItsSKU(t *testing.T) {
	t.Parallel()
	for p, want := range map[platform.Platform]string{
		platform.WindowsServer2019: "Windows2019", platform.WindowsServer2022: "Windows2022",
		platform.WindowsServer2025: "Windows2025", platform.Linux: "", "": "",
	} {
		if got := support.SKUOf(p).Name; got != want {
			t.Errorf("%q: %q, want %q", p, got, want)
		}
	}
	if sku, found := facts.SKUNamed("WindowsAnnual"); !found || sku.Platform != "" {
		t.Errorf("WindowsAnnual: %+v, %t", sku, found)
	}
	if sku, found := facts.SKUNamed(""); found {
		t.Errorf("no name: %+v", sku)
	}
}
