package pods_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// An object of any kind is read once. Paths are paths in the object, so that people find them.
func Example() {
	object := pods.ReadObject(map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment",
		"spec": map[string]any{"replicas": 3, "template": map[string]any{"spec": map[string]any{
			"runtimeClassName": "windows-2022",
			"containers":       []any{map[string]any{"name": "web", "image": "shop.example.com/web:1.4"}},
		}}},
	})
	fmt.Println(object.Kind, object.Pods.Count(), object.Pods.ClassName())
	fmt.Println(object.Pods.Path("runtimeClassName"))
	// Output:
	// Deployment 3 windows-2022
	// spec.template.spec.runtimeClassName
}
