package azurenodes

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
)

// A process was killed when it had removed the first node and not created the next one, which is not a surge node.
func TestARemovedNodeIsCreatedAgain(t *testing.T) {
	t.Parallel()
	const version = "v1.36.3"
	pools, err := withDefaults([]arm.Pool{{
		Pool:    topology.Pool{Name: "web", Platform: platform.Linux, Count: 2, Size: "Standard_D4s_v5"},
		Machine: "next", Upgrade: arm.Upgrade{Surge: 1},
	}})
	if err != nil {
		t.Fatal(err)
	}
	pool, before := pools[0], pools[0]
	before.Machine = "first"
	surge := nodeOf(pool, 2, version)
	surge.Annotations[surgeAnnotation] = "true"
	client := fake.NewClientset(nodeOf(before, 1, version), surge)
	ready := func(context.Context, []*corev1.Node) error { return nil }
	if err := (roller{client, version, pool, ready}).roll(t.Context()); err != nil {
		t.Fatal(err)
	}
	nodes, err := cluster.List[corev1.Node](t.Context(), client.CoreV1().Nodes().List)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, node := range nodes {
		got[node.Name] = node.Annotations[machineAnnotation] + node.Annotations[surgeAnnotation]
	}
	want := map[string]string{arm.NodeName(pool.Pool, 0): "next", arm.NodeName(pool.Pool, 1): "next"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("machines (-want +got):\n%s", diff)
	}
}

// Spot nodes get their next machines one after the other: there are never more of them, and their pods are not evicted.
func TestSpotNodesAreNeitherDrainedNorSurged(t *testing.T) {
	t.Parallel()
	const version = "v1.36.3"
	for name, size := range map[string]string{"another image": "Standard_D4s_v5", "another size": "Standard_D2s_v5"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pools, err := withDefaults([]arm.Pool{{
				Pool: topology.Pool{
					Name: "web", Platform: platform.Linux, Count: 2, Size: "Standard_D4s_v5", Spot: true,
				},
				Machine: "next", Upgrade: arm.Upgrade{Surge: 1, DrainMinutes: 30},
			}})
			if err != nil {
				t.Fatal(err)
			}
			pool, before := pools[0], pools[0]
			before.Machine, before.Pool.Size = "first", size
			client := fake.NewClientset(nodeOf(before, 0, version), nodeOf(before, 1, version), &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"},
				Spec:       corev1.PodSpec{NodeName: arm.NodeName(pool.Pool, 0)},
			})
			machines := func() []string {
				nodes, err := cluster.List[corev1.Node](t.Context(), client.CoreV1().Nodes().List)
				if err != nil {
					t.Fatal(err)
				}
				var all []string
				for _, node := range nodes {
					all = append(all, node.Annotations[machineAnnotation])
				}
				return all
			}
			ready := func(context.Context, []*corev1.Node) error {
				if all := machines(); len(all) > 2 {
					t.Errorf("the pool has the machines %v", all)
				}
				return nil
			}
			if err := (roller{client, version, pool, ready}).roll(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, action := range client.Actions() {
				if action.GetSubresource() == "eviction" {
					t.Error("a pod is evicted")
				}
			}
			if diff := cmp.Diff([]string{"next", "next"}, machines()); diff != "" {
				t.Errorf("machines (-want +got):\n%s", diff)
			}
		})
	}
}
