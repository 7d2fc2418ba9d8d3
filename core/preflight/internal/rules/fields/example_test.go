package fields_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/fields"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

func Example() {
	read, _ := pods.Read(map[string]any{
		"kind": "Pod", "spec": map[string]any{"os": map[string]any{"name": "windows"}, "hostPID": true},
	})
	cluster := &subject.Cluster{Context: pods.NewContext(topology.Topology{}.WithDefaults(), "", nil)}
	checks := engine.New[*subject.Pods](fields.ForbiddenByOSName()...)
	for _, finding := range checks.Find(cluster.PodsOf(read, nil, false), 36) {
		fmt.Println(finding.Path, finding.Type, finding.Rule)
	}
	fmt.Println("Without os.name:", fields.RefusedOnWindows(read))
	// Output:
	// spec.hostPID Forbidden MK111
	// Without os.name: [hostPID]
}
