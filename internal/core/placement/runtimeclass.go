package placement

import (
	"fmt"
	"slices"
	"strings"
)

// selected is an entry of the node selector that a pod is created with.
type selected struct {
	key, value string
	// byClass is true if only the RuntimeClass has it.
	byClass bool
}

// conflict is a key for which the pod and the RuntimeClass have different values.
type conflict struct{ key, pod, class string }

// mergeSelectors adds the node selector of the RuntimeClass to the selector of the pod,
// like the admission plugin RuntimeClass (setScheduling in
// plugin/pkg/admission/runtimeclass/admission.go of Kubernetes 1.36). Both lists
// are sorted by key.
func mergeSelectors(p Pod) ([]selected, []conflict) {
	var class map[string]string
	if p.RuntimeClass != nil {
		class = p.RuntimeClass.NodeSelector
	}
	if len(p.NodeSelector)+len(class) == 0 {
		return nil, nil
	}
	merged := make([]selected, 0, len(p.NodeSelector)+len(class))
	for key, value := range p.NodeSelector {
		merged = append(merged, selected{key: key, value: value})
	}
	var conflicts []conflict
	for key, value := range class {
		switch own, ok := p.NodeSelector[key]; {
		case !ok:
			merged = append(merged, selected{key: key, value: value, byClass: true})
		case own != value:
			conflicts = append(conflicts, conflict{key: key, pod: own, class: value})
		}
	}
	slices.SortFunc(merged, func(a, b selected) int { return strings.Compare(a.key, b.key) })
	slices.SortFunc(conflicts, func(a, b conflict) int { return strings.Compare(a.key, b.key) })
	return merged, conflicts
}

// checkConflicts refuses a pod that is never created.
func (c *check) checkConflicts() {
	for _, conflict := range c.pod.conflicts {
		c.refuse(&c.admitted, KindRuntimeClass, func() (string, string) {
			return fmt.Sprintf("selects %s=%s, but RuntimeClass %s selects %s: the API server refuses such a pod",
					conflict.key, conflict.pod, c.pod.RuntimeClass.Name, conflict.class),
				fmt.Sprintf("remove %s from the node selector, or use another RuntimeClass", conflict.key)
		})
	}
	// A class that is not known may select anything.
	if c.pod.unknown(PartRuntimeClass) {
		c.admitted.unsure = true
	}
}
