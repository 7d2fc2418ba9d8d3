package preflight_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestCheckCluster(t *testing.T) {
	t.Parallel()
	ofAKS := func(version string) topology.Topology {
		return topology.Topology{KubernetesVersion: version, Cloud: topology.AKS, Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux}, {Name: "win", Platform: platform.WindowsServer2022},
		}}
	}
	day := time.Date(2026, time.November, 24, 0, 0, 0, 0, time.UTC)
	const tooNew = `error: pools[1].platform: "windows-2022": … (MK712)`
	const ending = `info: pools[1].platform: "windows-2022": … (MK853)`
	for name, tt := range map[string]struct {
		options preflight.Options
		want    []string
	}{
		"the version of the topology": {preflight.Options{Topology: ofAKS("1.37")}, []string{tooNew}},
		"the version of the options": {
			preflight.Options{Topology: ofAKS(""), KubernetesVersion: "1.37.1"}, []string{tooNew},
		},
		"neither":         {preflight.Options{Topology: ofAKS("")}, nil},
		"a day":           {preflight.Options{Topology: ofAKS("1.36"), Today: day}, []string{ending}},
		"a short horizon": {preflight.Options{Topology: ofAKS("1.36"), Today: day, Horizon: 30}, nil},
		"no topology":     {preflight.Options{KubernetesVersion: "1.37", Today: day}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, f := range preflight.New(tt.options).CheckCluster() {
				got = append(got, string(f.Severity)+": "+f.String())
			}
			diffFindings(t, tt.want, got)
		})
	}
	// A plan is judged as well, without what the cluster has already.
	renamed := ofAKS("1.36")
	renamed.Pools[1].Name = "iis"
	withoutCloud := ofAKS("")
	withoutCloud.Cloud = ""
	inPlan := func(finding string) string { return strings.Replace(finding, ": pools", ": to.pools", 1) }
	for name, tt := range map[string]struct {
		today, plan topology.Topology
		version     string
		day         time.Time
		want        []string
	}{
		"the plan has another version": {ofAKS("1.36"), ofAKS("1.37"), "", time.Time{}, []string{inPlan(tooNew)}},
		"both have it":                 {ofAKS("1.37"), ofAKS("1.37"), "", time.Time{}, []string{tooNew}},
		"only the cluster":             {ofAKS("1.37"), ofAKS("1.36"), "", time.Time{}, []string{tooNew}},
		"a pool that stays":            {ofAKS("1.36"), ofAKS("1.36"), "", day, []string{ending}},
		"another pool":                 {ofAKS("1.36"), renamed, "", day, []string{ending, inPlan(ending)}},
		"version and cloud of the cluster": {
			topology.Topology{KubernetesVersion: "1.37", Cloud: topology.AKS, Pools: ofAKS("").Pools[:1]},
			withoutCloud, "",
			time.Time{},
			[]string{inPlan(tooNew)},
		},
		"the version of the options": {
			topology.Topology{Cloud: topology.AKS, Pools: ofAKS("").Pools[:1]},
			ofAKS(""), "1.37",
			time.Time{},
			[]string{inPlan(tooNew)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, f := range preflight.New(preflight.Options{
				Topology: tt.today, To: tt.plan, KubernetesVersion: tt.version, Today: tt.day,
			}).CheckCluster() {
				got = append(got, string(f.Severity)+": "+f.String())
			}
			diffFindings(t, tt.want, got)
		})
	}
	// The findings about objects do not include them.
	pod := map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": "shop"}}
	if found := preflight.Check(pod, preflight.Options{Topology: ofAKS("1.37")}); len(found) > 0 {
		t.Errorf("an object has %v", found)
	}
	errs := preflight.Options{Horizon: -1}.Validate(nil)
	const want = "horizon: Invalid value: -1: must not be negative: give a number of days, or 0 for two years"
	if len(errs) != 1 || errs[0].Error() != want {
		t.Errorf("%v, want %s", errs, want)
	}
}
