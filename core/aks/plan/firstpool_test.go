package plan_test

import (
	"fmt"
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestFirstPoolOf(t *testing.T) {
	t.Parallel()
	const (
		sys   = "sysvhv"
		large = "sysypx"
	)
	pool := func(name string, mode topology.Mode, size string) topology.Pool {
		return topology.Pool{Name: name, Platform: platform.Linux, Mode: mode, Size: size}
	}
	small := []topology.Pool{
		pool("base", topology.User, "Standard_D4s_v5"),
		pool("sys", topology.System, "Standard_D4s_v5"),
	}
	larger := []topology.Pool{pool("sys", topology.System, "Standard_D8s_v5")}
	tags := func(key, value string) map[string]string { return map[string]string{"team": "shop", key: value} }
	tests := []struct {
		name    string
		pools   []topology.Pool
		tags    map[string]string
		inAzure []string
		want    plan.FirstPool
	}{
		{"a new cluster begins with the first system pool", small, nil, nil, plan.FirstPool{Inline: sys}},
		{"a first run that failed leaves nothing behind", larger, nil, nil, plan.FirstPool{Inline: large}},
		{"it stays inline", small, tags(plan.FirstPoolTag, sys), []string{sys}, plan.FirstPool{Inline: sys}},
		{
			"it stays inline if another system pool is before it",
			append([]topology.Pool{pool("sys0", topology.System, "Standard_D4s_v5")}, small...),
			tags(plan.FirstPoolTag, sys),
			[]string{sys},
			plan.FirstPool{Inline: sys},
		},
		{
			"it is left if an immutable field changes", larger, tags(plan.FirstPoolTag, sys),
			[]string{sys},
			plan.FirstPool{Left: sys},
		},
		{
			"it stays left", larger, tags(plan.FirstPoolTag, "left:"+sys),
			[]string{sys, large},
			plan.FirstPool{Left: sys},
		},
		{
			"it stays left when it is removed", larger, tags(plan.FirstPoolTag, "left:"+sys),
			[]string{large},
			plan.FirstPool{Left: sys},
		},
		{
			"it is inline again if the change failed", small, tags(plan.FirstPoolTag, "left:"+sys),
			[]string{sys},
			plan.FirstPool{Inline: sys},
		},
		{
			"the same pool is a resource once the first one is removed", small, tags(plan.FirstPoolTag, "left:"+sys),
			[]string{large},
			plan.FirstPool{},
		},
		{"it stays a resource", small, tags(plan.FirstPoolTag, plan.NoFirstPool), []string{sys}, plan.FirstPool{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := plan.FirstPoolOf(tt.pools, nil, tt.tags, tt.inAzure)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("FirstPoolOf() = %+v, want %+v", got, tt.want)
			}
			// The tag leads to the same state in the next run.
			if got.Inline != "" {
				again, err := plan.FirstPoolOf(tt.pools, nil, tags(plan.FirstPoolTag, got.Tag()), []string{got.Inline})
				if err != nil || again != got {
					t.Errorf("in the next run it is %+v (%v), want %+v", again, err, got)
				}
			}
		})
	}
	for _, tags := range []map[string]string{{}, {"team": "shop"}} {
		_, err := plan.FirstPoolOf(small, nil, tags, []string{sys})
		const want = "a cluster with this name already exists, without the tag mixedkube-first-pool: use another " +
			"name; or take it over, with nameInAzure in poolOptions of a system pool (its pools are sysvhv); or set " +
			"the tag to the name of the pool in its agentPoolProfiles, or to none if all its pools are resources of " +
			"their own"
		if err == nil || err.Error() != want {
			t.Errorf("without the tag, the error is %v, want %s", err, want)
		}
	}
}

// Anyone who may write tags can set this one to any value, and the program removes the pool that it names.
func TestATagIsTheNameOfAPool(t *testing.T) {
	t.Parallel()
	pools := []topology.Pool{{Name: "sys", Platform: platform.Linux, Mode: topology.System, Size: "Standard_D4s_v5"}}
	for _, value := range []string{
		`left:x"; id >&2; : "`, "$(id)", "left:", "left:left:sysvhv", "left:none of it", "Sysvhv", "1sys", "sysvhv ",
		"abcdefghijklm", "a/../b", "none\n", "a\x00",
	} {
		got, err := plan.FirstPoolOf(pools, nil, map[string]string{plan.FirstPoolTag: value}, []string{"sysvhv"})
		want := fmt.Sprintf("its tag mixedkube-first-pool has the value %q, which does not name a pool: "+
			"set the tag to the name of the pool in its agentPoolProfiles, or to none if all its pools are resources "+
			"of their own", value)
		if err == nil || err.Error() != want || got != (plan.FirstPool{}) {
			t.Errorf("%q: got %+v and the error %v, want %s", value, got, err, want)
		}
	}
}

func TestTheTagRecordsTheFirstPool(t *testing.T) {
	t.Parallel()
	for first, want := range map[plan.FirstPool]string{
		{Inline: "sysvhv"}: "sysvhv", {Left: "sysvhv"}: "left:sysvhv", {}: "none",
	} {
		if got := first.Tag(); got != want {
			t.Errorf("%+v: the tag is %q, want %q", first, got, want)
		}
	}
}

var (
	place  = plan.Place{ResourceGroup: "shop-group", Cluster: "shop"}
	inline = plan.FirstPool{Inline: "sysvhv"}
)

type inAzureCheck struct {
	name    string
	cluster func(*plan.Cluster)
	first   plan.FirstPool
	inAzure func(*plan.InAzure)
	want    []string
}

func (c inAzureCheck) found() []preflight.Finding {
	a := plan.InAzure{Versions: map[string]string{"sysvhv": "1.36.2", "win22d": "1.35.1"}, LicenseType: "None"}
	c.inAzure(&a)
	return plan.CheckInAzure(good(c.cluster), c.first, a, place)
}

var inAzureChecks = []inAzureCheck{
	{"all is as it should be", nil, inline, func(*plan.InAzure) {}, nil},
	{
		"another license", func(c *plan.Cluster) { c.WindowsAdmin.LicenseType = "Windows_Server" }, inline,
		func(*plan.InAzure) {},
		[]string{"warning: windowsAdmin (MK795)"},
	},
	{
		"gMSA turned on", gmsa(plan.GMSA{Enabled: true, DNSServer: "10.0.0.4", RootDomainName: "contoso.com"}), inline,
		func(*plan.InAzure) {},
		[]string{"warning: windowsAdmin (MK795)"},
	},
	{
		"gMSA turned off, and a license removed", nil, inline,
		func(a *plan.InAzure) { a.LicenseType, a.GMSA.Enabled = "Windows_Server", true },
		[]string{"warning: windowsAdmin (MK795)"},
	},
	{
		"gMSA turned on already", gmsa(plan.GMSA{Enabled: true}), inline,
		func(a *plan.InAzure) { a.GMSA.Enabled = true }, nil,
	},
	{
		"the pool that was left still exists", nil,
		plan.FirstPool{Left: "syskfz"},
		func(a *plan.InAzure) { a.Versions["syskfz"] = "1.36.2" },
		[]string{"warning: pools (MK796)"},
	},
	{"the pool that was left no longer exists", nil, plan.FirstPool{Left: "syskfz"}, func(*plan.InAzure) {}, nil},
	{
		"an upgrade", nil, inline, func(a *plan.InAzure) { a.Versions["sysvhv"] = "1.35.9" },
		[]string{"warning: pools[0].kubernetesVersion (MK797)"},
	},
	{
		"an upgrade to a patch release", func(c *plan.Cluster) { c.Topology.KubernetesVersion = "1.36.3" }, inline,
		func(*plan.InAzure) {},
		[]string{"warning: pools[0].kubernetesVersion (MK797)"},
	},
	{
		"a version that is older than the existing one",
		func(c *plan.Cluster) { c.Topology.Pools[0].KubernetesVersion = "1.35" }, inline, func(*plan.InAzure) {}, nil,
	},
	{
		"a pool that is a separate resource", nil,
		plan.FirstPool{},
		func(a *plan.InAzure) { a.Versions["sysvhv"] = "1.35.9" }, nil,
	},
}

func TestCheckInAzure(t *testing.T) {
	t.Parallel()
	for _, tt := range inAzureChecks {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, tt.found(), tt.want...)
		})
	}
	wantFindings(t, plan.CheckPasswordInAzure(plan.WindowsAdmin{Password: "hush"}, place),
		"warning: windowsAdmin.password (MK795)")
}
