package structure_test

import (
	"fmt"
	"strconv"

	"github.com/mixedkube/mixedkube/core/preflight/internal/structure"
)

// A kind knows its fields and their types in each supported version of Kubernetes.
func Example() {
	pod := structure.Find("v1", "Pod")
	for _, problem := range pod.Check(map[string]any{"spec": map[string]any{
		"nodeSelectors": map[string]any{}, "hostPID": "yes",
	}}, 36) {
		fmt.Println(problem.Path, problem.Detail, problem.Fix)
	}
	old, known := structure.NotServed("extensions/v1beta1", "Deployment")
	fmt.Println(known, "removed in 1."+strconv.Itoa(old.RemovedIn), "write", old.Replacement)
	// Unordered output:
	// spec.nodeSelectors is not a field of a PodSpec did you mean nodeSelector?
	// spec.hostPID is a string, and must be a boolean write true or false
	// true removed in 1.16 write apps/v1
}
