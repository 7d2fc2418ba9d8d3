package services_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/services"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

func Example() {
	cluster := &subject.Cluster{Context: pods.NewContext(topology.Topology{}.WithDefaults(), "", nil)}
	others := collection.New()
	facts, _ := collection.Read(pods.ReadObject(map[string]any{
		"kind": "Pod", "metadata": map[string]any{"labels": map[string]any{"app": "shop"}},
		"spec": map[string]any{"os": map[string]any{"name": "windows"}},
	}), cluster)
	others.Add(&facts)
	service := pods.ReadObject(map[string]any{"kind": "Service", "spec": map[string]any{
		"selector": map[string]any{"app": "shop"}, "externalTrafficPolicy": "Local",
	}})
	checks := engine.New[*collection.Object](services.Rules()...)
	for _, finding := range checks.Find(others.Object(service, cluster), 0) {
		fmt.Println(finding.Path, finding.Rule, finding.Fix)
	}
	// Output:
	// spec.externalTrafficPolicy MK601 make sure of it, or use Cluster
}
