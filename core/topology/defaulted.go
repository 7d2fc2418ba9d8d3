package topology

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Defaulted is a topology whose unset fields have their defaults: [Topology.WithDefaults] returns it. In its pools,
// Count is the number of nodes, and Taints are all taints.
type Defaulted struct{ Topology }

// WithDefaults returns a copy of t with its defaults. It shares no memory with t.
func (t Topology) WithDefaults() Defaulted {
	t.MissingFeatures = slices.Clone(t.MissingFeatures)
	t.RuntimeClasses = slices.Clone(t.RuntimeClasses)
	for i := range t.RuntimeClasses {
		t.RuntimeClasses[i] = t.RuntimeClasses[i].clone()
	}
	t.Pools, t.Leaving = t.defaulted(t.Pools), t.defaulted(t.Leaving)
	return Defaulted{t}
}

func (t Topology) defaulted(pools []Pool) []Pool {
	pools = slices.Clone(pools)
	for i, p := range pools {
		pools[i] = t.Cloud.pool(p).WithDefaults(t.KubernetesVersion).Pool
	}
	return pools
}

// DefaultedPool is a pool whose unset fields have their defaults: [Pool.WithDefaults] and [Defaulted.DefaultedPools]
// return it.
type DefaultedPool struct{ Pool }

// DefaultedPools returns the pools, in the topology's order.
func (t Defaulted) DefaultedPools() []DefaultedPool {
	pools := make([]DefaultedPool, len(t.Pools))
	for i, p := range t.Pools {
		pools[i] = DefaultedPool{p}
	}
	return pools
}

// WithDefaults returns a copy of the pool with the defaults of a cluster that has no [Cloud]. The version of the
// control plane may be empty. The copy shares no memory with p.
func (p Pool) WithDefaults(controlPlane string) DefaultedPool {
	if p.Mode == "" {
		p.Mode = User
	}
	if p.Count == 0 && !p.Empty {
		p.Count = max(1, p.Autoscaling.Min)
	}
	if p.KubernetesVersion == "" {
		p.KubernetesVersion = controlPlane
	}
	p.Labels, p.Reserved = maps.Clone(p.Labels), p.Reserved.DeepCopy()
	p.Reported = p.Reported.clone()
	p.Zones = slices.Clone(p.Zones)
	if len(p.Taints) == 0 && !p.Untainted && p.Platform.IsWindows() {
		p.Taints = []corev1.Taint{WindowsTaint()}
	}
	p.Taints = slices.Clone(p.Taints)
	for i := range p.Taints {
		p.Taints[i] = *p.Taints[i].DeepCopy()
	}
	return DefaultedPool{p}
}
