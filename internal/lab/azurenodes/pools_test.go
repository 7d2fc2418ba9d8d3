package azurenodes

import (
	"testing"

	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
)

func TestTwoPoolsOfOneNameAreRefused(t *testing.T) {
	t.Parallel()
	pools := []arm.Pool{
		{Cluster: "/a", Pool: topology.Pool{Name: "sys"}},
		{Cluster: "/a", Pool: topology.Pool{Name: "win"}},
	}
	all, err := asTopology(pools)
	if err != nil || len(all.Pools) != 2 || all.Pools[1].Name != "win" {
		t.Errorf("the topology is %v, %v", all, err)
	}
	_, err = asTopology(append(pools, arm.Pool{Cluster: "/b", Pool: topology.Pool{Name: "win"}}))
	want := "the pool win is in /a and in /b: the lab has one cluster for both, so give the pools different names"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
