package landings_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/landings"
)

func TestLoads(t *testing.T) {
	t.Parallel()
	list := func(cpu, memory string) corev1.ResourceList {
		return corev1.ResourceList{"cpu": resource.MustParse(cpu), "memory": resource.MustParse(memory)}
	}
	a := topology.Pool{Name: "a", Platform: platform.WindowsServer2022, Count: 2, Size: "Standard_D4s_v5"}
	b := topology.Pool{Name: "b", Platform: platform.WindowsServer2022, Count: 1, Size: "Standard_D2s_v5"}
	b.Autoscaling.Max = 3
	unknown := topology.Pool{Name: "unknown", Count: 1}
	loads := landings.Loads([]landings.Wish{
		{Pools: []topology.Pool{b, a}, Requests: list("1", "1Gi"), Count: 2},
		{Pools: []topology.Pool{a}, Requests: list("500m", "1Gi"), Count: 3},
		{Pools: []topology.Pool{a, b}, Requests: list("100m", "1Gi"), Count: 1, PerNode: true},
		{Pools: []topology.Pool{unknown}, Requests: list("1", "1Gi"), Count: 1},
		{Pools: []topology.Pool{a, b}, Requests: list("5", "1Gi"), Count: 2},
		{Requests: list("1", "1Gi"), Count: 1},
	})
	type summary struct {
		Pools, Now, Most string
		Wishes           []int
		Full             bool
	}
	var got []summary
	for _, l := range loads {
		got = append(got, summary{
			landings.PoolNames(l.Pools), l.Now.String(), l.Most.String(), l.Wishes, l.Now.TooMuch(),
		})
	}
	want := []summary{
		{
			Pools: "a", Now: "1.7 of 8 CPUs and 5 of 31.99 GiB on 2 nodes",
			Most: "1.7 of 8 CPUs and 5 of 31.99 GiB on 2 nodes", Wishes: []int{1, 2},
		},
		{
			Pools: "a or b", Now: "12 of 10 CPUs and 4 of 39.99 GiB on 3 nodes",
			Most: "12 of 14 CPUs and 4 of 55.99 GiB on 5 nodes", Wishes: []int{0, 4}, Full: true,
		},
		{
			Pools: "b", Now: "0.1 of 2 CPUs and 1 of 7.99 GiB on 1 node",
			Most: "0.3 of 6 CPUs and 3 of 23.99 GiB on 3 nodes", Wishes: []int{2},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("loads (-want +got):\n%s", diff)
	}
}
