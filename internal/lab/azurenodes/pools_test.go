package azurenodes

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
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

// The names, the order of the zones, and the maximum number of pods are Azure's.
func TestNodesOfPools(t *testing.T) {
	t.Parallel()
	west := map[string]string{corev1.LabelTopologyRegion: "westeurope"}
	nodes, err := OfPools([]arm.Pool{
		{Cluster: "/a", Pool: topology.Pool{
			Name: "sys", Platform: platform.Linux, Count: 3, MaxPods: 30, Zones: []string{"1", "3"}, Labels: west,
		}},
		{Cluster: "/a", Pool: topology.Pool{Name: "win", Platform: platform.WindowsServer2022, Count: 1, MaxPods: 250}},
	}, "v1.36.3")
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, node := range nodes {
		got = append(got, fmt.Sprintf("%s %s %q %s", node.Name, node.Labels[corev1.LabelHostname],
			node.Labels[corev1.LabelTopologyZone], node.Status.Capacity.Pods()))
	}
	want := []string{
		`aks-sys-77365014-vmss000000 aks-sys-77365014-vmss000000 "westeurope-1" 30`,
		`aks-sys-77365014-vmss000001 aks-sys-77365014-vmss000001 "westeurope-3" 30`,
		`aks-sys-77365014-vmss000002 aks-sys-77365014-vmss000002 "westeurope-1" 30`,
		`akswin000000 akswin000000 "" 250`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
}
