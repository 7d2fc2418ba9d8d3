package collection

import (
	"slices"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// WindowsPods returns the kinds and names of the Windows pods that a NetworkPolicy selects, sorted. It leaves out those
// that are in the network of the node, and those that may be for Linux.
func (o *Object) WindowsPods() []string {
	selector, known := subject.ReadSelector(tree.At(o.Tree["spec"], "podSelector"))
	namespace, hasNamespace := subject.Namespace(o.Tree)
	if !known || !hasNamespace {
		return nil
	}
	c := o.others
	return c.policies.of(namespace, selector.String(), func() []string { return c.onWindows(namespace, selector) })
}

func (c *Collection) onWindows(namespace string, selector labels.Selector) []string {
	selected, _ := c.workloadsOf(namespace, selector)
	var names []string
	for _, w := range selected {
		if w.guessed || w.os != platform.WindowsOS || w.hostProcess {
			continue
		}
		names = append(names, w.title())
	}
	slices.Sort(names)
	return slices.Compact(names)
}
