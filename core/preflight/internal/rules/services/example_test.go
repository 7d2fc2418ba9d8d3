package services_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/services"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// A cluster without load balancers gives a Service no address.
func Example() {
	bare := topology.Topology{MissingFeatures: []topology.Feature{topology.LoadBalancers}}
	cluster := &subject.Cluster{Context: pods.NewContext(bare.WithDefaults(), "", nil)}
	service := pods.ReadObject(map[string]any{
		"apiVersion": "v1", "kind": "Service", "spec": map[string]any{"type": "LoadBalancer"},
	})
	checks := engine.New[*subject.Object](services.Rules()...)
	for _, finding := range checks.Find(&subject.Object{Object: service, Cluster: cluster}, 36) {
		fmt.Println(finding.Rule, finding.Path, finding.Value)
	}
	// Output: MK801 spec.type LoadBalancer
}
