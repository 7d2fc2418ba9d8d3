package placement_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/placement"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// Windows pods must not land on Linux nodes. The rule silences those that only say that the pods run nowhere.
func Example() {
	pools := topology.Topology{Pools: []topology.Pool{{Name: "lin", Platform: platform.Linux}}}
	cluster := &subject.Cluster{Context: pods.NewContext(pools.WithDefaults(), platform.Strict, nil)}
	read, _ := pods.Read(map[string]any{"kind": "Pod", "spec": map[string]any{
		"os":         map[string]any{"name": "windows"},
		"containers": []any{map[string]any{"name": "shop", "image": "shop.example.com/shop"}},
	}})
	checks := engine.New[*subject.Pods](placement.Rules()...)
	for _, finding := range checks.Find(cluster.PodsOf(read, nil, false), 36) {
		fmt.Println(finding)
	}
	// Output:
	// spec.nodeSelector: nothing keeps these Windows pods off the Linux pool lin: select kubernetes.io/os=windows (MK301)
}
