package azurenodes

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
	all, err := withDefaults(pools)
	if err != nil || len(all) != 2 || all[1].Pool.Name != "win" {
		t.Errorf("the pools are %v, %v", all, err)
	}
	_, err = withDefaults(append(pools, arm.Pool{Cluster: "/b", Pool: topology.Pool{Name: "win"}}))
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
	}, nil, "v1.36.3")
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

// Existing nodes that a drain has to empty first, and quarantined ones, do not change. The others get the labels of the
// pool, and new ones get free numbers.
func TestExistingNodesOfPools(t *testing.T) {
	t.Parallel()
	pool := arm.Pool{Machine: "new", Pool: topology.Pool{
		Name: "win", Platform: platform.WindowsServer2022, Count: 4, Labels: map[string]string{"team": "web"},
	}}
	node := func(name, machine, status string) *corev1.Node {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{
			Name: name, Annotations: map[string]string{machineAnnotation: machine}, Labels: map[string]string{},
		}}
		if status != "" {
			n.Labels[statusLabel] = status
		}
		return n
	}
	existing := []*corev1.Node{
		node("akswin000002", "new", ""), node("akswin000000", "old", ""), node("akswin000003", "new", "Quarantined"),
		node("akswin00000a", "new", ""), node("akswin2000000", "new", ""), node("aksother000000", "new", ""),
	}
	lines := func(change func(*arm.Pool)) []string {
		changed := pool
		change(&changed)
		nodes, err := OfPools([]arm.Pool{changed}, existing, "v1.36.3")
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, n := range nodes {
			got = append(got, n.Name+" "+n.Annotations[machineAnnotation]+" "+n.Labels["team"])
		}
		return got
	}
	for name, x := range map[string]struct {
		change func(*arm.Pool)
		want   []string
	}{
		"all": {func(*arm.Pool) {}, []string{
			"akswin000000 old ", "akswin000003 new ", "akswin000002 new web", "akswin00000a new web",
		}},
		"more": {func(p *arm.Pool) { p.Pool.Count = 5 }, []string{
			"akswin000000 old ", "akswin000003 new ", "akswin000002 new web", "akswin00000a new web",
			"akswin000001 new web",
		}},
		"stopped": {func(p *arm.Pool) { p.Stopped = true }, []string{}},
		"about to be deleted": {func(p *arm.Pool) { p.Deleting = true }, []string{
			"akswin000000 old ", "akswin000002 new ", "akswin000003 new ", "akswin00000a new ",
		}},
		"fewer": {func(p *arm.Pool) { p.Pool.Count = 1 }, []string{
			"akswin000000 old ", "akswin000003 new ", "akswin000002 new web", "akswin00000a new web",
		}},
	} {
		if diff := cmp.Diff(x.want, lines(x.change)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
