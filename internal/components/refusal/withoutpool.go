package refusal

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// WithoutPool returns the error about the platform of nodes in the arguments of a component, nil if the topology has a
// pool of the platform, or is partial and may have one.
func WithoutPool(t topology.Topology, p platform.Platform, path *field.Path) field.ErrorList {
	return without(t, t.Lacks(p), p, path)
}

// WithoutHost is WithoutPool for the platform of images, which pools of other platforms may run: see
// [topology.Topology.Hosts].
func WithoutHost(t topology.Topology, image platform.Platform, path *field.Path) field.ErrorList {
	return without(t, t.LacksHosts(image), image, path)
}

func without(t topology.Topology, lacks string, p platform.Platform, path *field.Path) field.ErrorList {
	if lacks == "" || t.Partial {
		return nil
	}
	return field.ErrorList{field.Invalid(path, p.String(), lacks+": add a pool, or use one of these")}
}
