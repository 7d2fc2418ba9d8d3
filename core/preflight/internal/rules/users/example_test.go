package users_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/users"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

func Example() {
	options := map[string]any{"runAsUserName": `.\nina`}
	read, _ := pods.Read(map[string]any{
		"kind": "Pod",
		"spec": map[string]any{"securityContext": map[string]any{"windowsOptions": options}},
	})
	cluster := &subject.Cluster{Context: pods.NewContext(topology.Topology{}.WithDefaults(), "", nil)}
	checks := engine.New[*subject.Pods](users.Rules()...)
	for _, finding := range checks.Find(cluster.PodsOf(read, nil, false), 36) {
		fmt.Println(finding.Rule, finding.Fix)
	}
	// Output: MK147 write the user alone for one of the container
}
