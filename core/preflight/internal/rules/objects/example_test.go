package objects_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/objects"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

func Example() {
	checks := engine.New[*subject.Object](objects.Rules()...)
	service := pods.ReadObject(map[string]any{
		"apiVersion": "v1", "kind": "Service", "spec": map[string]any{"sesionAffinity": "None"},
	})
	for _, finding := range checks.Find(&subject.Object{Object: service, Cluster: &subject.Cluster{Minor: 36}}, 36) {
		fmt.Println(finding)
	}
	// Output:
	// spec.sesionAffinity: "None": is not a field of a ServiceSpec: did you mean sessionAffinity? (MK164)
}
