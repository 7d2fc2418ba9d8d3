package placement_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

func Example() {
	nodes := placement.NewNodes(topology.Topology{Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux, Count: 3},
		{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
	}}.WithDefaults(), platform.Strict)

	pod := placement.Pod{OS: platform.WindowsOS, NodeSelector: map[string]string{"kubernetes.io/os": "windows"}}
	got := nodes.Place(pod)
	fmt.Println(got)
	if v, ok := got.Nearest(pod.OS, ""); ok {
		fmt.Printf("not on %s: %s\n", v.Pool.Name, v.Reasons()[0].Text)
	}

	windows := topology.Topology{Pools: []topology.Pool{*got.Verdicts[1].Pool}}.WithDefaults()
	pod.Tolerations = windows.Tolerations(platform.WindowsServer2022)
	fmt.Println(nodes.Place(pod))
	// Output:
	// nowhere
	// not on win22: its taint os=windows:NoSchedule is not tolerated
	// win22 (2 nodes)
}
