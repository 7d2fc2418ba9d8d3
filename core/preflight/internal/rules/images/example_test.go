package images_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/images"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// An image must be for the operating system of its pods.
func Example() {
	read, _ := pods.Read(map[string]any{"kind": "Pod", "spec": map[string]any{
		"os":         map[string]any{"name": "linux"},
		"containers": []any{map[string]any{"name": "shop", "image": "mcr.microsoft.com/windows/nanoserver:ltsc2022"}},
	}})
	cluster := &subject.Cluster{Context: pods.NewContext(topology.Topology{}.WithDefaults(), "", nil)}
	for _, finding := range engine.New[*subject.Pods](images.Rules()...).Find(cluster.PodsOf(read, nil, false), 36) {
		fmt.Println(finding)
	}
	// Output:
	// spec.containers[0].image: "mcr.microsoft.com/windows/nanoserver:ltsc2022": is a Windows image, but os.name linux makes these Linux pods: use a Linux image (MK202)
}
