package classes_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/classes"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// A handler must be one that the nodes' containerd has.
func Example() {
	cluster := &subject.Cluster{Context: pods.NewContext(topology.Topology{}.WithDefaults(), "", nil)}
	class := pods.ReadObject(map[string]any{
		"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "handler": "docker",
	})
	checks := engine.New[*subject.Object](classes.Rules()...)
	for _, finding := range checks.Find(&subject.Object{Object: class, Cluster: cluster}, 36) {
		fmt.Println(finding.Rule, finding.Path, finding.Value)
	}
	// Output: MK414 handler docker
}
