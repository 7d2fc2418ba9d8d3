package subject_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// Pods know where they land, and what they are for.
func Example() {
	pools := topology.Topology{Pools: []topology.Pool{
		{Name: "lin", Platform: platform.Linux}, {Name: "win22", Platform: platform.WindowsServer2022},
	}}
	cluster := &subject.Cluster{Context: pods.NewContext(pools.WithDefaults(), platform.Strict, nil)}
	read, _ := pods.Read(map[string]any{"kind": "Pod", "spec": map[string]any{
		"nodeSelector": map[string]any{"kubernetes.io/os": "windows"},
		"tolerations":  []any{map[string]any{"operator": "Exists"}},
		"volumes":      []any{map[string]any{"name": "data", "emptyDir": map[string]any{}}},
		"containers":   []any{map[string]any{"name": "shop", "image": "shop.example.com/shop"}},
	}})
	p := cluster.PodsOf(read, nil, false)
	fmt.Println(p.OS().DisplayName(), p.Landed().Windows, p.Landed().Linux, p.VolumeTypes())
	// Output: Windows [win22] [] [emptyDir]
}
