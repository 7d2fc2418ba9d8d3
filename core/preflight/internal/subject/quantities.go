package subject

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Quantity is a limit or a request of a container.
type Quantity struct {
	Container *pods.Container
	// List is "limits" or "requests".
	List string
	// Name is the name of the resource.
	Name  string
	Value any
}

// usualResources are the resources of most containers, in the order of their names.
var usualResources = [...]string{"cpu", "memory"}

// Quantities returns the limits and the requests of all containers.
func (p *Pods) Quantities() []Quantity { return p.quantities.get(p.readQuantities) }

func (p *Pods) readQuantities() []Quantity {
	all := make([]Quantity, 0, 4*len(p.Containers))
	for i := range p.Containers {
		ctr := &p.Containers[i]
		resources := tree.Map(ctr.Spec["resources"])
		for _, list := range [...]string{"limits", "requests"} {
			values, first := tree.Map(resources[list]), len(all)
			for _, name := range usualResources {
				if v, has := values[name]; has {
					all = append(all, Quantity{ctr, list, name, v})
				}
			}
			if len(all)-first == len(values) {
				continue
			}
			all = all[:first]
			for name, v := range values {
				all = append(all, Quantity{ctr, list, name, v})
			}
			slices.SortFunc(all[first:], func(a, b Quantity) int { return strings.Compare(a.Name, b.Name) })
		}
	}
	return all
}
