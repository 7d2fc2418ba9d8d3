package classes_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/classes"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

func Example() {
	class := pods.ReadObject(map[string]any{
		"kind": "RuntimeClass", "handler": "runhcs-wcow-proc",
		"scheduling": map[string]any{"nodeSelector": map[string]any{"kubernetes.io/os": "windows"}},
	})
	cluster := &subject.Cluster{Context: pods.NewContext(topology.Topology{}.WithDefaults(), "", nil)}
	checks := engine.New[*subject.Object](classes.Rules()...)
	for _, finding := range checks.Find(&subject.Object{Object: class, Cluster: cluster}, 0) {
		fmt.Println(finding.Path, finding.Rule, finding.Fix)
	}
	// Output:
	// handler MK414 did you mean runhcs-wcow-process?
}
