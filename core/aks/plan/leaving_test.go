package plan_test

import (
	"slices"
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestPoolsThatLeave(t *testing.T) {
	t.Parallel()
	inPlaceAs := func(name string) func(c *plan.Cluster) {
		return keepingWindows(plan.PoolOptions{
			NameInAzure: name, Change: plan.InPlace, Previews: []plan.Preview{plan.VMSSResize},
		})
	}
	withoutPreviews := keepingWindows(plan.PoolOptions{NameInAzure: "win", Change: plan.InPlace})
	stopped := func(p obj) { p["powerState"] = obj{"code": "Stopped"} }
	spot := func(p obj) { p["scaleSetPriority"], p["spotMaxPrice"] = "Spot", -1 }
	isSpot := windows(func(p *topology.Pool) { p.Spot = true })
	larger := windows(larger)
	for _, tt := range []struct {
		name   string
		change func(c *plan.Cluster)
		pool   func(p obj)
		want   []string
	}{
		{"unchanged", nil, func(p obj) { p["name"] = "win22d" }, nil},
		{"with another name, so with other properties", nil, func(p obj) { p["name"] = "win22x" }, []string{"win22"}},
		{"with a shorter suffix", nil, func(p obj) { p["name"] = "win22" }, nil},
		{"that stays", nil, func(p obj) { p["name"] = "win22y" }, nil},
		{"of Linux", nil, func(p obj) { p["name"], p["osType"] = "win22x", "Linux" }, nil},
		{
			"with a newer version", inPlaceAs("win"), func(p obj) { p["currentOrchestratorVersion"] = "1.35.4" },
			[]string{"win22"},
		},
		{"with fewer nodes", inPlaceAs("win"), func(p obj) { p["count"] = int64(3) }, []string{"win22"}},
		{
			"with fewer nodes, by the autoscaler", both(inPlaceAs("win"), windows(func(p *topology.Pool) {
				p.Autoscaling = topology.Autoscaling{Min: 1, Max: 4}
			})), func(p obj) { p["count"] = int64(3) }, nil,
		},
		{"without nodes", nil, func(p obj) { p["name"], p["count"] = "win22x", int64(0) }, nil},
		{
			"of another program", nil,
			func(p obj) { p["name"], p["tags"] = "win22x", obj{plan.OwnerTag: "shop"} }, nil,
		},
		{"not in the program", nil, func(p obj) { p["name"] = "bank" }, nil},
		{
			"of the pool with the longer name", func(c *plan.Cluster) {
				p := c.Topology.Pools[1]
				p.Name = "win"
				c.Topology.Pools = append(c.Topology.Pools, p)
			}, func(p obj) { p["name"] = "win22x" }, []string{"win22"},
		},
		{"in place, unchanged", inPlaceAs("win"), nil, nil},
		{"in place", both(inPlaceAs("win"), larger), nil, []string{"win22"}},
		{
			"in place, after a failure", inPlaceAs("win"), func(p obj) { p["provisioningState"] = "Failed" },
			[]string{"win22"},
		},
		{
			"in place, after a failure, without the preview", withoutPreviews,
			func(p obj) { p["provisioningState"] = "Failed" }, nil,
		},
		{
			"in place, after a failure, stopped", inPlaceAs("win"),
			func(p obj) { stopped(p); p["provisioningState"] = "Failed" }, nil,
		},
		{"in place, stopped", both(inPlaceAs("win"), larger), stopped, nil},
		{"with another name, stopped", nil, func(p obj) { stopped(p); p["name"] = "win22x" }, nil},
		{"in place, of spot nodes", both(both(inPlaceAs("win"), isSpot), larger), spot, nil},
		{
			"in place, of spot nodes, after a failure", both(inPlaceAs("win"), isSpot),
			func(p obj) { spot(p); p["provisioningState"] = "Failed" }, nil,
		},
		{
			"with fewer spot nodes", both(inPlaceAs("win"), isSpot), func(p obj) { spot(p); p["count"] = int64(3) },
			[]string{"win22"},
		},
		{"with another name, of spot nodes", nil, func(p obj) { spot(p); p["name"] = "win22x" }, []string{"win22"}},
		{
			"in place, with a size in another case", both(inPlaceAs("win"), windows(size("standard_d4s_V5"))), nil, nil,
		},
		{"with FIPS", both(inPlaceAs("win"), windows(func(p *topology.Pool) { p.FIPS = true })), nil, nil},
		{"in place, that starts", inPlaceAs("win"), func(p obj) { p["provisioningState"] = "Starting" }, nil},
		{
			"in place, with a name that Azure lacks", inPlaceAs("win"), func(p obj) { p["name"] = "win22x" },
			[]string{"win22"},
		},
		{
			"in place, without nodes", both(inPlaceAs("win"), larger),
			func(p obj) { p["count"] = int64(0) }, nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := good(tt.change)
			inAzure := windowsInAzure(func(p obj) {
				p["currentOrchestratorVersion"] = "1.36.3"
				if tt.pool != nil {
					tt.pool(p)
				}
			})
			got := namesOf(clusterInAzure(nil, inAzure).Leaving(c.Topology.WithDefaults().Pools,
				c.PoolOptions, "win22y"))
			if !slices.Equal(got, tt.want) {
				t.Errorf("%v leave, want %v", got, tt.want)
			}
		})
	}
}

// Other pools with similar names belong to others if the pool keeps its own.
func TestAPoolThatKeepsItsNameLeavesNoOther(t *testing.T) {
	t.Parallel()
	c := good(keepingWindows(plan.PoolOptions{}))
	pools := []obj{}
	for _, name := range []string{"win", "win22x"} {
		pools = append(pools, windowsInAzure(func(p obj) {
			p["name"], p["currentOrchestratorVersion"] = name, "1.36.3"
		}))
	}
	got := namesOf(clusterInAzure(nil, pools...).Leaving(c.Topology.WithDefaults().Pools, c.PoolOptions, ""))
	if len(got) > 0 {
		t.Errorf("%v leave", got)
	}
}

// FIPS of a Linux pool changes in place, with new images.
func TestALinuxPoolWithFIPSLeaves(t *testing.T) {
	t.Parallel()
	c := good(func(c *plan.Cluster) {
		c.Topology.Pools[0].FIPS = true
		c.PoolOptions["sys"] = plan.PoolOptions{NameInAzure: "nodepool1"}
	})
	got := namesOf(clusterInAzure(nil).Leaving(c.Topology.WithDefaults().Pools, c.PoolOptions, ""))
	if !slices.Equal(got, []string{"sys"}) {
		t.Errorf("%v leave", got)
	}
}

// A pool leaves as it is in Azure: the pods are on nodes with its size, its release and its labels.
func TestAPoolLeavesAsItIsInAzure(t *testing.T) {
	t.Parallel()
	c := good(both(keepingWindows(plan.PoolOptions{}), windows(func(p *topology.Pool) { newerWindows(p); larger(p) })))
	inAzure := windowsInAzure(func(p obj) { p["nodeLabels"] = obj{"team": "web"} })
	leaving := clusterInAzure(nil, inAzure).Leaving(c.Topology.WithDefaults().Pools, c.PoolOptions, "")
	if len(leaving) != 1 {
		t.Fatalf("%v leave", leaving)
	}
	p := leaving[0]
	got := []string{p.Name, p.Platform.String(), p.Size, p.Labels["team"], p.Labels["kubernetes.azure.com/os-sku"]}
	want := []string{"win22", "windows-2022", "Standard_D4s_v5", "web", "Windows2022"}
	if !slices.Equal(got, want) {
		t.Errorf("the pool is %v, want %v", got, want)
	}
}

func namesOf(pools []topology.Pool) []string {
	var names []string
	for _, p := range pools {
		names = append(names, p.Name)
	}
	return names
}
