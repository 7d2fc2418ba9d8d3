package completion

import (
	"fmt"
	"iter"

	"github.com/mixedkube/mixedkube/internal/tree"
)

// Containers are those of a pod's spec in the order of their start, each with its
// place in the spec, "containers[0]" for example.
func Containers(spec map[string]any) iter.Seq2[string, map[string]any] {
	return func(yield func(string, map[string]any) bool) {
		for _, list := range []string{"initContainers", "containers"} {
			for i, container := range tree.List(spec[list]) {
				if !yield(fmt.Sprintf("%s[%d]", list, i), tree.Map(container)) {
					return
				}
			}
		}
	}
}
