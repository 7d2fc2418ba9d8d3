package landings

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	quantity "k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestRequested(t *testing.T) {
	t.Parallel()
	list := func(cpu, memory string) corev1.ResourceList {
		return corev1.ResourceList{"cpu": quantity.MustParse(cpu), "memory": quantity.MustParse(memory)}
	}
	pool := func(name string, p platform.Platform, count, most int) topology.Pool {
		pool := topology.Pool{Name: name, Platform: p, Count: count, Size: "Standard_D4s_v5"}
		pool.Autoscaling.Max, pool.Reserved = most, list("140m", "2Gi")
		return pool
	}
	win, lin := pool("win22", platform.WindowsServer2022, 2, 5), pool("linux", platform.Linux, 3, 0)
	other, unknown := pool("other", platform.Linux, 1, 0), topology.Pool{Name: "own", Count: 1}
	on := func(l preflight.Landing, pools ...topology.Pool) preflight.Landing {
		l.Pools = pools
		return l
	}
	two := preflight.Landing{Requests: list("100m", "300Mi"), Count: 2}
	agent := preflight.Landing{Requests: list("200m", "1Gi"), Count: 1, PerNode: true}
	large := preflight.Landing{Requests: list("1", "16Gi"), Count: 3}
	const header = "\nwhat they request of the room for pods, the cluster's own pods not counted:\n"
	for name, tt := range map[string]struct {
		landings []preflight.Landing
		want     string
	}{
		"nothing":         {nil, ""},
		"no requests":     {[]preflight.Landing{on(preflight.Landing{Count: 1}, win)}, ""},
		"an unknown size": {[]preflight.Landing{on(two, unknown)}, ""},
		"nowhere":         {[]preflight.Landing{two}, ""},
		"as many nodes as there will be": {
			[]preflight.Landing{on(two, lin)},
			header + "  linux ← 0.2 of 11.58 CPUs and 0.59 of 40.95 GiB on 3 nodes",
		},
		"an agent on each node, including future nodes": {
			[]preflight.Landing{on(two, win), on(agent, win, other)},
			header + "  other ← 0.2 of 3.86 CPUs and 1 of 13.65 GiB on 1 node\n" +
				"  win22 ← 0.6 of 7.72 CPUs and 2.59 of 27.99 GiB on 2 nodes; " +
				"1.2 of 19.3 CPUs and 5.59 of 69.99 GiB on 5 nodes",
		},
		"the choice of two pools": {
			[]preflight.Landing{on(two, other, lin)},
			header + "  linux or other ← 0.2 of 15.44 CPUs and 0.59 of 54.6 GiB on 4 nodes",
		},
		"more than there is": {
			[]preflight.Landing{on(large, lin)},
			header + "  linux ← 3 of 11.58 CPUs and 48 of 40.95 GiB on 3 nodes: too much",
		},
	} {
		if diff := cmp.Diff(tt.want, Requested(tt.landings)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
