package stackconfig_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// The configuration of a stack describes the cluster, and what the stack deploys there.
func ExampleDecode() {
	config, err := stackconfig.Decode(map[string]any{
		"mixedkube:cluster": map[string]any{"kubernetesVersion": "1.36", "pools": []any{
			map[string]any{"name": "sys", "platform": "linux"},
			map[string]any{"name": "win22", "platform": "windows-2022"},
		}},
		"mixedkube:workloads": []any{"iis"},
	})
	fmt.Println(config.Topology.Pools[1].Platform, config.Workloads, config.InAzure(), err)
	// Output:
	// windows-2022 [iis] false <nil>
}
