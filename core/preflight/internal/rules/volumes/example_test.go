package volumes_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/volumes"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// A rule looks at the volumes of pods, or at a PersistentVolume.
func Example() {
	cluster := &subject.Cluster{Context: &pods.Context{}}
	checks := engine.New[*subject.Object](volumes.Rules()...)
	for _, path := range []string{"C:\\new", "C:\new"} {
		disk := map[string]any{
			"apiVersion": "v1", "kind": "PersistentVolume",
			"spec": map[string]any{"local": map[string]any{"path": path}},
		}
		for _, found := range checks.Find(&subject.Object{Object: pods.ReadObject(disk), Cluster: cluster}, 36) {
			fmt.Println(found.Rule, found.Path, found.Detail)
		}
	}
	// Output: MK521 spec.local.path has the character U+000A, which \n means between double quotes
}
