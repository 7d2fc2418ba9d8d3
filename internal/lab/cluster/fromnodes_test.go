package cluster

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// A topology that is read from its nodes has pools with the same properties that pods depend on.
func TestATopologyIsReadFromItsNodes(t *testing.T) {
	t.Parallel()
	gpu := []corev1.Taint{{Key: "gpu", Value: "yes", Effect: corev1.TaintEffectNoSchedule}}
	for _, cloud := range append(topology.Clouds(), "") {
		t.Run("cloud "+string(cloud), func(t *testing.T) {
			t.Parallel()
			declared := topology.Topology{KubernetesVersion: "1.36.3", Cloud: cloud, Pools: []topology.Pool{
				{Name: "linux", Platform: platform.Linux, Count: 2, Size: "m6i.large", MaxPods: 29},
				{Name: "linux-2", Platform: platform.Linux, Size: "t2a-standard-4", Taints: gpu},
				{Name: "windows", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5", Count: 3},
				{Name: "windows-2", Platform: platform.WindowsServer2025, Labels: map[string]string{"team": "shop"}},
			}}.WithDefaults()
			var nodes []corev1.Node
			for _, n := range Nodes(declared, "v1.36.3") {
				nodes = append(nodes, *n)
			}
			got, _, errs := topology.FromNodes(nodes, "")
			if len(errs) > 0 {
				t.Fatal(errs.ToAggregate())
			}
			if cloud == topology.AKS || cloud == topology.EKS {
				// The simulated nodes do not show that they are in one of them.
				got.Cloud = cloud
			}
			read := got.WithDefaults()
			for i, p := range read.Pools {
				want := declared.Pools[i]
				allocatable, known := want.Allocatable()
				if !known {
					allocatable = defaultCapacity
				}
				have, _ := p.Allocatable()
				if diff := cmp.Diff(allocatable, have); diff != "" {
					t.Errorf("allocatable of %s (-want +got):\n%s", want.Name, diff)
				}
				if diff := cmp.Diff(want.NodeLabels(), p.NodeLabels()); diff != "" {
					t.Errorf("labels of %s (-want +got):\n%s", want.Name, diff)
				}
				if diff := cmp.Diff(want.Taints, p.Taints); diff != "" {
					t.Errorf("taints of %s (-want +got):\n%s", want.Name, diff)
				}
				if p.Name != want.Name || p.Platform != want.Platform || p.Count != want.Count ||
					p.Architecture() != want.Architecture() {
					t.Errorf("%+v, want %+v", p, want)
				}
			}
		})
	}
}
