package refusal

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

// WithoutPool returns the error about a platform in the arguments of a component, nil if the topology has a pool that runs
// it, or is partial and may have one.
func WithoutPool(t topology.Topology, p platform.Platform, path *field.Path) field.ErrorList {
	lacks := t.Lacks(p)
	if lacks == "" || t.Partial {
		return nil
	}
	return field.ErrorList{field.Invalid(path, p.String(), lacks+": add a pool, or use one of these")}
}
