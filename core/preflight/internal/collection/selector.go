package collection

import (
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// workloadsOf returns the objects with pods in a namespace that a selector selects, in any order. It returns false if
// that is unknown for one of them, because its namespace or its labels are unknown.
func (c *Collection) workloadsOf(namespace string, selector labels.Selector) (found []*workload, known bool) {
	if c.nowhere || c.unlabeled[namespace] {
		return nil, false
	}
	for _, w := range c.candidates(namespace, selector) {
		if selector.Matches(w.labels) {
			found = append(found, w)
		}
	}
	return found, true
}

// candidates returns the workloads of a namespace that a selector may select: those with the rarest of the labels that
// it requires.
func (c *Collection) candidates(namespace string, selector labels.Selector) []*workload {
	all := c.byNamespace[namespace]
	if len(all) <= many {
		return all
	}
	index, fewest := c.index(namespace), all
	requirements, _ := selector.Requirements()
	for i := range requirements {
		switch requirements[i].Operator() {
		case selection.In, selection.Equals, selection.DoubleEquals:
			var with []*workload
			for _, value := range requirements[i].Values().List() {
				with = append(with, index[label{requirements[i].Key(), value}]...)
			}
			if len(with) < len(fewest) {
				fewest = with
			}
		}
	}
	return fewest
}

// many is the number of workloads in a namespace from which an index pays off. Smaller namespaces have none.
const many = 16

// index returns the workloads of a namespace by label.
func (c *Collection) index(namespace string) map[label][]*workload {
	return c.indexes.of(namespace, "", func() map[label][]*workload { return byLabel(c.byNamespace[namespace]) })
}

func byLabel(workloads []*workload) map[label][]*workload {
	found := map[label][]*workload{}
	for _, w := range workloads {
		for _, l := range w.labels {
			found[l] = append(found[l], w)
		}
	}
	return found
}
